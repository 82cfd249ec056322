/** Public documents next to an endpoint: probes, and the metadata of the resource for authorization. */
import type { MaybePromise } from '@sigil-mcp/core';
import type { MemoryReport } from '@sigil-mcp/core/internal';
import type { HttpRequest, HttpResponse } from './port';
import { checkOneHost } from './checks/head-checks';
import { document } from './call';
import { type AuthSettings, WELL_KNOWN } from './options/auth-settings';

/** One of them, for GET and HEAD; an app that has a route of its own there keeps it. */
export interface PublicDocument {
  /** Decoded; below the prefix of the app, unless `isAtRoot`. */
  readonly path: string;
  /** Whether the path is at the root of the origin, regardless of the prefix of the app. */
  readonly isAtRoot: boolean;
  /** Throws a `Refusal` for a request that it does not answer. */
  readonly get: (request: Pick<HttpRequest, 'rawHeaders'>) => MaybePromise<HttpResponse>;
  /** Answers a preflight of a browser; undefined where no page of another origin needs it. */
  readonly options?: (() => HttpResponse) | undefined;
}

/** Whether an endpoint takes requests. */
export interface Readiness {
  /** Whether new clients should come here; false once the server begins to close. */
  isReady: boolean;
  /** Whether requests are still answered; false once everything that ran was seen off. */
  isOpen: boolean;
  /** Since when the store of the instances has been unreachable; undefined while it answers, or without a store. */
  readonly awaySince: () => Date | undefined;
}

/**
 * Answers for probes: outside of authentication and of the Host check, because probes come from anywhere.
 * `/healthz`: the process answers. `/readyz`: it takes requests; 503 from the moment it begins to close. Without the store `degraded`:
 * sessions are refused, and what needs none is served, as other instances would do it.
 */
export function healthDocuments(
  readiness: Readiness,
  memory: (() => MemoryReport) | undefined,
): readonly PublicDocument[] {
  return [
    {
      path: '/healthz',
      isAtRoot: false,
      get: (request) => {
        checkOneHost(request);
        return document({ status: 'ok', ...(memory && { memory: memory() }) });
      },
    },
    {
      path: '/readyz',
      isAtRoot: false,
      get: (request) => {
        checkOneHost(request);
        if (!readiness.isReady) return document({ status: 'closing' }, undefined, 503);
        const since = readiness.awaySince();
        return document(since ? { status: 'degraded', store: 'unreachable', since } : { status: 'ready' });
      },
    },
  ];
}

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
 * look first; the latter belongs to the first endpoint of an app. None without a resource. Its content comes only from the options: a document
 * based on the `Host` header would let the sender of a request direct clients to any server.
 * @see https://www.rfc-editor.org/rfc/rfc9728
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
