/** A server behind the adapter for Node, on an HTTP server of Node. */
import { createServer as createHttpServer, type IncomingMessage } from 'node:http';
import type { Server } from '@sigil-mcp/core';
import type { HttpTransportOptions } from '@sigil-mcp/fastify';
import { createNodeHandler } from '@sigil-mcp/http/node';
import { listenWith, ofEndpoint, type WebServer } from './web-server';

/** Serves on a free port of loopback. Options that only a transport with a port has are left aside. */
export async function serveNode(server: Server, options: HttpTransportOptions): Promise<WebServer> {
  // As Express does it, whose setting names the proxies.
  const address = (request: IncomingMessage): string | undefined =>
    options.trustProxy && request.headersDistinct['x-forwarded-for']?.[0];
  const handle = createNodeHandler(server, { ...ofEndpoint(options), ...(options.trustProxy && { address }) });
  await handle.ready;
  return listenWith(createHttpServer({ requireHostHeader: false }, handle), handle, options.path);
}
