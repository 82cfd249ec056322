/** `@ListTemplate`: lists the resources under a template. */
import type { Caller } from '../context/caller';
import type { McpContext } from '../context/mcp-context';
import type { Listed, PageRequest } from '../registry/listed-resource';
import type { MaybePromise } from '@sigil-mcp/base';
import { addMemberFact, factKind } from '@sigil-mcp/base/facts';
import type { MethodDecoratorOf } from './method-decorator';

/** Written by `@ListTemplate`. */
export interface ListTemplateFact {
  readonly target: string;
}

/** A method that lists everything or a page, and may use the context of the call. */
type ListMethod = ListFor<McpContext> | ListFor<Caller>;
type ListFor<T> =
  ((of: T, page: PageRequest) => MaybePromise<Listed>) | ((page: PageRequest, of: T) => MaybePromise<Listed>);

/** The lists of a class. */
export const LIST_TEMPLATE = factKind<ListTemplateFact>('list-template');

/**
 * Makes a method list resources under a template, so that `resources/list` has them after the other resources. It may take the context,
 * the caller, or the requested `PageRequest`. It returns an array of `{ variables }`, with which the template is expanded, or `{ uri }`,
 * which must match it; or a page of them, `{ resources, nextCursor }`. Members that a listed resource leaves out, such as its name, are
 * taken from the template. Guards that hide the template hide its list. If the method throws, the error is logged, and `resources/list`
 * is answered without its part.
 * @param target the template's method in the same class
 * @example
 * ```@ListTemplate('today') cities() { return this.api.cities().map((city) => ({ variables: { city }, name: city })); }```
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/resources
 */
export function ListTemplate(target: string): MethodDecoratorOf<ListMethod> {
  return (prototype, member) => addMemberFact(LIST_TEMPLATE, prototype, member, { target });
}
