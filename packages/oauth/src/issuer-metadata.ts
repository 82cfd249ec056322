/**
 * Finds the keys and endpoints of an issuer by its metadata (RFC 8414, or OpenID Connect Discovery).
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization
 */
import { isObject } from '@sigil-mcp/core/internal';
import { fetchJson, isPrivateHost, NoDocument } from './fetch-json';
import { oauthError } from './errors';

/** The URLs that are looked up. */
type IssuerUrl = 'jwks_uri' | 'introspection_endpoint';

/**
 * Finds a URL in the metadata of an issuer.
 * @param at the address of the metadata; the well-known places of the issuer if left out
 * @throws SigilError for metadata of another issuer, or without that URL; otherwise rejects as `fetch` does
 */
export async function findUrl(issuer: string, name: IssuerUrl, at?: string): Promise<string> {
  const url = (await findMetadata(issuer, at))[name];
  const known = at ?? issuer;
  if (typeof url === 'string' && isAsSafe(url, known) && !leadsInside(url, known)) return url;
  throw oauthError('SIGIL_ISSUER_METADATA', { issuer, what: `names no ${name} that is as safe as itself` });
}

/**
 * Finds the metadata of an issuer.
 * @param at as for `findUrl`
 * @throws SigilError for metadata of another issuer, or if nothing was found; otherwise rejects as `fetch` does
 */
export async function findMetadata(issuer: string, at?: string): Promise<Readonly<Record<string, unknown>>> {
  if (at !== undefined) return ownMetadata(await fetchJson(at), issuer);
  for (const url of placesOf(issuer)) {
    try {
      return ownMetadata(await fetchJson(url), issuer);
    } catch (error) {
      // Not at this place, but perhaps at the next.
      const isElsewhere = error instanceof NoDocument ? error.status < 500 : error instanceof SyntaxError;
      if (!isElsewhere) throw error;
    }
  }
  throw oauthError('SIGIL_ISSUER_METADATA', { issuer, what: 'has none at any of the well-known places' });
}

/** The places where metadata may be, in the order in which MCP clients look for it. */
function placesOf(issuer: string): readonly string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  return [
    ...new Set([
      `${origin}/.well-known/oauth-authorization-server${path}`,
      `${origin}/.well-known/openid-configuration${path}`,
      `${origin}${path}/.well-known/openid-configuration`,
    ]),
  ];
}

function ownMetadata(document: unknown, issuer: string): Readonly<Record<string, unknown>> {
  const metadata = isObject(document) ? document : {};
  if (metadata['issuer'] === issuer) return metadata;
  const named = JSON.stringify(metadata['issuer']);
  throw oauthError('SIGIL_ISSUER_METADATA', { issuer, what: `calls itself ${named}` });
}

/** Whether a URL is as safe as its issuer: it uses https, or the same protocol and host. */
export function isAsSafe(text: string, issuer: string): boolean {
  if (!URL.canParse(text)) return false;
  const [url, known] = [new URL(text), new URL(issuer)];
  return url.protocol === 'https:' || (url.protocol === known.protocol && url.hostname === known.hostname);
}

/** Whether an address that the author has named can be trusted: it uses https, or leads to a host that is not on the open network. */
export function isTrustedAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || (protocol === 'http:' && isPrivateHost(hostname));
}

/** Whether an issuer on the open network names an address that only this server may be able to reach. */
function leadsInside(text: string, issuer: string): boolean {
  const [url, known] = [new URL(text), new URL(issuer)];
  return url.hostname !== known.hostname && isPrivateHost(url.hostname) && !isPrivateHost(known.hostname);
}
