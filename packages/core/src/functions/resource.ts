/** `resource`: a resource or a template that is a function, for servers without classes. */
import type { McpContext } from '../context/mcp-context';
import type { SchemaSource } from '../schema/infer';
import type { ResourceData } from '../scanner/entry-data';
import type { CompletionsOf, InputOf } from './input-of';

/** What a resource says of itself: the options of `@Resource`, its guards and interceptors; what lists and completes a template. */
export type ResourceFunctionOptions<I = never> = Omit<
  ResourceData,
  'kind' | 'uri' | 'handler' | 'input' | 'complete'
> & {
  /** Class or schema of a template's variables; none are read if left out. */
  readonly input?: I;
  /**
   * What completes the variables of a template, by their names; those with an enum or a boolean type complete themselves, and nothing
   * completes the others if left out.
   */
  readonly complete?: CompletionsOf<I>;
};

/**
 * Makes a function the contents of a resource or, with `{variables}` in its URI, of every resource under a template; it goes among the
 * features of a server, or into its registry. What it may return, and what becomes of that, is as with `@Resource`.
 * @param uri an absolute URI, or an RFC 6570 template of one
 * @param handler is given what its input makes of the variables (undefined without an input), and the context of the call
 * @example
 * const today = resource(
 *   'weather://{city}/today',
 *   { name: 'Today', input: z.object({ city: z.string() }), list: () => [{ variables: { city: 'Oslo' } }] },
 *   ({ city }) => `Sun in ${city}`,
 * );
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/resources
 */
export function resource<const I extends SchemaSource = never>(
  uri: string,
  options: ResourceFunctionOptions<I>,
  handler: (input: InputOf<I>, context: McpContext) => unknown,
): ResourceData {
  return { ...options, kind: 'resource', uri, handler };
}
