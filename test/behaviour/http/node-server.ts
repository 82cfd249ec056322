/** A server behind the adapter for Node, on an HTTP server of Node. */
import { createServer as createHttpServer, type IncomingMessage } from 'node:http';
import type { Server } from '@sigil-mcp/core';
import type { HttpTransportOptions } from '@sigil-mcp/fastify';
import { createNodeHandler } from '@sigil-mcp/http/node';
import type { AddressInfo } from 'node:net';
import { endConnections, type WebServer } from './web-server';

/** Serves on a free port of loopback. Options that only a transport with a port has are left aside. */
export async function serveNode(server: Server, options: HttpTransportOptions): Promise<WebServer> {
  // As Express does it, whose setting names the proxies.
  const address = (request: IncomingMessage): string | undefined =>
    options.trustProxy && request.headersDistinct['x-forwarded-for']?.[0];
  const handle = createNodeHandler(server, { ...options, ...(options.trustProxy && { address }) });
  await handle.ready;
  const http = createHttpServer({ requireHostHeader: false }, handle);
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;
  const close = async (): Promise<void> => {
    const closed = new Promise<void>((resolve) => http.close(() => resolve()));
    await handle.close();
    endConnections(http);
    await closed;
  };
  return { http, url: `http://127.0.0.1:${port}${options.path ?? '/mcp'}`, close };
}
