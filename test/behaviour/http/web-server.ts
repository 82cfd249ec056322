/** A server behind the fetch adapter, on a platform with `Request` and `Response`: the HTTP server of Hono. */
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { Server } from '@sigil-mcp/core';
import type { EndpointOptions, HttpTransportOptions } from '@sigil-mcp/fastify';
import { createFetchHandler } from '@sigil-mcp/http/fetch';
import type { AddressInfo, Socket } from 'node:net';

/** An open server. */
export interface WebServer {
  readonly http: HttpServer;
  readonly url: string;
  close(): Promise<void>;
}

/** Without the options that only a transport with a port of its own has. */
export function ofEndpoint(options: HttpTransportOptions): EndpointOptions {
  const { port: _port, host: _host, trustProxy: _proxies, connections: _most, ...others } = options;
  const { requestTimeout: _time, handleSignals: _signals, ...endpoint } = others;
  return endpoint;
}

/** Serves on a free port of loopback. Options that only a transport with a port has are left aside. */
export async function serveWeb(server: Server, options: HttpTransportOptions): Promise<WebServer> {
  const addresses = new WeakMap<Request, string>();
  // As a platform does it whose proxies are known.
  const forwarded = (request: Request): string | null =>
    options.trustProxy ? request.headers.get('x-forwarded-for') : null;
  const address = (request: Request): string | undefined => forwarded(request) ?? addresses.get(request);
  const handle = createFetchHandler(server, { isLoopback: true, address, ...ofEndpoint(options) });
  await handle.ready;
  const listener = getRequestListener(
    (request, { incoming }) => {
      addresses.set(request, incoming.socket.remoteAddress ?? '');
      return handle(request);
    },
    { overrideGlobalObjects: false },
  );
  const http = createHttpServer((request, response) => void listener(request, response));
  return listenWith(http, handle, options.path);
}

/** Listens on a free port of loopback, for a handler that is closed first. */
export async function listenWith(
  http: HttpServer,
  handle: { close(): Promise<void> },
  path = '/mcp',
): Promise<WebServer> {
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;
  const sockets = new Set<Socket>();
  http.on('connection', (socket) => sockets.add(socket));
  const close = async (): Promise<void> => {
    const closed = new Promise<void>((resolve) => http.close(() => resolve()));
    await handle.close();
    endConnections(http, sockets);
    await closed;
  };
  return { http, url: `http://127.0.0.1:${port}${path}`, close };
}

/** Ends the connections of a server that is closing: the idle ones now, and those that were never used; the others in a moment. */
function endConnections(http: HttpServer, sockets: ReadonlySet<Socket>): void {
  http.closeIdleConnections();
  for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  setTimeout(() => http.closeAllConnections(), 500).unref();
}
