/** `@ListTemplate`: says which resources under a template are worth listing. */
import type { Caller } from '../context/caller';
import type { McpContext } from '../context/mcp-context';
import type { Listed, PageRequest } from '../registry/listed-resource';
import type { MaybePromise } from '../values/maybe-promise';
import { addMemberFact, factKind } from '../facts/facts';
import type { MethodDecoratorOf } from './method-decorator';

/** Written by `@ListTemplate`. */
export interface ListTemplateFact {
  readonly target: string;
}

/** A method that lists everything or a page, and may want to know of the call. */
type ListMethod = ListFor<McpContext> | ListFor<Caller>;
type ListFor<T> =
  ((of: T, page: PageRequest) => MaybePromise<Listed>) | ((page: PageRequest, of: T) => MaybePromise<Listed>);

/** The lists of a class. */
export const LIST_TEMPLATE = factKind<ListTemplateFact>('list-template');

/**
 * Makes a method list resources under a template, so that `resources/list` has them behind the resources. It takes nothing, the
 * context, the caller, or the `PageRequest` that it is to answer, and returns an array of `{ variables }`, which the template is expanded
 * with, or `{ uri }`, which it must match; or a page of them, `{ resources, nextCursor }`. Words that a listed resource leaves out, such as its name, are those of the template. Guards that hide the template hide its
 * list. What the method throws is logged, and `resources/list` goes without its part.
 * @param target the template's method in the same class
 * @example
 * ```@ListTemplate('today') cities() { return this.api.cities().map((city) => ({ variables: { city }, name: city })); }```
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/resources
 */
export function ListTemplate(target: string): MethodDecoratorOf<ListMethod> {
  return (prototype, member) => addMemberFact(LIST_TEMPLATE, prototype, member, { target });
}
