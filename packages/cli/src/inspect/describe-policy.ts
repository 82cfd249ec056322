/** The access policy of an entry as text: the scopes, if its server publishes them in the `securitySchemes` of `_meta`, and the roles. */
import { isObject } from '@sigil-mcp/base';

/**
 * @param roles the roles that the code of the server declares, which the protocol does not list: of each group a caller needs one
 * @returns for example `needs the scopes notes:read notes:write, and the role admin`; undefined without a policy
 */
export function describePolicy(
  entry: { readonly _meta?: unknown },
  roles: readonly (readonly string[])[] = [],
): string | undefined {
  const published = describeSchemes(entry);
  if (roles.length === 0) return published;
  const wanted = roles.map((one) => `${one.length === 1 ? 'the role' : 'one of the roles'} ${one.join(', ')}`);
  return `${published === undefined ? 'needs' : `${published}, and`} ${wanted.join(', and ')}`;
}

function describeSchemes({ _meta: meta }: { readonly _meta?: unknown }): string | undefined {
  const schemes: unknown = isObject(meta) ? meta['securitySchemes'] : undefined;
  if (!Array.isArray(schemes)) return undefined;
  const said = (schemes as unknown[]).flatMap((scheme) => (isObject(scheme) ? [describeScheme(scheme)] : []));
  return said.length === 0 ? undefined : said.join(', or ');
}

function describeScheme({ type, scopes }: Readonly<Record<string, unknown>>): string {
  if (type === 'noauth') return 'public: needs no token';
  const names = Array.isArray(scopes) ? scopes.filter((scope) => typeof scope === 'string') : [];
  if (names.length === 0) return 'needs a token';
  return `needs the ${names.length === 1 ? 'scope' : 'scopes'} ${names.join(' ')}`;
}
