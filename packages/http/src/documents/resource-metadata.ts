/**
 * The documents by which clients find the authorization server of an endpoint. Their content comes only from the options: a
 * document based on the `Host` header would let the sender of a request direct clients to any server.
 * @see https://www.rfc-editor.org/rfc/rfc9728
 */
import type { MaybePromise } from '@sigil-mcp/core';
import { checkOneHost } from '../checks/head-checks';
import type { AuthSettings } from '../options/auth-settings';
import { WELL_KNOWN } from '../options/resource-uri';
import { document } from '../responses';
import type { PublicDocument } from './document';

/**
 * The place where clients of 2025-03-26 look for the authorization server: at the origin of the endpoint, for every path.
 * @see https://modelcontextprotocol.io/specification/2025-03-26/basic/authorization
 */
const OF_SERVERS = '/.well-known/oauth-authorization-server';

/** All web pages may read the documents, which are public. */
const OPEN = { 'access-control-allow-origin': '*' };
/** Browsers send a preflight because of the MCP headers. */
const PREFLIGHT = {
  status: 204,
  headers: { ...OPEN, 'access-control-allow-methods': 'GET, HEAD', 'access-control-allow-headers': '*' },
};

/**
 * The document of one endpoint, at the root of its origin, both for the path of its resource and for the origin itself, where some clients
 * look first; the latter belongs to the first endpoint of an app. None without a resource.
 */
export function metadataDocuments(settings: AuthSettings): readonly PublicDocument[] {
  const { resource, authorizationServers, scopesSupported, auth } = settings;
  if (!resource) return [];
  const metadata = {
    resource: resource.uri,
    authorization_servers: authorizationServers,
    ...(scopesSupported.length > 0 && { scopes_supported: scopesSupported }),
    bearer_methods_supported: ['header'],
  };
  const paths = [...new Set([`${WELL_KNOWN}${resource.path}`, WELL_KNOWN])];
  const documents = paths.map((path) => documentAt(path, () => metadata));
  const { serverMetadata } = auth;
  return serverMetadata ? [...documents, documentAt(OF_SERVERS, serverMetadata)] : documents;
}

function documentAt(path: string, read: () => MaybePromise<object>): PublicDocument {
  return {
    path: decodeURI(path),
    isAtRoot: true,
    get: async (request) => {
      checkOneHost(request);
      try {
        return document(await read(), OPEN);
      } catch {
        // The code that reads the metadata has logged the reason.
        return document({ error: 'temporarily_unavailable' }, { ...OPEN, 'retry-after': '5' }, 503);
      }
    },
    options: () => PREFLIGHT,
  };
}
