/** `@Tool`: makes a method a tool that a model can call. */
import type { Icon, Meta } from '@sigil-mcp/protocol';
import type { ToolResult } from '../output/results';
import type { FormSource, InferReturned, SchemaSource } from '@sigil-mcp/schema';
import { addMemberFact, factKind } from '@sigil-mcp/base/facts';
import type { HandlerOf, MethodDecoratorOf } from './method-decorator';

/**
 * The options of a tool, in addition to its description. Packages of extensions add theirs:
 * `declare module '@sigil-mcp/core' { interface ToolOptions { readonly view?: string } }`.
 */
// An interface, because only interfaces can be added to.
// eslint-disable-next-line @typescript-eslint/no-empty-object-type
export interface ToolOptions extends ToolSettings {}

/** The options of a tool that need no extension. */
export interface ToolSettings {
  /** Its name for clients, 1 to 128 of `A-Z a-z 0-9 _ - .`; the method's name if left out. */
  readonly name?: string;
  /** A label for people; clients show the name if left out. */
  readonly title?: string;
  /**
   * Class of its arguments, if the compiler emits no parameter types, or a schema in place of a class: of zod, arktype or
   * valibot, or a raw JSON Schema; the type of the parameter if left out.
   */
  readonly input?: SchemaSource;
  /**
   * The tool's output, as a class or a schema: fields that the class does not declare are stripped, and the rest is validated; for a
   * schema, its output is validated. If left out, the output is neither listed nor checked.
   * @example output: Forecast
   */
  readonly output?: SchemaSource;
  /**
   * Whether it is read-only. A hint, like the next three, and only listed if given; clients take false if left out.
   * @example readOnly: true
   */
  readonly readOnly?: boolean;
  /** Whether it may destroy or overwrite something; clients take true if left out. */
  readonly destructive?: boolean;
  /** Whether a second call with the same arguments has no further effect; clients take false if left out. */
  readonly idempotent?: boolean;
  /** Whether it deals with things outside the server, such as the web; clients take true if left out. */
  readonly openWorld?: boolean;
  /** Converts arguments of a wrong type where that is unambiguous (`"3"` for a number); off by default. */
  readonly coerce?: boolean;
  /**
   * Milliseconds that a call may take, without the time that the client needs to answer questions. After that `context.signal` fires and
   * the call is answered with `isError: true`. `createServer({ toolTimeout })` if left out; `Infinity` for no limit.
   * @example timeout: 10_000
   */
  readonly timeout?: number;
  /**
   * Calls that run at the same time, any number if left out. Further calls wait, for as long as `timeout` allows a call to take, and clients
   * take turns. Over HTTP, one client has at most half of them, rounded up, unless `perClient` says how many.
   * @example concurrency: { calls: 8, perClient: 2 }
   */
  readonly concurrency?: number | { readonly calls: number; readonly perClient?: number };
  /**
   * The forms that it may ask users to fill in: mistakes in them are found when the server starts, not when a question is asked. None if
   * left out.
   */
  readonly asks?: readonly FormSource[];
  /** MIME type of the bytes that the tool returns; `application/octet-stream` if left out. */
  readonly mimeType?: string;
  /** Pictures that clients show for it; none if left out. */
  readonly icons?: readonly Icon[];
  /** Its `_meta` in lists; none if left out. */
  readonly meta?: Meta;
  /**
   * The version of the server in which it appeared, as semantic versioning writes it: clients see it in `_meta`. Not said if left out.
   * @example since: '1.2.0'
   */
  readonly since?: string;
  /**
   * Why it should not be called any more, and what to call instead: models read it after the description, and clients see it in `_meta`. Not
   * deprecated if left out.
   * @example deprecated: 'Use findBook.'
   */
  readonly deprecated?: string;
  /**
   * Its old names, by which it can still be called, but which lists do not show; none if left out. In a module they have its prefix, as the
   * name has.
   * @example replaces: ['lookUp', { name: 'searchBook', arguments: ({ text }) => ({ title: text }) }]
   */
  readonly replaces?: readonly ReplacedTool[];
}

/** An old name of a tool: a name whose calls have the arguments of today, or one with a function that converts them. */
export type ReplacedTool = string | RenamedTool;

/** An old name of a tool whose arguments were different. */
export interface RenamedTool {
  /** The old name, 1 to 128 of `A-Z a-z 0-9 _ - .`. */
  readonly name: string;
  /**
   * Makes the arguments of today out of a copy of the old ones, which nobody has checked; the result is checked as the arguments of any call.
   * If it throws or returns no object, the call is answered as one with invalid arguments, and the error is logged. Arguments
   * stay as they are if left out.
   */
  // What old clients send is not known to the compiler: authors may name the types that they expect.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly arguments?: (old: any) => object;
}

/** The schemas of a tool, for the compiler; `ToolOptions` has more about them. */
export interface Schemas<I, O> {
  /**
   * The tool's input: a class, or a schema of zod, arktype or valibot, or a raw JSON Schema; the type of the parameter if left out.
   * @example input: ForecastQuery
   */
  readonly input?: I;
  /**
   * The tool's output, as a class or a schema: it is listed, and the method's return value is converted and checked by it. If left
   * out, the output is neither listed nor checked.
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

/** The return type of a tool with this output, unless it returns a `ToolResult`; `unknown` if no output is declared. */
export type ToolReturn<O> = [O] extends [never]
  ? unknown
  : InferReturned<O> | ToolResult | Promise<InferReturned<O> | ToolResult>;

/**
 * Makes a method a tool. The description comes first, because the model reads it. An error that the method throws becomes a result with
 * `isError: true`: the message of a `ToolFailure` is sent, others are masked. A `ProtocolError` or a `Denial` stays an error.
 *
 * Text, numbers and booleans that it returns become text; a block, or an array of text and blocks, is content; bytes have the type
 * `mimeType`. All else is data: a Map is an object, a Set an array, and a value that JSON cannot represent (a function, `NaN`, bytes
 * within data) is an `InvalidOutput` that names its place.
 * @param description the purpose of the tool and when to call it, for the model
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
