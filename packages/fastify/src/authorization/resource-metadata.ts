/**
 * The documents by which clients find the authorization server of an endpoint. What they say comes from the options alone: a
 * document that believed the `Host` header would send clients wherever its sender wants.
 * @see https://www.rfc-editor.org/rfc/rfc9728
 */
import type { MaybePromise } from '@sigil-mcp/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { checkOneHost } from '../checks/host';
import type { AuthSettings } from '../options/auth-settings';
import { WELL_KNOWN } from '../options/resource-uri';

/**
 * Adds the document of one endpoint at the root of the app, below the path of its resource and at the root of its origin, where
 * some clients look first; the latter belongs to the endpoint that came first. Nothing is added without a resource.
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
 * Where clients of 2025-03-26 look for the authorization server: at the origin of the endpoint, whatever its path.
 * @see https://modelcontextprotocol.io/specification/2025-03-26/basic/authorization
 */
const OF_SERVERS = '/.well-known/oauth-authorization-server';

/** Adds a document, unless somebody else has one there. */
function serve(root: FastifyInstance, path: string, read: () => MaybePromise<object>): void {
  const url = routeOf(path);
  if (root.hasRoute({ method: 'GET', url })) return;
  root.get(url, { exposeHeadRoute: true }, async ({ raw }, reply) => {
    checkOneHost(raw);
    try {
      return open(reply).send(await read());
    } catch {
      // Whoever reads them has said why.
      return open(reply).code(503).header('retry-after', '5').send({ error: 'temporarily_unavailable' });
    }
  });
  if (!root.hasRoute({ method: 'OPTIONS', url })) root.options(url, answerPreflight);
}

/** Clients in browsers send headers of MCP with it, and ask before they do. */
function answerPreflight(_request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return open(reply)
    .headers({ 'access-control-allow-methods': 'GET, HEAD', 'access-control-allow-headers': '*' })
    .code(204)
    .send();
}

/** Public to every page: it holds nothing that needs a token. */
function open(reply: FastifyReply): FastifyReply {
  return reply.header('access-control-allow-origin', '*');
}

/** The app around a plugin, as far up as paths begin with nothing: well-known places have no prefix. */
function rootOf(app: FastifyInstance): FastifyInstance {
  let root = app;
  // A plugin's app is made of the app around it.
  while (root.prefix !== '') root = Object.getPrototypeOf(root) as FastifyInstance;
  return root;
}

/** A path as the router takes it: decoded, and with nothing in it that would be a parameter. */
function routeOf(path: string): string {
  return decodeURI(path).replaceAll(':', '::');
}
