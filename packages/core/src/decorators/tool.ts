/** `@Tool`: makes a method a tool that a model can call. */
import type { Icon, Meta } from '@sigil-mcp/protocol';
import type { ToolResult } from '../output/tool-result';
import type { JsonSchema } from '../schema/json-schema';
import { addMemberFact, factKind } from '../facts/facts';
import type { Class } from '../values/class';
import type { AnyHandler, MethodDecoratorOf } from './method-decorator';

/** What a tool may say beside its description. */
export interface ToolOptions {
  /** The method's name, if left out. 1 to 128 of `A-Z a-z 0-9 _ - .`. */
  readonly name?: string;
  /** A label for people. */
  readonly title?: string;
  /** Where the compiler emits no parameter types, or in place of a class: a raw JSON Schema 2020-12. */
  readonly input?: Class | JsonSchema;
  /** What the tool returns: fields that the class does not declare are stripped, the rest is validated. */
  readonly output?: Class | JsonSchema;
  /** Changes nothing. A hint for the client, as the next three. */
  readonly readOnly?: boolean;
  /** May destroy or overwrite. */
  readonly destructive?: boolean;
  /** Called twice with the same arguments it does no more than once. */
  readonly idempotent?: boolean;
  /** Deals with things outside the server, such as the web. */
  readonly openWorld?: boolean;
  /** Converts arguments of a wrong type where that is unambiguous (`"3"` for a number); off by default. */
  readonly coerce?: boolean;
  /**
   * Milliseconds that a call may take, waiting for the client included; then `context.signal` fires and the call is answered
   * with `isError: true`. `createServer({ toolTimeout })` if left out; `Infinity` for no limit.
   */
  readonly timeout?: number;
  /** The forms that it may ask users to fill in: a mistake in one is found when the server starts, not when it is asked. */
  readonly asks?: readonly Class[];
  /** MIME type of the bytes that the tool returns. */
  readonly mimeType?: string;
  readonly icons?: readonly Icon[];
  readonly meta?: Meta;
}

/** Written by `@Tool`. */
export interface ToolFact {
  readonly description: string;
  readonly options: ToolOptions;
}

/** The tools of a class. */
export const TOOL = factKind<ToolFact>('tool');

/** A handler of any parameters that returns `R`, now or later, or says its result part by part. */
type Returning<R> = (...args: never[]) => R | ToolResult | Promise<R | ToolResult>;

/**
 * Makes a method a tool. The description comes first, because the model reads it.
 * @example
 * @Tool('Weather forecast for a city', { output: Forecast, readOnly: true })
 * forecast(query: ForecastQuery, context: McpContext): Promise<Forecast> { ... }
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/tools
 */
export function Tool<O extends Class>(
  description: string,
  options: ToolOptions & { readonly output: O },
): MethodDecoratorOf<Returning<InstanceType<O>>>;
export function Tool(description: string, options?: ToolOptions): MethodDecoratorOf<AnyHandler>;
export function Tool(description: string, options: ToolOptions = {}) {
  return (prototype: object, member: string): void => addMemberFact(TOOL, prototype, member, { description, options });
}
