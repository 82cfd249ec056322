/** Requests of a server to its client, as they travel in a result: a form, a page, a sample, its roots. */
import type { FormSchema } from '@sigil-mcp/base';
import type { JsonObject } from '../jsonrpc/message';
import type { AudioContent, ContentBlock, ImageContent, TextContent, Tool } from './features';
import type { Meta, Role } from './metadata';

// Asking the user through the client: a form, or a page under a URL.

export type {
  BooleanField,
  ChoiceField,
  ChoicesField,
  FormField,
  FormSchema,
  NumberField,
  TextField,
  TitledValue,
} from '@sigil-mcp/base';

/** Parameters of `elicitation/create` with a form. */
export interface ElicitFormParams {
  readonly mode: 'form';
  readonly message: string;
  readonly requestedSchema: FormSchema;
}

/** Parameters of `elicitation/create` with a page that the user opens. */
export interface ElicitUrlParams {
  readonly mode: 'url';
  readonly message: string;
  readonly url: string;
  /** Written only where the revision has it. */
  readonly elicitationId: string;
}

/** Parameters of `elicitation/create`. */
export type ElicitParams = ElicitFormParams | ElicitUrlParams;

/** What a user can do with a question. */
export const ELICIT_ACTIONS = ['accept', 'decline', 'cancel'] as const;

/** Result of `elicitation/create`. */
export interface ElicitResult {
  readonly action: (typeof ELICIT_ACTIONS)[number];
  /** As it came, not yet compared with the form; only with `accept`, and only of a form. */
  readonly content?: JsonObject;
}

/** A directory or file that the client works in. */
export interface Root {
  /** A `file://` URI. */
  readonly uri: string;
  readonly name?: string;
  readonly _meta?: Meta;
}

/** Result of `roots/list`. */
export interface ListRootsResult {
  readonly roots: readonly Root[];
}

/** The model wants a tool to be called. */
export interface ToolUseContent {
  readonly type: 'tool_use';
  readonly id: string;
  readonly name: string;
  readonly input: JsonObject;
  readonly _meta?: Meta;
}

/** What came of a tool that the model wanted. */
export interface ToolResultContent {
  readonly type: 'tool_result';
  readonly toolUseId: string;
  readonly content: readonly ContentBlock[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
  readonly _meta?: Meta;
}

/** One block of a sampling message. */
export type SamplingContent = TextContent | ImageContent | AudioContent | ToolUseContent | ToolResultContent;

/** A message to a model, or of one. */
export interface SamplingMessage {
  readonly role: Role;
  readonly content: readonly SamplingContent[];
  readonly _meta?: Meta;
}

/** Which model the client should take; it decides. */
export interface ModelPreferences {
  /** In order of preference; parts of names. */
  readonly hints?: readonly { readonly name?: string }[];
  /** 0 to 1. */
  readonly costPriority?: number;
  /** 0 to 1. */
  readonly speedPriority?: number;
  /** 0 to 1. */
  readonly intelligencePriority?: number;
}

/** Whether the model may call tools. */
export interface ToolChoice {
  readonly mode?: 'auto' | 'required' | 'none';
}

/** Parameters of `sampling/createMessage`. */
export interface CreateMessageParams {
  readonly messages: readonly SamplingMessage[];
  readonly maxTokens: number;
  /** Instructions that the model receives before the messages; the client decides if left out. */
  readonly systemPrompt?: string;
  /** Which model fits best, as hints and weights; the client decides if left out. */
  readonly modelPreferences?: ModelPreferences;
  /** How much the model may vary its words; the client decides if left out. */
  readonly temperature?: number;
  /** Texts at which the model stops; none if left out. */
  readonly stopSequences?: readonly string[];
  /** For the provider of the model; none if left out. */
  readonly metadata?: JsonObject;
  /** Tools that the model may ask for, where the client has declared that it can; none if left out. */
  readonly tools?: readonly Tool[];
  /** Whether the model has to ask for a tool; it chooses if left out. */
  readonly toolChoice?: ToolChoice;
}

/** Result of `sampling/createMessage`. */
export interface CreateMessageResult extends SamplingMessage {
  /** The name of the model. */
  readonly model: string;
  /** `endTurn`, `stopSequence`, `maxTokens`, `toolUse`, or a word of the provider. */
  readonly stopReason?: string;
}

/** A request of the server as a revision writes it, without the members that only a message has. */
export interface WrittenServerRequest {
  readonly method: string;
  readonly params?: JsonObject;
}

/** The result that asks instead of answering: the client answers and sends its request again. */
export interface InputRequiredResult {
  /** Key -> question; empty is left out. */
  readonly inputRequests: Readonly<Record<string, WrittenServerRequest>>;
  /** Opaque to the client, which sends it back as it is. */
  readonly requestState?: string;
}

/** What a request brings that was sent again after an `InputRequiredResult`. */
export interface RequestRetry {
  /** Key of the question -> the result it was answered with, as it came. */
  readonly inputResponses: Readonly<Record<string, JsonObject>>;
  readonly requestState: string | undefined;
}
