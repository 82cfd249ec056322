/**
 * Streamable HTTP, batches, tool annotations, audio, the completions capability.
 * @see https://modelcontextprotocol.io/specification/2025-03-26/changelog
 */
import { RULES_2024_11_05 } from './2024-11-05';
import { extendRevision } from './extend-revision';

/** 2024-11-05, and what 2025-03-26 changed. */
export const RULES_2025_03_26 = extendRevision(RULES_2024_11_05, {
  version: '2025-03-26',
  batches: true,
  adds: {
    fields: {
      ServerCapabilities: ['completions'],
      AudioContent: ['type', 'data', 'mimeType', 'annotations'],
      Tool: ['annotations'],
      ToolAnnotations: ['title', 'readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'],
      ProgressNotificationParams: ['message'],
    },
  },
});
