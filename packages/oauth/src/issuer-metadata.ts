/**
 * Where an issuer says that its keys are: by the metadata of RFC 8414, or of OpenID Connect Discovery.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization
 */
import { isObject, sigilError } from '@sigil-mcp/core/adapter';
import { fetchJson, NoDocument } from './fetch-json';

/**
 * Finds the URL of an issuer's keys.
 * @throws SigilError for metadata of somebody else, or without keys; else what `fetch` rejects with
 */
export async function findKeys(issuer: string): Promise<string> {
  for (const url of placesOf(issuer)) {
    try {
      return keysOf(await fetchJson(url), issuer);
    } catch (error) {
      // Not here, but perhaps at the next place.
      const isElsewhere = error instanceof NoDocument ? error.status < 500 : error instanceof SyntaxError;
      if (!isElsewhere) throw error;
    }
  }
  throw sigilError('SIGIL_ISSUER_METADATA', { issuer, what: 'has none at any of the well-known places' });
}

/** Where metadata may be, in the order in which clients of MCP look for it. */
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

function keysOf(metadata: unknown, issuer: string): string {
  const { issuer: named, jwks_uri: keys } = isObject(metadata) ? metadata : {};
  if (named !== issuer)
    throw sigilError('SIGIL_ISSUER_METADATA', { issuer, what: `calls itself ${JSON.stringify(named)}` });
  if (typeof keys !== 'string' || !URL.canParse(keys) || !isAsSafe(new URL(keys), new URL(issuer)))
    throw sigilError('SIGIL_ISSUER_METADATA', { issuer, what: 'names no jwks_uri that is as safe as itself' });
  return keys;
}

function isAsSafe(keys: URL, issuer: URL): boolean {
  return keys.protocol === 'https:' || (keys.protocol === issuer.protocol && keys.hostname === issuer.hostname);
}
