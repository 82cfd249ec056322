/** Completion of prompt arguments and of template variables. */
import type { Meta } from './metadata';

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
