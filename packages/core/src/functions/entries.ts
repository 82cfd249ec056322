/** `tool`, `resource` and `prompt`: entries that are functions, for servers without classes. */
import type { McpContext } from '../context/mcp-context';
import type { Schemas, ToolReturn } from '../decorators/tool';
import type { FormSource, SchemaSource, Infer, InferReturned } from '@sigil-mcp/schema';
import type { ToolData } from '../kinds/tool';
import type {
  ArgumentsOfInput,
  AskedByForms,
  DataOfOutput,
  NamedTypes,
  DataOfReturn,
  TypedTool,
  TypedResource,
  TypedPrompt,
} from '../typed/entry-types';
import type { ResourceData } from '../kinds/resource';
import type { PromptReturn } from '../decorators/prompt';
import type { PromptData } from '../kinds/prompt';
import type { CompleteArgument } from '../members/data-base';
import type { Class } from '@sigil-mcp/base';

/**
 * The type of a handler's first parameter: undefined without an input. If the schema has no type for the compiler, the author declares
 * it as the type of the parameter.
 */
export type InputOf<I> = [I] extends [never] ? undefined : unknown extends Infer<I> ? never : Infer<I>;

/** The functions that complete arguments, by their names; those of a class may have other names on the wire, which are checked at start. */
export type CompletionsOf<I> = [I] extends [never]
  ? Readonly<Record<string, CompleteArgument>>
  : I extends Class
    ? Readonly<Record<string, CompleteArgument>>
    : unknown extends InferReturned<I>
      ? Readonly<Record<string, CompleteArgument>>
      : { readonly [Name in keyof InferReturned<I>]?: CompleteArgument };

/** The options of a prompt: those of `@Prompt`, its description, its guards and interceptors, and its completions. */
export type PromptFunctionOptions<I = never, F = readonly FormSource[]> = Omit<
  PromptData,
  'kind' | 'name' | 'handler' | 'input' | 'complete' | 'asks'
> & {
  /**
   * The forms that it may ask users to fill in: mistakes in them are found when the server starts, not when a question is asked. None if
   * left out.
   */
  readonly asks?: F;
  /** Class or schema of its arguments; it takes none if left out. */
  readonly input?: I;
  /**
   * Functions that complete its arguments, by their names; arguments with an enum or a boolean type are completed automatically. No others
   * are completed if left out.
   */
  readonly complete?: CompletionsOf<I>;
};

/** The options of a resource: those of `@Resource`, its guards and interceptors, and the list and completions of a template. */
export type ResourceFunctionOptions<I = never, F = readonly FormSource[]> = Omit<
  ResourceData,
  'kind' | 'uri' | 'handler' | 'input' | 'complete' | 'asks'
> & {
  /**
   * The forms that it may ask users to fill in: mistakes in them are found when the server starts, not when a question is asked. None if
   * left out.
   */
  readonly asks?: F;
  /** Class or schema of a template's variables; none are read if left out. */
  readonly input?: I;
  /**
   * Functions that complete the variables of a template, by their names; variables with an enum or a boolean type are completed
   * automatically. No others are completed if left out.
   */
  readonly complete?: CompletionsOf<I>;
};

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

/**
 * Makes a function return the contents of a resource or, with `{variables}` in its URI, of every resource under a template. Put the result
 * into the features of a server, or add it to its registry. Return values are treated as those of `@Resource`.
 * @param uri an absolute URI, or an RFC 6570 template of one
 * @param handler receives the variables as converted by its input (undefined without an input), and the context of the call
 * @example
 * const today = resource(
 *   'weather://{city}/today',
 *   { name: 'Today', input: z.object({ city: z.string() }), list: () => [{ variables: { city: 'Oslo' } }] },
 *   ({ city }) => `Sun in ${city}`,
 * );
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/resources
 */
export function resource<
  const I extends SchemaSource = never,
  const F extends readonly FormSource[] = never,
  const N extends string = string,
  R = unknown,
>(
  uri: N,
  options: ResourceFunctionOptions<I, F>,
  handler: (input: InputOf<I>, context: McpContext) => R,
): TypedResource<NamedTypes<N, ArgumentsOfInput<I>, DataOfReturn<R>, AskedByForms<F>>> {
  return { ...options, kind: 'resource', uri, handler };
}

/**
 * Makes a function a prompt that a user can pick. Put the result into the features of a server, or add it to its registry. Return values
 * are treated as those of `@Prompt`.
 * @param name its name for clients
 * @param handler receives the arguments as converted by its input (undefined without an input), and the context of the call
 * @example
 * const plan = prompt(
 *   'plan',
 *   { description: 'Plan a day outdoors', input: z.object({ city: z.string() }), complete: { city: (typed) => cities(typed) } },
 *   ({ city }) => `Plan a day outdoors in ${city}.`,
 * );
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/prompts
 */
export function prompt<
  const I extends SchemaSource = never,
  const F extends readonly FormSource[] = never,
  const N extends string = string,
>(
  name: N,
  options: PromptFunctionOptions<I, F>,
  handler: (input: InputOf<I>, context: McpContext) => PromptReturn,
): TypedPrompt<NamedTypes<N, ArgumentsOfInput<I>, undefined, AskedByForms<F>>> {
  return { ...options, kind: 'prompt', name, handler };
}
