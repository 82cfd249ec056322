/** `@ListTemplate`: says which resources under a template are worth listing. */
import type { ListResources } from '../registry/listed-resource';
import { addMemberFact, factKind } from '../facts/facts';
import type { MethodDecoratorOf } from './method-decorator';

/** Written by `@ListTemplate`. */
export interface ListTemplateFact {
  readonly target: string;
}

/** The lists of a class. */
export const LIST_TEMPLATE = factKind<ListTemplateFact>('list-template');

/**
 * Makes a method list resources under a template, so that `resources/list` has them behind the resources. It takes nothing or
 * the context, and returns an array of `{ variables }`, which the template is expanded with, or `{ uri }`, which it must match;
 * words that a listed resource leaves out, such as its name, are those of the template. Guards that hide the template hide its
 * list. What the method throws is logged, and `resources/list` goes without its part.
 * @param target the template's method in the same class
 * @example @ListTemplate('today') cities() { return this.api.cities().map((city) => ({ variables: { city }, name: city })); }
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/resources
 */
export function ListTemplate(target: string): MethodDecoratorOf<ListResources> {
  return (prototype, member) => addMemberFact(LIST_TEMPLATE, prototype, member, { target });
}
