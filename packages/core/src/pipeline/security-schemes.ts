/** The requirements of an entry for its callers -> its listed definition, so that clients know them before they call. */
import type { Definitions, EntryKind, EntryPolicy } from '../context/entry-facts';

/**
 * Adds `securitySchemes` to the `_meta` of a definition, with the OpenAPI names that clients know: `noauth` for public entries, `oauth2`
 * with the required scopes for others. Schemes that the author wrote stay, and an entry without requirements is unchanged.
 * @see https://developers.openai.com/apps-sdk/build/auth
 */
export function withSecuritySchemes<K extends EntryKind>(
  definition: Definitions[K],
  { scopes, isPublic }: Pick<EntryPolicy, 'scopes' | 'isPublic'>,
): Definitions[K] {
  if (scopes.length === 0 && !isPublic) return definition;
  const scheme = isPublic ? { type: 'noauth' } : { type: 'oauth2', scopes };
  return { ...definition, _meta: { securitySchemes: [scheme], ...definition._meta } };
}
