/** `resource`: a resource or a template that is a function, for servers without classes. */
import type { McpContext } from '../context/mcp-context';
import type { FormSource, SchemaSource } from '@sigil-mcp/schema';
import type { ResourceData } from '../kinds/resource-contents';
import type { ArgumentsOfInput, AskedByForms, DataOfReturn, NamedTypes } from '../typed/entry-types';
import type { TypedResource } from '../typed/typed-entries';
import type { CompletionsOf, InputOf } from './input-of';

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
