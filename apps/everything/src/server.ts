/** The server that the official conformance suite judges: one of everything that is built so far. */
import { createServer } from '@sigil-mcp/core';
import { ContentTools } from './content-tools';
import { ReportingTools } from './reporting-tools';
import { SchemaTools } from './schema-tools';
import { TestPrompts } from './test-prompts';
import { TestResources } from './test-resources';
import { TransportTools } from './transport-tools';

/** Tools, resources and prompts with the names and answers that the suite expects. */
export const server = createServer({
  name: 'everything',
  version: '0.1.0',
  title: 'Everything',
  instructions: 'A server for testing clients and Sigil itself; its tools do nothing useful.',
  features: [ContentTools, ReportingTools, TransportTools, SchemaTools, TestResources, TestPrompts],
});
