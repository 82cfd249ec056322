/** The return types of the client's methods: the received JSON, with types for members that are always or often there. */
import type { JsonObject, JsonValue } from '@sigil-mcp/protocol';

/** The members that every result may have. */
export interface Answer extends JsonObject {
  /** `input_required` where the server asks, and the result has nothing else yet. */
  readonly resultType?: string;
  /** The questions of the server, by key. */
  readonly inputRequests?: Readonly<Record<string, { readonly method: string; readonly params?: JsonObject }>>;
  readonly requestState?: string;
}

/** A block of content of any type. */
export interface Block extends JsonObject {
  readonly type?: string;
  readonly text?: string;
  /** Base64. */
  readonly data?: string;
  readonly mimeType?: string;
}

/** The result of a tool. */
export interface CallToolAnswer extends Answer {
  readonly content: Block[];
  /** Absent on revisions that do not have it. */
  readonly structuredContent?: JsonValue;
  readonly isError?: boolean;
}

/** An entry of a list. */
export interface ListedEntry extends JsonObject {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
}

/** A page of a list. */
export interface ListAnswer extends Answer {
  readonly nextCursor?: string;
}

/** Result of `tools/list`. */
export interface ListToolsAnswer extends ListAnswer {
  readonly tools: (ListedEntry & { readonly inputSchema: JsonObject })[];
}

/** Result of `resources/list`. */
export interface ListResourcesAnswer extends ListAnswer {
  readonly resources: (ListedEntry & { readonly uri: string })[];
}

/** Result of `resources/templates/list`. */
export interface ListTemplatesAnswer extends ListAnswer {
  readonly resourceTemplates: (ListedEntry & { readonly uriTemplate: string })[];
}

/** Result of `prompts/list`. */
export interface ListPromptsAnswer extends ListAnswer {
  readonly prompts: ListedEntry[];
}

/** Result of `resources/read`. */
export interface ReadResourceAnswer extends Answer {
  readonly contents: (JsonObject & {
    readonly uri: string;
    readonly mimeType?: string;
    readonly text?: string;
    /** Base64. */
    readonly blob?: string;
  })[];
}

/** Result of `prompts/get`. */
export interface GetPromptAnswer extends Answer {
  readonly description?: string;
  readonly messages: (JsonObject & { readonly role: string; readonly content: Block })[];
}

/** Result of `completion/complete`. */
export interface CompleteAnswer extends Answer {
  readonly completion: JsonObject & {
    readonly values: string[];
    readonly total?: number;
    readonly hasMore?: boolean;
  };
}
