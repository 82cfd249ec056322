/** `prompt`: a prompt that is a function, for servers without classes. */
import type { McpContext } from '../context/mcp-context';
import type { PromptReturn } from '../decorators/prompt';
import type { FormSource, SchemaSource } from '@sigil-mcp/schema';
import type { PromptData } from '../kinds/prompt';
import type { ArgumentsOfInput, AskedByForms, NamedTypes } from '../typed/entry-types';
import type { TypedPrompt } from '../typed/typed-entries';
import type { CompletionsOf, InputOf } from './input-of';

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
