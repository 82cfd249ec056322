/** `prompt`: a prompt that is a function, for servers without classes. */
import type { McpContext } from '../context/mcp-context';
import type { PromptReturn } from '../decorators/prompt';
import type { SchemaSource } from '../schema/infer';
import type { PromptData } from '../scanner/entry-data';
import type { CompletionsOf, InputOf } from './input-of';

/** What a prompt says of itself: the options of `@Prompt`, its description, its guards and interceptors, what completes it. */
export type PromptFunctionOptions<I = never> = Omit<PromptData, 'kind' | 'name' | 'handler' | 'input' | 'complete'> & {
  /** Class or schema of its arguments; it takes none if left out. */
  readonly input?: I;
  /**
   * What completes its arguments, by their names; those with an enum or a boolean type complete themselves, and nothing completes the
   * others if left out.
   */
  readonly complete?: CompletionsOf<I>;
};

/**
 * Makes a function a prompt that a user can pick; it goes among the features of a server, or into its registry. What it may return is
 * as with `@Prompt`.
 * @param name what clients call it by
 * @param handler is given what its input makes of the arguments (undefined without an input), and the context of the call
 * @example
 * const plan = prompt(
 *   'plan',
 *   { description: 'Plan a day outdoors', input: z.object({ city: z.string() }), complete: { city: (typed) => cities(typed) } },
 *   ({ city }) => `Plan a day outdoors in ${city}.`,
 * );
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/prompts
 */
export function prompt<const I extends SchemaSource = never>(
  name: string,
  options: PromptFunctionOptions<I>,
  handler: (input: InputOf<I>, context: McpContext) => PromptReturn,
): PromptData {
  return { ...options, kind: 'prompt', name, handler };
}
