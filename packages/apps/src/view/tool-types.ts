/** The types of a view, from the class with the tools: what reaches a page is JSON. */
import type { ArgumentsOfMethod, DataOfReturn } from '@sigil-mcp/core';

/** The names of the methods of a feature; those of its tools, unless `@Tool({ name })` changes them. */
export type ToolOf<F extends object> = {
  [K in keyof F & string]: F[K] extends (...args: never[]) => unknown ? K : never;
}[keyof F & string];

/** The arguments of a tool. */
export type ArgumentsOfTool<F extends object, T extends ToolOf<F>> = ArgumentsOfMethod<F[T]>;

/** Arguments that a model has not finished writing. */
export type PartialArguments<A> = A extends object ? { readonly [K in keyof A]?: PartialArguments<A[K]> } : A;

/** The data that a tool returns; `unknown` if it returns a `toolResult()`, and undefined for text and bytes. */
export type DataOfTool<F extends object, T extends ToolOf<F>> = F[T] extends (...args: never[]) => infer R
  ? DataOfReturn<R>
  : unknown;
