/**
 * The nouns whose members differ between revisions, under the names of the official schemas: which type of the model
 * each one is, and which members hold other nouns. The revisions' field tables are checked against this.
 */
import type {
  CreateMessageParams,
  ElicitFormParams,
  ElicitUrlParams,
  SamplingMessage,
  ToolResultContent,
  ToolUseContent,
} from '../model/server-requests';
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
import type { Annotations, Icon, Implementation, EmptyResult } from '../model/metadata';
import type { ServerNotification, ListenResult } from '../model/notifications';

type ServerNotificationOf<M extends ServerNotification['method']> = Extract<ServerNotification, { readonly method: M }>;

/** Noun -> what it is in the model. */
export interface Nouns {
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
