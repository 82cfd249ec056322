/** Prompts and their messages. */
import type { ContentBlock } from './content';
import type { CacheHints, Icon, Meta, Page, Role } from './metadata';

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
