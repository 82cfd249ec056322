/** What an entry wants of its callers -> what its listed definition says of that, so that clients know before they call. */
import type { Definitions, EntryKind, EntryPolicy } from '../context/entry-facts';

/**
 * Adds `securitySchemes` to the `_meta` of a definition, in the words of OpenAPI that clients know: `noauth` for what is public, `oauth2`
 * with the scopes that are wanted. What its author says there stays, and so does an entry that wants nothing.
 * @see https://developers.openai.com/apps-sdk/build/auth
 */
export function tellPolicy<K extends EntryKind>(
  definition: Definitions[K],
  { scopes, isPublic }: Pick<EntryPolicy, 'scopes' | 'isPublic'>,
): Definitions[K] {
  if (scopes.length === 0 && !isPublic) return definition;
  const scheme = isPublic ? { type: 'noauth' } : { type: 'oauth2', scopes };
  return { ...definition, _meta: { securitySchemes: [scheme], ...definition._meta } };
}
