/** Puts an endpoint into a Fastify app, and takes it down again. */
import type { AddressInfo } from 'node:net';
import type { TransportHost } from '@sigil-mcp/core/adapter';
import { Endpoint, type EndpointSettings, isLoopbackAddress, type PublicDocument } from '@sigil-mcp/http/adapter';
import { Connections, ServerConnections } from '@sigil-mcp/http/node-adapter';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { HttpResponse } from '@sigil-mcp/http';
import { registerRoutes } from './register-routes';

/** A registered endpoint, for the code that closes it. */
export interface OpenEndpoint {
  /** The app takes no more connections, and those that are open end with their next answers. */
  refuseConnections(): Promise<void>;
  /**
   * Is not ready from now on. What has come, and what still comes, finishes within the server's deadline; then streams and sessions end.
   * @param silence milliseconds, at most, that connections are left open on which nothing comes; none if left out
   */
  close(silence?: number): Promise<void>;
  /** Resolves when no connection is open on which anything has come. */
  usedOnesGone(): Promise<void>;
}

/** Registers the routes of one endpoint, with their checks; resolves when they are registered. */
export async function registerEndpoint(
  app: FastifyInstance,
  host: TransportHost,
  settings: EndpointSettings,
): Promise<OpenEndpoint> {
  const arrivals = new ServerConnections(app.server);
  const endpoint = new Endpoint(host, settings, {
    prefix: app.prefix,
    // Before the app listens there are no addresses to know.
    isLoopback: () => (app.addresses().length > 0 ? isBoundToLoopback(app) : undefined),
    arrivals,
  });
  registerDocuments(app, endpoint.documents);
  await registerRoutes(app, endpoint, { connections: new Connections(), arrivals });
  return {
    refuseConnections: () => {
      endpoint.readiness.isReady = false;
      return arrivals.refuseMore();
    },
    close: (silence) => endpoint.close(silence),
    usedOnesGone: () => arrivals.usedOnesGone(),
  };
}

/** Whether only local programs can connect to an app; true before it listens, which is the safer assumption. */
function isBoundToLoopback(app: FastifyInstance): boolean {
  // By its type, an address may be the path of a Unix socket, which is local.
  const addresses: readonly (AddressInfo | string)[] = app.addresses();
  return addresses.every((bound) => typeof bound === 'string' || isLoopbackAddress(bound.address));
}

/** Adds the documents, unless the app has routes of its own there. */
function registerDocuments(app: FastifyInstance, documents: readonly PublicDocument[]): void {
  for (const document of documents) {
    const place = document.isAtRoot ? rootOf(app) : app;
    const url = routeOf(document.path);
    const has = (method: 'GET' | 'OPTIONS'): boolean => place.hasRoute({ method, url: `${place.prefix}${url}` });
    if (has('GET')) continue;
    place.get(url, { exposeHeadRoute: true }, async ({ raw }, reply) => send(reply, await document.get(raw)));
    const { options } = document;
    if (options && !has('OPTIONS')) place.options(url, (_request, reply) => send(reply, options()));
  }
}

function send(reply: FastifyReply, { status, headers, body }: HttpResponse): FastifyReply {
  return reply.code(status).headers(headers).send(body);
}

/** The outermost app without a path prefix: well-known paths have no prefix. */
function rootOf(app: FastifyInstance): FastifyInstance {
  let root = app;
  // The prototype of a plugin's app is the app around it.
  while (root.prefix !== '') root = Object.getPrototypeOf(root) as FastifyInstance;
  return root;
}

/** A path for the router, with colons escaped, which would begin parameters. */
function routeOf(path: string): string {
  return path.replaceAll(':', '::');
}
