/** What differs between revisions in how one value travels: the part of a revision's rules that operations are compiled with. */
import type { JsonValue } from '../jsonrpc/message';
import type {
  AudioContent,
  CallToolResult,
  CompleteResult,
  EmbeddedResource,
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
  TextContent,
  Tool,
  ToolAnnotations,
} from '../model/features';
import type { DiscoverResult, InitializeResult, ServerCapabilities } from '../model/lifecycle';
import type { Annotations, EmptyResult, Icon, Implementation } from '../model/metadata';
import type { ListenResult, ServerNotification } from '../model/notifications';
import type {
  CreateMessageParams,
  ElicitFormParams,
  ElicitUrlParams,
  SamplingMessage,
  ToolResultContent,
  ToolUseContent,
} from '../model/server-requests';

/** One key. `T` is the type of its value. */
export interface MetaKey<T = unknown> {
  /** With its prefix, such as `com.example/priority`. */
  readonly name: string;
  /**
   * Reads the value of a client. Throws `ProtocolError('invalid-params')`.
   * @param at the object that contains the key, for the error
   */
  read(value: JsonValue, at: string): T;
}

/** One field. `T` is what a client wants under it. */
export interface ListenField<T extends JsonValue = JsonValue> {
  /** Its name, such as `taskIds`. */
  readonly name: string;
  /**
   * Reads the value of a client. Throws `ProtocolError('invalid-params')`.
   * @param at the object that contains the field, for the error
   */
  read(value: JsonValue, at: string): T;
}

/** How a revision writes and reads values. */
export interface WireRules {
  /** The date of the revision. */
  readonly version: string;
  /** The fields of a form: all kinds, or only text, numbers, booleans and single choices as 2025-06-18 writes them. */
  readonly formFields: 'plain' | 'rich';
  /** The members of each noun; what is not here is not written. A kind of content without an entry becomes text. */
  readonly fields: FieldTable;
  /**
   * What the schema of a tool's output, and so its structured content, may be: only an object at the root (others are
   * wrapped as `{ result }`), or any JSON. `object` also means that the properties of a listed schema are objects,
   * never `true` or `false`.
   */
  readonly toolSchemas: 'object' | 'any';
  /** How tool arguments that do not fit are reported: as an error, or as a result that a model can learn from. */
  readonly invalidToolArguments: 'error' | 'result';
  /** What the filter of `subscriptions/listen` may have besides the fields of the specification. */
  readonly listenFields: readonly ListenField[];
}

// The nouns whose members differ between revisions, under the names of the official schemas: which type of the model
// each one is, and which members hold other nouns. The revisions' field tables are checked against this.

type ServerNotificationOf<M extends ServerNotification['method']> = Extract<ServerNotification, { readonly method: M }>;

/** Noun -> what it is in the model. */
interface Nouns {
  Annotations: Annotations;
  Icon: Icon;
  Implementation: Implementation;
  ServerCapabilities: ServerCapabilities;
  TextContent: TextContent;
  ImageContent: ImageContent;
  AudioContent: AudioContent;
  ResourceLink: ResourceLink;
  EmbeddedResource: EmbeddedResource;
  Tool: Tool;
  ToolAnnotations: ToolAnnotations;
  Resource: Resource;
  ResourceTemplate: ResourceTemplate;
  ResourceContents: ResourceContents;
  Prompt: Prompt;
  PromptArgument: PromptArgument;
  PromptMessage: PromptMessage;
  CompleteRequestParams: { readonly ref: unknown; readonly argument: unknown; readonly context: unknown };
  EmptyResult: EmptyResult;
  InitializeResult: InitializeResult;
  DiscoverResult: DiscoverResult;
  ListToolsResult: ListToolsResult;
  CallToolResult: CallToolResult;
  ListResourcesResult: ListResourcesResult;
  ListResourceTemplatesResult: ListResourceTemplatesResult;
  ReadResourceResult: ReadResourceResult;
  ListPromptsResult: ListPromptsResult;
  GetPromptResult: GetPromptResult;
  CompleteResult: CompleteResult;
  SubscriptionsListenResult: ListenResult;
  ProgressNotificationParams: ServerNotificationOf<'notifications/progress'>;
  LoggingMessageNotificationParams: ServerNotificationOf<'notifications/message'>;
  CancelledNotificationParams: ServerNotificationOf<'notifications/cancelled'>;
  ResourceUpdatedNotificationParams: ServerNotificationOf<'notifications/resources/updated'>;
  SubscriptionsAcknowledgedNotificationParams: ServerNotificationOf<'notifications/subscriptions/acknowledged'>;
  ElicitationCompleteNotificationParams: ServerNotificationOf<'notifications/elicitation/complete'>;
  ElicitRequestFormParams: ElicitFormParams;
  ElicitRequestURLParams: ElicitUrlParams;
  CreateMessageRequestParams: CreateMessageParams;
  /** `content` is written separately. */
  SamplingMessage: SamplingMessage;
  ToolUseContent: ToolUseContent;
  ToolResultContent: ToolResultContent;
}

/** The name of a noun. */
export type Noun = keyof Nouns;

/** Noun -> its members. A noun that is not in the table of a revision is unknown to it. */
export type FieldTable = { readonly [N in Noun]?: readonly (keyof Nouns[N] & string)[] };

/** Members that hold another noun, or an array of it. `ContentBlock` stands for the noun of its own `type`. */
export const PARTS: { readonly [N in Noun]?: { readonly [F in keyof Nouns[N]]?: Noun | 'ContentBlock' } } = {
  Implementation: { icons: 'Icon' },
  TextContent: { annotations: 'Annotations' },
  ImageContent: { annotations: 'Annotations' },
  AudioContent: { annotations: 'Annotations' },
  ResourceLink: { annotations: 'Annotations', icons: 'Icon' },
  EmbeddedResource: { annotations: 'Annotations', resource: 'ResourceContents' },
  Tool: { annotations: 'ToolAnnotations', icons: 'Icon' },
  Resource: { annotations: 'Annotations', icons: 'Icon' },
  ResourceTemplate: { annotations: 'Annotations', icons: 'Icon' },
  Prompt: { arguments: 'PromptArgument', icons: 'Icon' },
  PromptMessage: { content: 'ContentBlock' },
  InitializeResult: { capabilities: 'ServerCapabilities', serverInfo: 'Implementation' },
  DiscoverResult: { capabilities: 'ServerCapabilities' },
  ListToolsResult: { tools: 'Tool' },
  CallToolResult: { content: 'ContentBlock' },
  ListResourcesResult: { resources: 'Resource' },
  ListResourceTemplatesResult: { resourceTemplates: 'ResourceTemplate' },
  ReadResourceResult: { contents: 'ResourceContents' },
  ListPromptsResult: { prompts: 'Prompt' },
  GetPromptResult: { messages: 'PromptMessage' },
  CreateMessageRequestParams: { tools: 'Tool' },
  ToolResultContent: { content: 'ContentBlock' },
};
