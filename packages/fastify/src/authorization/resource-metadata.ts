/**
 * The documents by which clients find the authorization server of an endpoint. Their content comes only from the options: a
 * document based on the `Host` header would let the sender of a request direct clients to any server.
 * @see https://www.rfc-editor.org/rfc/rfc9728
 */
import type { MaybePromise } from '@sigil-mcp/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { checkOneHost } from '../checks/host';
import type { AuthSettings } from '../options/auth-settings';
import { WELL_KNOWN } from '../options/resource-uri';

/**
 * Adds the document of one endpoint at the root of the app, both for the path of its resource and for the root of its origin, where
 * some clients look first; the latter belongs to the first endpoint. Nothing is added without a resource.
 */
export function registerMetadata(app: FastifyInstance, settings: AuthSettings): void {
  const { resource, authorizationServers, scopesSupported } = settings;
  if (!resource) return;
  const document = {
    resource: resource.uri,
    authorization_servers: authorizationServers,
    ...(scopesSupported.length > 0 && { scopes_supported: scopesSupported }),
    bearer_methods_supported: ['header'],
  };
  const root = rootOf(app);
  for (const path of new Set([`${WELL_KNOWN}${resource.path}`, WELL_KNOWN])) serve(root, path, () => document);
  const { serverMetadata } = settings.auth;
  if (serverMetadata) serve(root, OF_SERVERS, serverMetadata);
}

/**
 * The place where clients of 2025-03-26 look for the authorization server: at the origin of the endpoint, for every path.
 * @see https://modelcontextprotocol.io/specification/2025-03-26/basic/authorization
 */
const OF_SERVERS = '/.well-known/oauth-authorization-server';

/** Adds a document, unless this route exists already. */
function serve(root: FastifyInstance, path: string, read: () => MaybePromise<object>): void {
  const url = routeOf(path);
  if (root.hasRoute({ method: 'GET', url })) return;
  root.get(url, { exposeHeadRoute: true }, async ({ raw }, reply) => {
    checkOneHost(raw);
    try {
      return open(reply).send(await read());
    } catch {
      // The code that reads the metadata has logged the reason.
      return open(reply).code(503).header('retry-after', '5').send({ error: 'temporarily_unavailable' });
    }
  });
  if (!root.hasRoute({ method: 'OPTIONS', url })) root.options(url, answerPreflight);
}

/** Browsers send a preflight because of the MCP headers. */
function answerPreflight(_request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return open(reply)
    .headers({ 'access-control-allow-methods': 'GET, HEAD', 'access-control-allow-headers': '*' })
    .code(204)
    .send();
}

/** Allows all web pages to read the document, which is public. */
function open(reply: FastifyReply): FastifyReply {
  return reply.header('access-control-allow-origin', '*');
}

/** The outermost app without a path prefix: well-known paths have no prefix. */
function rootOf(app: FastifyInstance): FastifyInstance {
  let root = app;
  // The prototype of a plugin's app is the app around it.
  while (root.prefix !== '') root = Object.getPrototypeOf(root) as FastifyInstance;
  return root;
}

/** A path for the router: decoded, and with colons escaped, which would begin parameters. */
function routeOf(path: string): string {
  return decodeURI(path).replaceAll(':', '::');
}
