/** The types of a view, from the class with the tools: what reaches a page is JSON. */
import type { McpContext, ToolResult } from '@sigil-mcp/core';

/** The names of the methods of a feature; those of its tools, unless `@Tool({ name })` changes them. */
export type ToolOf<F extends object> = {
  [K in keyof F & string]: F[K] extends (...args: never[]) => unknown ? K : never;
}[keyof F & string];

/** A value as JSON has it: a date is a text, a Map an object, a Set an array, and methods are left out. */
export type OnWire<T> = unknown extends T
  ? unknown
  : T extends Date
    ? string
    : T extends ReadonlyMap<string, infer V>
      ? { readonly [key: string]: OnWire<V> }
      : T extends ReadonlySet<infer V>
        ? readonly OnWire<V>[]
        : T extends readonly unknown[]
          ? { readonly [K in keyof T]: OnWire<T[K]> }
          : T extends object
            ? { readonly [K in keyof T as T[K] extends (...args: never[]) => unknown ? never : K]: OnWire<T[K]> }
            : T;

/** The arguments of a tool. */
export type ArgumentsOfTool<F extends object, T extends ToolOf<F>> = F[T] extends (...args: infer P) => unknown
  ? P extends readonly [infer A, ...unknown[]]
    ? ArgumentsOf<A>
    : NoArguments
  : NoArguments;

type ArgumentsOf<A> = unknown extends A
  ? Readonly<Record<string, unknown>>
  : A extends McpContext
    ? NoArguments
    : OnWire<A>;

/** The arguments of a tool without parameters. */
export type NoArguments = Readonly<Record<string, never>>;

/** Arguments that a model has not finished writing. */
export type PartialArguments<A> = A extends object ? { readonly [K in keyof A]?: PartialArguments<A[K]> } : A;

/** The data that a tool returns; `unknown` if it returns a `toolResult()`, and undefined for text and bytes. */
export type DataOfTool<F extends object, T extends ToolOf<F>> = F[T] extends (...args: never[]) => infer R
  ? DataOf<Exclude<Awaited<R>, ToolResult>>
  : unknown;

type DataOf<R> = [R] extends [never]
  ? unknown
  : R extends string | number | boolean | Uint8Array | undefined
    ? undefined
    : OnWire<R>;
