/** An MCP server as a function from HTTP requests to responses. */
import type { Server } from '@sigil-mcp/core';
import type { Transport, TransportHost } from '@sigil-mcp/core/adapter';
import { CountedArrivals } from './arrivals';
import { Endpoint } from './endpoint';
import { settingsOf, type EndpointOptions } from './options/endpoint-options';
import type { HttpRequest, HttpResponse } from './port';
import { serve } from './serve';

/** The options of a handler: the behaviour of its endpoint, and what only the program around it knows. */
export interface HttpHandlerOptions extends EndpointOptions {
  /**
   * Whether only programs of this machine can send requests: then the `Host` header has to be a name of this machine, unless
   * `allowedHosts` is set. False if left out.
   */
  readonly isLoopback?: boolean;
}

/** The handler of a server that is started with it. */
export interface ServedHandler {
  /**
   * Answers a request; the first ones wait until the server has started. Rejects only if the server could not be started, with what
   * `server.listen` rejects with.
   */
  (request: HttpRequest): Promise<HttpResponse>;
  /** Resolves when the server has started; rejects with what `server.listen` rejects with. */
  readonly ready: Promise<void>;
  /** Closes the server: what has come is answered, streams and sessions end. */
  close(): Promise<void>;
}

/**
 * Starts a server, and serves it over HTTP at `path` (`/mcp` if left out), with health probes and the metadata for authorization.
 * @throws SigilError for options that cannot be used
 * @example const handle = createHttpHandler(server, { path: '/mcp' });
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
 */
export function createHttpHandler(server: Server, options: HttpHandlerOptions = {}): ServedHandler {
  const transport = new HandlerTransport(options);
  const ready = server.listen(transport);
  const handle = async (request: HttpRequest): Promise<HttpResponse> => {
    if (!transport.endpoint) await ready;
    const endpoint = transport.endpoint as Endpoint;
    const handled = serve(request, endpoint);
    transport.arrivals.add(handled);
    return handled;
  };
  return Object.assign(handle, { ready, close: () => server.close() });
}

class HandlerTransport implements Transport {
  readonly arrivals = new CountedArrivals();
  endpoint: Endpoint | undefined;

  constructor(private readonly options: HttpHandlerOptions) {}

  async open(host: TransportHost): Promise<void> {
    const { isLoopback = false } = this.options;
    const settings = settingsOf(this.options, host.kernel.limits.messageBytes);
    this.endpoint = new Endpoint(host, settings, {
      prefix: '',
      isLoopback: () => isLoopback,
      arrivals: this.arrivals,
    });
  }

  async close(): Promise<void> {
    await this.endpoint?.close();
  }
}
