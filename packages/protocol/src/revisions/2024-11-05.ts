/**
 * The first revision: all others are defined by their differences from it.
 * @see https://modelcontextprotocol.io/specification/2024-11-05
 */
import { INITIALIZE, PING, LOGGING_SET_LEVEL } from '../operations/lifecycle';
import {
  COMPLETION_COMPLETE,
  PROMPTS_GET,
  PROMPTS_LIST,
  RESOURCES_LIST,
  RESOURCES_READ,
  RESOURCES_SUBSCRIBE,
  RESOURCES_TEMPLATES_LIST,
  RESOURCES_UNSUBSCRIBE,
  TOOLS_CALL,
  TOOLS_LIST,
} from '../operations/features';
import { ROOTS_LIST } from '../operations/all-operations';
import { SAMPLING_CREATE_MESSAGE } from '../operations/sampling-create-message';
import type { RevisionRules } from './revision';

/** All of its rules; later revisions change some of them. */
export const RULES_2024_11_05: RevisionRules = {
  version: '2024-11-05',
  lifecycle: 'handshake',
  batches: false,

  requests: [
    INITIALIZE,
    PING,
    TOOLS_LIST,
    TOOLS_CALL,
    RESOURCES_LIST,
    RESOURCES_TEMPLATES_LIST,
    RESOURCES_READ,
    RESOURCES_SUBSCRIBE,
    RESOURCES_UNSUBSCRIBE,
    PROMPTS_LIST,
    PROMPTS_GET,
    COMPLETION_COMPLETE,
    LOGGING_SET_LEVEL,
  ],
  notifications: [
    'notifications/initialized',
    'notifications/cancelled',
    'notifications/progress',
    'notifications/roots/list_changed',
  ],

  clientNotifications: [],
  serverNotifications: [],
  metaKeys: [],
  resultTypes: [],
  listenFields: [],
  // It has no error for a capability that is missing: to such a client, the method does not exist.
  undeclaredExtension: 'method-not-found',

  serverRequests: [SAMPLING_CREATE_MESSAGE, ROOTS_LIST],
  questions: 'requests',
  formFields: 'plain',

  fields: {
    Implementation: ['name', 'version'],
    ServerCapabilities: ['tools', 'resources', 'prompts', 'logging', 'experimental'],
    Annotations: ['audience', 'priority'],

    TextContent: ['type', 'text', 'annotations'],
    ImageContent: ['type', 'data', 'mimeType', 'annotations'],
    EmbeddedResource: ['type', 'resource', 'annotations'],

    Tool: ['name', 'description', 'inputSchema'],
    Resource: ['uri', 'name', 'description', 'mimeType', 'size', 'annotations'],
    ResourceTemplate: ['uriTemplate', 'name', 'description', 'mimeType', 'annotations'],
    ResourceContents: ['uri', 'mimeType', 'text', 'blob'],
    Prompt: ['name', 'description', 'arguments'],
    PromptArgument: ['name', 'description', 'required'],
    PromptMessage: ['role', 'content'],

    CompleteRequestParams: ['ref', 'argument'],

    InitializeResult: ['protocolVersion', 'capabilities', 'serverInfo', 'instructions', '_meta'],
    ListToolsResult: ['tools', 'nextCursor', '_meta'],
    CallToolResult: ['content', 'isError', '_meta'],
    ListResourcesResult: ['resources', 'nextCursor', '_meta'],
    ListResourceTemplatesResult: ['resourceTemplates', 'nextCursor', '_meta'],
    ReadResourceResult: ['contents', '_meta'],
    ListPromptsResult: ['prompts', 'nextCursor', '_meta'],
    GetPromptResult: ['description', 'messages', '_meta'],
    CompleteResult: ['completion', '_meta'],

    ProgressNotificationParams: ['progressToken', 'progress', 'total'],
    LoggingMessageNotificationParams: ['level', 'logger', 'data'],
    CancelledNotificationParams: ['requestId', 'reason'],
    ResourceUpdatedNotificationParams: ['uri'],

    SamplingMessage: ['role', 'content'],
    CreateMessageRequestParams: [
      'messages',
      'modelPreferences',
      'systemPrompt',
      'temperature',
      'maxTokens',
      'stopSequences',
      'metadata',
    ],
  },

  toolSchemas: 'object',
  invalidToolArguments: 'error',
  resultEnvelope: 'bare',

  errorCodes: {
    'parse-error': -32700,
    'invalid-request': -32600,
    'method-not-found': -32601,
    'invalid-params': -32602,
    'internal-error': -32603,
    'resource-not-found': -32002,
    // It does not define these three. A bad header makes a bad request; for a version that is not served its own
    // example of a failed handshake uses -32602, and 2025-11-25 for an elicitation that was not declared.
    'header-mismatch': -32600,
    'missing-client-capability': -32602,
    'unsupported-protocol-version': -32602,
  },
  // JSON-RPC 2.0, section 5: null where the id could not be detected.
  unreadableId: null,

  // It has no Streamable HTTP. One endpoint negotiates every handshake, so its clients get the rules that came next.
  http: {
    requiredHeaders: [],
    nameHeader: false,
    mirrorsArguments: false,
    versionHeader: false,
    sessions: true,
    getStream: true,
    replay: true,
    polling: false,
    disconnectCancels: false,
    // Left open until 2026-07-28; 400 is what clients know from the official servers.
    errorStatus: { [-32700]: 400, [-32600]: 400 },
  },
};
