/**
 * The authorization settings of an endpoint, from the option `auth`, and its URI as clients know it: tokens are issued for it, and the metadata of
 * the endpoint is found by it.
 */
import { isIP } from 'node:net';
import type { Auth } from '@sigil-mcp/core';
import { isScope } from '@sigil-mcp/core/internal';
import { httpError } from '../errors';

/**
 * The path of the metadata for a resource at the root of its origin; the metadata of other resources are below it.
 * @see https://www.rfc-editor.org/rfc/rfc9728#section-3
 */
export const WELL_KNOWN = '/.well-known/oauth-protected-resource';

/** A resource, as in its metadata. */
export interface ResourceUri {
  /** In canonical form: scheme and host in lower case, without a default port. */
  readonly uri: string;
  readonly origin: string;
  /** Without a single slash. */
  readonly path: string;
}

/** Reads the URI of a resource. Throws a `SigilError` for one that cannot be published. */
function resourceUriOf(text: string): ResourceUri {
  const refuse = (reason: string, shown = text): never => {
    throw httpError('SIGIL_AUTH_RESOURCE', { resource: JSON.stringify(shown), reason });
  };
  if (!/^[a-z][a-z\d+.-]*:\/\//i.test(text) || !URL.canParse(text)) return refuse('is not an absolute URI');
  const url = new URL(text);
  if (hasCredentials(url))
    return refuse('has a user name or a password', `${url.protocol}//…@${url.host}${url.pathname}`);
  if (text.includes('#')) return refuse('has a fragment');
  if (text.includes('?')) return refuse('has a query');
  if (!isSafe(url)) return refuse('is neither https nor on loopback');
  const path = url.pathname === '/' ? '' : url.pathname;
  // A slash at the end of a path is a part of it; after a bare host it is kept only if it was written.
  return { uri: `${url.origin}${path === '' && text.endsWith('/') ? '/' : path}`, origin: url.origin, path };
}

/** Whether a URL has a user name or a password, which is not for others to read. */
function hasCredentials({ username, password }: URL): boolean {
  return username !== '' || password !== '';
}

/** Whether requests to a URL cannot be read on their way: it uses https, or is on this machine. */
function isSafe({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackAddress(hostname.replace(/^\[|\]$/g, '')));
}

/** The checked option. */
export interface AuthSettings {
  readonly auth: Auth;
  /** Undefined if clients do not learn where to get a token. */
  readonly resource: ResourceUri | undefined;
  readonly authorizationServers: readonly string[];
  /** The scopes in a challenge. */
  readonly scopes: readonly string[];
  /** The scopes in the metadata. */
  readonly scopesSupported: readonly string[];
  /** Scope -> itself and all scopes that it implies, over any number of steps. */
  readonly implied: ReadonlyMap<string, readonly string[]>;
}

/** Clients request this scope when they want to work without their user; a server SHOULD NOT request it. */
const CLIENTS_OWN = 'offline_access';

/** Checks the option. Throws a `SigilError` for an invalid resource, authorization server or scope, and for a circle of scopes. */
export function authSettingsOf(auth: Auth): AuthSettings {
  const { authorizationServers = [], scopes = [], scopesSupported = scopes } = auth;
  const resource = auth.resource === undefined ? undefined : resourceUriOf(auth.resource);
  if (resource && authorizationServers.length === 0)
    throw httpError('SIGIL_AUTH_SERVERS', { what: 'a resource, but no authorizationServers' });
  if (!resource && authorizationServers.length > 0)
    throw httpError('SIGIL_AUTH_SERVERS', { what: 'authorizationServers, but no resource' });
  const wrong = authorizationServers.find((server) => !URL.canParse(server) || !isSafe(new URL(server)));
  if (authorizationServers.some((server) => URL.canParse(server) && hasCredentials(new URL(server))))
    throw httpError('SIGIL_AUTH_SERVERS', { what: 'a user name or a password in one of its authorizationServers' });
  if (wrong !== undefined)
    throw httpError('SIGIL_AUTH_SERVERS', { what: `${JSON.stringify(wrong)} among its authorizationServers` });
  const { implies = {} } = auth;
  const named = [...Object.keys(implies), ...Object.values(implies).flat()];
  const odd = [...scopes, ...scopesSupported, ...named].find((scope) => !isScope(scope));
  if (odd !== undefined) throw httpError('SIGIL_AUTH_SCOPE', { scope: JSON.stringify(odd) });
  return {
    auth,
    resource,
    authorizationServers,
    scopes: askedFor(scopes),
    scopesSupported: askedFor([...new Set([...scopes, ...scopesSupported])]),
    implied: impliedScopes(implies),
  };
}

function askedFor(scopes: readonly string[]): readonly string[] {
  return scopes.filter((scope) => scope !== CLIENTS_OWN);
}

/**
 * All scopes that scopes imply, over any number of steps.
 * @param implies scope -> the narrower scopes that it implies
 * @returns scope -> itself and all that it implies
 * @throws SigilError for a circle, whose scopes would all be the same
 */
export function impliedScopes(
  implies: Readonly<Record<string, readonly string[]>>,
): ReadonlyMap<string, readonly string[]> {
  const direct = new Map(Object.entries(implies));
  const found = new Map<string, readonly string[]>();
  const resolve = (scope: string, path: readonly string[]): readonly string[] => {
    const known = found.get(scope);
    if (known) return known;
    const at = path.indexOf(scope);
    if (at >= 0) throw httpError('SIGIL_AUTH_IMPLIES', { circle: [...path.slice(at), scope].join(' > ') });
    const narrower = (direct.get(scope) ?? []).flatMap((each) => resolve(each, [...path, scope]));
    const all = [...new Set([scope, ...narrower])];
    found.set(scope, all);
    return all;
  };
  for (const scope of direct.keys()) resolve(scope, []);
  return found;
}

// Addresses that only programs of this machine can reach.

/** Whether an address is a loopback address: `127.0.0.0/8`, `::1`, or the name for both. */
export function isLoopbackAddress(address: string): boolean {
  if (isIP(address) === 4) return address.startsWith('127.');
  return address === '::1' || address === 'localhost' || address.toLowerCase().startsWith('::ffff:127.');
}
