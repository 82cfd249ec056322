/** `tool`: a tool that is a function, for servers without classes. */
import type { McpContext } from '../context/mcp-context';
import type { Schemas, ToolReturn } from '../decorators/tool';
import type { FormSource, SchemaSource } from '@sigil-mcp/schema';
import type { ToolData } from '../kinds/tool';
import type { ArgumentsOfInput, AskedByForms, DataOfOutput, NamedTypes } from '../typed/entry-types';
import type { TypedTool } from '../typed/typed-entries';
import type { InputOf } from './input-of';

/** The options of a tool: those of `@Tool`, its description, its guards and interceptors. */
export type ToolFunctionOptions<I = never, O = never, F = readonly FormSource[]> = Omit<
  ToolData,
  'kind' | 'name' | 'handler' | 'input' | 'output' | 'asks'
> &
  Schemas<I, O> & {
    /**
     * The forms that it may ask users to fill in: mistakes in them are found when the server starts, not when a question is asked. None if
     * left out.
     */
    readonly asks?: F;
  };

/**
 * Makes a function a tool that a model can call. Put the result into the features of a server, or add it to its registry. Return values
 * are treated as those of `@Tool`.
 * @param name its name for clients, 1 to 128 of `A-Z a-z 0-9 _ - .`
 * @param handler receives the arguments as converted by its input (undefined without an input), and the context of the call
 * @example
 * const add = tool(
 *   'add',
 *   { description: 'Adds two numbers', input: z.object({ a: z.number(), b: z.number() }) },
 *   ({ a, b }) => a + b,
 * );
 * const server = createServer({ name: 'sums', version: '1.0.0', features: [add] });
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/tools
 */
export function tool<
  const I extends SchemaSource = never,
  const O extends SchemaSource = never,
  const F extends readonly FormSource[] = never,
  const N extends string = string,
  R extends ToolReturn<O> = ToolReturn<O>,
>(
  name: N,
  options: ToolFunctionOptions<I, O, F>,
  handler: (input: InputOf<I>, context: McpContext) => R,
): TypedTool<NamedTypes<N, ArgumentsOfInput<I>, DataOfOutput<O, R>, AskedByForms<F>>> {
  return { ...options, kind: 'tool', name, handler };
}
