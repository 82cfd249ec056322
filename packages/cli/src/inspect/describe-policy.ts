/** The access policy of an entry as text, if its server publishes it in the `securitySchemes` of `_meta`. */
import { isJsonObject } from '../json-object';

/** @returns for example `needs the scopes notes:read notes:write`; undefined without a policy */
export function describePolicy({ _meta: meta }: { readonly _meta?: unknown }): string | undefined {
  const schemes: unknown = isJsonObject(meta) ? meta['securitySchemes'] : undefined;
  if (!Array.isArray(schemes)) return undefined;
  const said = (schemes as unknown[]).flatMap((scheme) => (isJsonObject(scheme) ? [describeScheme(scheme)] : []));
  return said.length === 0 ? undefined : said.join(', or ');
}

function describeScheme({ type, scopes }: Readonly<Record<string, unknown>>): string {
  if (type === 'noauth') return 'public: needs no token';
  const names = Array.isArray(scopes) ? scopes.filter((scope) => typeof scope === 'string') : [];
  if (names.length === 0) return 'needs a token';
  return `needs the ${names.length === 1 ? 'scope' : 'scopes'} ${names.join(' ')}`;
}
