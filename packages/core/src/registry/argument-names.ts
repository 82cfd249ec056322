/** The arguments of a prompt or a template that can be completed. */
import type { EntryFacts } from '../context/entry-facts';
import type { UriTemplate } from './uri-templates/uri-template';

/** The arguments of a prompt, the variables of a template; other kinds have none. */
export function argumentNames(
  entry: Pick<EntryFacts, 'definition'> & { readonly template: UriTemplate | undefined },
): readonly string[] {
  if (entry.template) return entry.template.variables;
  return 'arguments' in entry.definition ? (entry.definition.arguments ?? []).map(({ name }) => name) : [];
}
