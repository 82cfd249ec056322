/** The types of one entry for clients: what it takes, what it returns, what it may ask. */
import type { Infer, InferReturned, SchemaSource, StandardSchema } from '@sigil-mcp/schema';
import type { AskedBy, McpContext } from '../context/mcp-context';
import type { ResourceContentsList } from '../output/content-blocks';
import type { ToolResult } from '../output/results';
import type { JsonValue } from '@sigil-mcp/protocol';
import type { PromptData } from '../kinds/prompt';
import type { ResourceData } from '../kinds/resource';
import type { ToolData } from '../kinds/tool';

declare const typed: unique symbol;

/** Never there: the types of an entry, for `ClientOf`. */
interface Typed<Types> {
  readonly [typed]?: Types;
}

/** A tool that is a function, made by `tool`. */
export interface TypedTool<Types> extends ToolData, Typed<Types> {}

/** A resource that is a function, made by `resource`. */
export interface TypedResource<Types> extends ResourceData, Typed<Types> {}

/** A prompt that is a function, made by `prompt`. */
export interface TypedPrompt<Types> extends PromptData, Typed<Types> {}

/** A value as JSON has it: a date is a text, a Map an object, a Set an array, and methods are left out. */
export type OnWire<T> = unknown extends T
  ? unknown
  : T extends string
    ? `${T}` // The members of an enum are texts.
    : T extends JsonValue | undefined
      ? T
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

/** The arguments of an entry that takes none. */
export type NoArguments = Readonly<Record<string, never>>;

/** What a client sends to an entry, what it receives, and what it may be asked meanwhile. All of it exists for the compiler only. */
export interface NamedTypes<N extends string, A, D, Q> {
  /** The name of a tool or prompt, the name or URI of a resource. */
  readonly name: N;
  /** The arguments of a tool or prompt, the variables of a template. */
  readonly arguments: A;
  /** The data that is returned; undefined for text and bytes, `unknown` if nothing is known of it. */
  readonly data: D;
  /** The data of forms and the kinds of other questions; `never` if it asks nothing, `unknown` if that is not declared. */
  readonly asks: Q;
}

/** The arguments of a method: the type of the parameter that is not the context. */
export type ArgumentsOfMethod<M> = M extends (...args: infer P) => unknown ? ArgumentsIn<P> : never;

type ArgumentsIn<P> = P extends readonly []
  ? NoArguments
  : P extends readonly [infer First, ...infer Rest]
    ? unknown extends First
      ? Readonly<Record<string, unknown>>
      : First extends McpContext<never>
        ? ArgumentsIn<Rest>
        : OnWire<First>
    : NoArguments;

/** The questions of a method: those that the type of its context declares; `never` if it has no context. */
export type AskedByMethod<M> = M extends (...args: infer P) => unknown ? AskedIn<P> : never;

type AskedIn<P> = P extends readonly [infer First, ...infer Rest]
  ? First extends McpContext<never>
    ? unknown extends First
      ? AskedIn<Rest>
      : AskedBy<First>
    : AskedIn<Rest>
  : never;

/** The data in a return value: `undefined` for text, blocks and bytes, and `unknown` if all of it is a `toolResult()` or `contents()`. */
export type DataOfReturn<R> = WireData<Exclude<Awaited<R>, ToolResult | ResourceContentsList>>;

type WireData<R> = [R] extends [never]
  ? unknown
  : [R] extends [string | number | boolean | Uint8Array | undefined | void]
    ? undefined
    : OnWire<R>;

/** What a client sends for an input: what the schema accepts, or the properties of the class. */
export type ArgumentsOfInput<I> = [I] extends [never]
  ? NoArguments
  : I extends StandardSchema
    ? OnWire<InferReturned<I>>
    : OnWire<Infer<I>>;

/** What a client receives for an output; without one, what the handler returns. */
export type DataOfOutput<O, R> = [O] extends [never] ? DataOfReturn<R> : OnWire<Infer<O>>;

/** The data of the forms that an entry declares with `asks`; `unknown` without it. */
export type AskedByForms<F> = [F] extends [never]
  ? unknown
  : F extends readonly (infer Form)[]
    ? OnWire<Infer<Form & SchemaSource>>
    : unknown;
