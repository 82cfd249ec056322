/** Puts an endpoint into a Fastify app, and takes it down again. */
import type { TransportHost } from '@sigil-mcp/core/adapter';
import { Endpoint, type EndpointSettings } from '@sigil-mcp/http/adapter';
import { Connections, ServerConnections } from '@sigil-mcp/http/node-adapter';
import type { FastifyInstance } from 'fastify';
import { isBoundToLoopback } from '../options/bound-addresses';
import { registerDocuments } from './register-documents';
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
