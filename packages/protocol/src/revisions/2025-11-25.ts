/**
 * Icons, descriptions of implementations, elicitation with a URL and with every kind of field, sampling with tools, invalid
 * tool arguments as results, SSE streams that may be polled.
 * @see https://modelcontextprotocol.io/specification/2025-11-25/changelog
 */
import { RULES_2025_06_18 } from './2025-06-18';
import { extendRevision } from './extend-revision';

/** 2025-06-18, and what 2025-11-25 changed. */
export const RULES_2025_11_25 = extendRevision(RULES_2025_06_18, {
  version: '2025-11-25',
  adds: {
    fields: {
      Icon: ['src', 'mimeType', 'sizes', 'theme'],
      Implementation: ['description', 'websiteUrl', 'icons'],
      ResourceLink: ['icons'],
      Tool: ['icons'],
      Resource: ['icons'],
      ResourceTemplate: ['icons'],
      Prompt: ['icons'],

      ElicitRequestFormParams: ['mode'],
      ElicitRequestURLParams: ['mode', 'message', 'url', 'elicitationId'],
      ElicitationCompleteNotificationParams: ['elicitationId'],
      SamplingMessage: ['_meta'],
      CreateMessageRequestParams: ['tools', 'toolChoice'],
      ToolUseContent: ['type', 'id', 'name', 'input', '_meta'],
      ToolResultContent: ['type', 'toolUseId', 'content', 'structuredContent', 'isError', '_meta'],
    },
  },
  formFields: 'rich',
  invalidToolArguments: 'result',
  // The schema makes the id of an error response optional, and leaves no room for null.
  unreadableId: undefined,
  http: { polling: true },
});
