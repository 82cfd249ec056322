/** What servers offer: prompts, resources and tools, and the content blocks of their results. */
import type { JsonObject } from '../jsonrpc/message';
import type { Annotations, CacheHints, Icon, Meta, Page, Role } from './metadata';

/** Plain text. */
export interface TextContent {
  readonly type: 'text';
  readonly text: string;
  readonly annotations?: Annotations;
  readonly _meta?: Meta;
}

/** A picture, base64. */
export interface ImageContent {
  readonly type: 'image';
  readonly data: string;
  readonly mimeType: string;
  readonly annotations?: Annotations;
  readonly _meta?: Meta;
}

/** Sound, base64. */
export interface AudioContent {
  readonly type: 'audio';
  readonly data: string;
  readonly mimeType: string;
  readonly annotations?: Annotations;
  readonly _meta?: Meta;
}

/** A pointer to a resource that the client may read; it need not be listed. */
export interface ResourceLink extends Resource {
  readonly type: 'resource_link';
}

/** A resource with its contents. */
export interface EmbeddedResource {
  readonly type: 'resource';
  readonly resource: ResourceContents;
  readonly annotations?: Annotations;
  readonly _meta?: Meta;
}

/** One block of content. */
export type ContentBlock = TextContent | ImageContent | AudioContent | ResourceLink | EmbeddedResource;

// Prompts and their messages.

/** What is being completed. */
export type CompletionReference =
  { readonly type: 'ref/prompt'; readonly name: string } | { readonly type: 'ref/resource'; readonly uri: string };

/** Parameters of `completion/complete`. */
export interface CompleteParams {
  readonly ref: CompletionReference;
  readonly argument: { readonly name: string; readonly value: string };
  /** Arguments that were filled in before. */
  readonly previous: Readonly<Record<string, string>>;
}

/** Result of `completion/complete`. */
export interface CompleteResult {
  readonly completion: {
    /** At most 100. */
    readonly values: readonly string[];
    readonly total?: number;
    readonly hasMore?: boolean;
  };
  readonly _meta?: Meta;
}

/** One argument of a prompt; its value is always a string on the wire. */
export interface PromptArgument {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly required?: boolean;
}

/** A prompt as it is listed. */
export interface Prompt {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly arguments?: readonly PromptArgument[];
  readonly icons?: readonly Icon[];
  readonly _meta?: Meta;
}

/** Parameters of `prompts/get`. */
export interface GetPromptParams {
  readonly name: string;
  readonly arguments: Readonly<Record<string, string>>;
}

/** One message of a prompt. */
export interface PromptMessage {
  readonly role: Role;
  readonly content: ContentBlock;
}

/** Result of `prompts/list`. */
export interface ListPromptsResult extends Page, Partial<CacheHints> {
  readonly prompts: readonly Prompt[];
  readonly _meta?: Meta;
}

/** Result of `prompts/get`. */
export interface GetPromptResult {
  readonly description?: string;
  readonly messages: readonly PromptMessage[];
  readonly _meta?: Meta;
}

// Resources, their templates and their contents.

/** Something that can be read under a URI. */
export interface Resource {
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  /** Bytes, before any encoding. */
  readonly size?: number;
  readonly annotations?: Annotations;
  readonly icons?: readonly Icon[];
  readonly _meta?: Meta;
}

/** Many resources under an RFC 6570 template. */
export interface ResourceTemplate {
  readonly uriTemplate: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  readonly annotations?: Annotations;
  readonly icons?: readonly Icon[];
  readonly _meta?: Meta;
}

/** One piece of what is under a URI: text, or a base64 blob. */
export interface ResourceContents {
  readonly uri: string;
  readonly mimeType?: string;
  readonly text?: string;
  readonly blob?: string;
  readonly _meta?: Meta;
}

/** Parameters of `resources/read`, `resources/subscribe` and `resources/unsubscribe`. */
export interface ResourceUriParams {
  readonly uri: string;
}

/** Result of `resources/list`. */
export interface ListResourcesResult extends Page, Partial<CacheHints> {
  readonly resources: readonly Resource[];
  readonly _meta?: Meta;
}

/** Result of `resources/templates/list`. */
export interface ListResourceTemplatesResult extends Page, Partial<CacheHints> {
  readonly resourceTemplates: readonly ResourceTemplate[];
  readonly _meta?: Meta;
}

/** Result of `resources/read`. */
export interface ReadResourceResult extends Partial<CacheHints> {
  readonly contents: readonly ResourceContents[];
  readonly _meta?: Meta;
}

// Tools and their results.

/** Untrusted hints about what a tool does. */
export interface ToolAnnotations {
  readonly title?: string;
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/** A tool as it is listed. */
export interface Tool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  /** JSON Schema with `type: "object"` at its root. */
  readonly inputSchema: object;
  /** Any JSON Schema 2020-12; a revision that wants an object root writes `{ result: ... }`. */
  readonly outputSchema?: object;
  readonly annotations?: ToolAnnotations;
  readonly icons?: readonly Icon[];
  readonly _meta?: Meta;
}

/** Parameters of `tools/call`. */
export interface CallToolParams {
  readonly name: string;
  readonly arguments: JsonObject;
}

/** Result of `tools/list`. */
export interface ListToolsResult extends Page, Partial<CacheHints> {
  readonly tools: readonly Tool[];
  readonly _meta?: Meta;
}

/** Result of `tools/call`. */
export interface CallToolResult {
  readonly content: readonly ContentBlock[];
  /** Any JSON value; a revision that wants an object writes `{ result: ... }`. */
  readonly structuredContent?: unknown;
  /**
   * Never travels. What the root of the tool's output schema allows, as `isObjectRooted` says: with `any`, a revision
   * that wants an object wraps every value, even an object, because it lists the schema wrapped. Absent (a tool without
   * an output schema): only values that are no objects are wrapped.
   */
  readonly structuredRoot?: 'object' | 'any';
  /**
   * Never sent as a member of its own. The JSON text of `structuredContent`, from the code that wrote the content last; code that
   * changes the content leaves this out.
   */
  readonly structuredText?: string;
  readonly isError: boolean;
  readonly _meta?: Meta;
}
