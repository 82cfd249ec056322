/**
 * Structured output, elicitation, resource links, titles, `_meta` nearly everywhere, completion context, the version header; batches
 * were removed.
 * @see https://modelcontextprotocol.io/specification/2025-06-18/changelog
 */
import { ELICITATION_CREATE } from '../operations/elicitation-create';
import { RULES_2025_03_26 } from './2025-03-26';
import { extendRevision } from './extend-revision';

/** 2025-03-26, and what 2025-06-18 changed. */
export const RULES_2025_06_18 = extendRevision(RULES_2025_03_26, {
  version: '2025-06-18',
  batches: false,
  adds: {
    serverRequests: [ELICITATION_CREATE],
    fields: {
      Implementation: ['title'],
      Annotations: ['lastModified'],

      TextContent: ['_meta'],
      ImageContent: ['_meta'],
      AudioContent: ['_meta'],
      EmbeddedResource: ['_meta'],
      ResourceLink: ['type', 'uri', 'name', 'title', 'description', 'mimeType', 'size', 'annotations', '_meta'],

      Tool: ['title', 'outputSchema', '_meta'],
      Resource: ['title', '_meta'],
      ResourceTemplate: ['title', '_meta'],
      ResourceContents: ['_meta'],
      Prompt: ['title', '_meta'],
      PromptArgument: ['title'],

      CompleteRequestParams: ['context'],
      ElicitRequestFormParams: ['message', 'requestedSchema'],
      CallToolResult: ['structuredContent'],
    },
  },
  http: { versionHeader: true },
});
