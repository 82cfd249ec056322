/** The server for the official conformance suite: one of everything. */
import { createServer, type Server } from '@sigil-mcp/core';
import type { Stores } from '@sigil-mcp/core/stores';
import { skills } from '@sigil-mcp/skills';
import { tasks, type TaskStore } from '@sigil-mcp/tasks';
import { AskingTools } from './asking-tools';
import { ChangingTools } from './changing-tools';
import { ContentTools } from './content-tools';
import { ReportingTools } from './reporting-tools';
import { RoundsTools } from './rounds-tools';
import { SchemaTools } from './schema-tools';
import { TaskTools } from './task-tools';
import { TestPrompts } from './test-prompts';
import { TestResources } from './test-resources';
import { TransportTools } from './transport-tools';

/**
 * Tools, resources and prompts with the names and answers that the suite expects.
 * @param shared by several instances; leave it out for a single instance
 */
export function everything(shared?: { readonly stores: Stores; readonly tasks: TaskStore }): Server {
  return createServer({
    name: 'everything',
    version: '0.1.0',
    title: 'Everything',
    instructions: 'A server for testing clients and Sigil itself; its tools do nothing useful.',
    features: [
      ContentTools,
      ReportingTools,
      AskingTools,
      RoundsTools,
      TransportTools,
      ChangingTools,
      TaskTools,
      SchemaTools,
      TestResources,
      TestPrompts,
    ],
    // One on a page: clients have to ask for the next one.
    extensions: [
      skills({ folders: ['../skills'], directoryRead: true, pageSize: 1 }),
      tasks(shared ? { store: shared.tasks } : {}),
    ],
    ...(shared && { stores: shared.stores }),
  });
}

/** The single instance. */
export const server = everything();
