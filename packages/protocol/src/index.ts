/** The messages of the Model Context Protocol, and how each revision writes them. */
export { ERROR_CODES, InvalidArguments, ProtocolError, type ErrorName } from './jsonrpc/protocol-error';
export {
  weightOfValue,
  writeBatch,
  writeError,
  writeNotification,
  writeRequest,
  writeResponse,
  writeResult,
  type ErrorObject,
  type InboundBatch,
  type InboundInvalid,
  type InboundMessage,
  type InboundNotification,
  type InboundRequest,
  type InboundResponse,
  type JsonObject,
  type JsonRpcFailure,
  type JsonRpcMessage,
  type JsonRpcNotification,
  type JsonRpcRequest,
  type JsonRpcResult,
  type JsonValue,
  type RequestId,
} from './jsonrpc/message';
export { parseMessage, readMessage, type MessageLimits } from './jsonrpc/parse-message';
export type {
  AudioContent,
  CallToolParams,
  CallToolResult,
  CompleteParams,
  CompleteResult,
  CompletionReference,
  ContentBlock,
  EmbeddedResource,
  GetPromptParams,
  GetPromptResult,
  ImageContent,
  ListPromptsResult,
  ListResourcesResult,
  ListResourceTemplatesResult,
  ListToolsResult,
  Prompt,
  PromptArgument,
  PromptMessage,
  ReadResourceResult,
  Resource,
  ResourceContents,
  ResourceLink,
  ResourceTemplate,
  ResourceUriParams,
  TextContent,
  Tool,
  ToolAnnotations,
} from './model/features';
export { ELICIT_ACTIONS } from './model/server-requests';
export type {
  BooleanField,
  ChoiceField,
  ChoicesField,
  CreateMessageParams,
  CreateMessageResult,
  ElicitFormParams,
  ElicitParams,
  ElicitResult,
  ElicitUrlParams,
  FormField,
  FormSchema,
  InputRequiredResult,
  ListRootsResult,
  ModelPreferences,
  NumberField,
  RequestRetry,
  Root,
  SamplingContent,
  SamplingMessage,
  TextField,
  TitledValue,
  ToolChoice,
  ToolResultContent,
  ToolUseContent,
  WrittenServerRequest,
} from './model/server-requests';
export { CAPABILITY_RULES } from './model/lifecycle';
export type {
  ClientCapabilities,
  DiscoverResult,
  InitializeParams,
  InitializeResult,
  ServerCapabilities,
} from './model/lifecycle';
export { LOG_LEVELS } from './model/notifications';
export type { LogLevel, SetLevelParams } from './model/notifications';
export { META_KEYS } from './model/metadata';
export { IMPLEMENTATION_RULES, METADATA_RULES } from './model/metadata';
export type { Annotations, CacheHints, Icon, Implementation, Meta, Page, Role } from './model/metadata';
export type {
  ChangeNotification,
  ExtensionNotification,
  ProgressToken,
  ServerNotification,
} from './model/notifications';
export type { ListenParams, ListenResult, SubscriptionFilter } from './model/notifications';
export type { EmptyResult, ListParams, NoParams } from './model/metadata';
export { ALL_OPERATIONS, ALL_SERVER_OPERATIONS } from './operations/all-operations';
export type {
  Method,
  Operations,
  ParamsOf,
  ResultOf,
  ServerMethod,
  ServerOperations,
  ServerParamsOf,
  ServerRequest,
  ServerResultOf,
} from './operations/all-operations';
export type { NotificationCodec, NotificationOperation } from './operations/operation';
export type { Operation, OperationCodec, Wire } from './operations/operation';
export { TypedResult } from './operations/operation';
export type { ResultType } from './operations/operation';
export type { ServerOperation, ServerOperationCodec } from './operations/operation';
export {
  ALL_REVISIONS,
  ALL_RULES,
  HANDSHAKE_REVISIONS,
  NEWEST_HANDSHAKE_REVISION,
  NEWEST_PER_REQUEST_REVISION,
  PER_REQUEST_REVISIONS,
  findRevision,
} from './revisions/all-revisions';
export { compileOperation, SERVER_NOTIFICATIONS } from './revisions/write-results';
export { compileRevision } from './revisions/compile-revision';
export { extendRevision } from './revisions/extend-revision';
export type {
  HttpRules,
  RequestMeta,
  ResultWriter,
  Revision,
  RevisionDelta,
  RevisionHttpRules,
  RevisionRules,
  WrittenFailure,
} from './revisions/revision';
export { isRevision } from './revisions/all-revisions';
export { ServedRevisions } from './revisions/all-revisions';
export { isObjectRooted } from './writing/tool-schemas';
export type { ListenField, MetaKey } from './rules/wire-rules';
