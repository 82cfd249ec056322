/** `@Tool`: makes a method a tool that a model can call. */
import type { Icon, Meta } from '@sigil-mcp/protocol';
import type { ToolResult } from '../output/tool-result';
import type { FormSource, InferReturned, SchemaSource } from '../schema/infer';
import { addMemberFact, factKind } from '../facts/facts';
import type { HandlerOf, MethodDecoratorOf } from './method-decorator';

/** What a tool may say beside its description. */
export interface ToolOptions {
  /** What clients call it by, 1 to 128 of `A-Z a-z 0-9 _ - .`; the method's name if left out. */
  readonly name?: string;
  /** A label for people; clients show the name if left out. */
  readonly title?: string;
  /**
   * Class of its arguments, where the compiler emits no parameter types, or a schema in place of a class: of zod, arktype or
   * valibot, or a raw JSON Schema; the type of the parameter if left out.
   */
  readonly input?: SchemaSource;
  /**
   * What the tool returns, as a class or a schema: fields that the class does not declare are stripped, the rest is validated; of
   * what a schema makes of it. If left out, what it returns is neither listed nor checked.
   * @example output: Forecast
   */
  readonly output?: SchemaSource;
  /**
   * Whether it changes nothing. A hint, like the next three, and only listed if given; clients take false if left out.
   * @example readOnly: true
   */
  readonly readOnly?: boolean;
  /** Whether it may destroy or overwrite something; clients take true if left out. */
  readonly destructive?: boolean;
  /** Whether a second call with the same arguments does nothing more; clients take false if left out. */
  readonly idempotent?: boolean;
  /** Whether it deals with things outside the server, such as the web; clients take true if left out. */
  readonly openWorld?: boolean;
  /** Converts arguments of a wrong type where that is unambiguous (`"3"` for a number); off by default. */
  readonly coerce?: boolean;
  /**
   * Milliseconds that a call may take, while the client is asked not counted; then `context.signal` fires and the call is
   * answered with `isError: true`. `createServer({ toolTimeout })` if left out; `Infinity` for no limit.
   * @example timeout: 10_000
   */
  readonly timeout?: number;
  /** Calls that run at the same time; those beyond it wait, within their time limit. Any number if left out. */
  readonly concurrency?: number;
  /**
   * The forms that it may ask users to fill in: a mistake in one is found when the server starts, not when it is asked. None if left
   * out.
   */
  readonly asks?: readonly FormSource[];
  /** MIME type of the bytes that the tool returns; `application/octet-stream` if left out. */
  readonly mimeType?: string;
  /** Pictures that clients show for it; none if left out. */
  readonly icons?: readonly Icon[];
  /** What it is listed with as `_meta`; nothing if left out. */
  readonly meta?: Meta;
}

/** The schemas of a tool, for the compiler; `ToolOptions` has more about them. */
export interface Schemas<I, O> {
  /**
   * What the tool takes: a class, or a schema of zod, arktype or valibot, or a raw JSON Schema; the type of the parameter if left out.
   * @example input: ForecastQuery
   */
  readonly input?: I;
  /**
   * What the tool returns, as a class or a schema: it is listed, and what the method returns is written and checked by it. If left
   * out, what it returns is neither listed nor checked.
   * @example output: Forecast
   */
  readonly output?: O;
}

/** Written by `@Tool`. */
export interface ToolFact {
  readonly description: string;
  readonly options: ToolOptions;
}

/** The tools of a class. */
export const TOOL = factKind<ToolFact>('tool');

/** What a tool with this output returns, now or later, unless it says its result part by part; anything where none is known. */
export type ToolReturn<O> = [O] extends [never]
  ? unknown
  : InferReturned<O> | ToolResult | Promise<InferReturned<O> | ToolResult>;

/**
 * Makes a method a tool. The description comes first, because the model reads it. What the method throws becomes a result with
 * `isError: true`, a `ToolFailure` word for word, others masked; a `ProtocolError` or a `Denial` stays an error.
 *
 * Text, numbers and booleans it returns become text; a block, or an array of text and blocks, is content; bytes are what `mimeType`
 * says. All else is data: a Map is an object, a Set an array, and what JSON cannot say (a function, `NaN`, bytes among data) is
 * an `InvalidOutput` that names its place.
 * @param description what the tool does and when to call it, for the model
 * @example
 * ```@Tool('Forecast for a city', { output: Forecast, readOnly: true }) forecast({ city }: Query): Promise<Forecast> { ... }```
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/tools
 */
export function Tool<const I extends SchemaSource = never, const O extends SchemaSource = never>(
  description: string,
  options: Omit<ToolOptions, 'input' | 'output'> & Schemas<I, O> = {},
): MethodDecoratorOf<HandlerOf<I, ToolReturn<O>>> {
  return (prototype, member) => addMemberFact(TOOL, prototype, member, { description, options });
}
