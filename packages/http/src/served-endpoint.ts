/** The endpoint of a server that is started with it, for adapters without stages of their own. */
import type { Server } from '@sigil-mcp/core';
import type { Transport, TransportHost } from '@sigil-mcp/core/adapter';
import { outsideRequests, requireOptions } from '@sigil-mcp/core/internal';
import { CountedArrivals } from './arrivals';
import { Endpoint, type Surroundings } from './endpoint';
import { HANDLER_OPTIONS, settingsOf, type EndpointOptions } from './options/endpoint-options';
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

/** Starts a server when it is first asked for, and answers its requests. */
export class ServedEndpoint implements Transport {
  #ready: Promise<void> | undefined;
  /** The first request may start the server, and nothing of it belongs to that request. */
  readonly #outside = outsideRequests();
  readonly #arrivals = new CountedArrivals();
  #endpoint: Endpoint | undefined;

  /**
   * @param options those of the endpoint, which the maker has checked
   * @param surroundings what the program around it knows
   */
  constructor(
    private readonly server: Server,
    private readonly options: EndpointOptions,
    private readonly surroundings: Pick<Surroundings, 'isLoopback' | 'identifies'>,
  ) {}

  /** Starts the server, if nothing has before. Resolves when it has started; rejects with what `server.listen` rejects with. */
  get ready(): Promise<void> {
    return (this.#ready ??= this.#outside(() => this.server.listen(this)));
  }

  /** Starts the server, if nothing has before. A rejection that nobody handles ends the process, as that of `ready` does. */
  start(): void {
    this.#ready ??= this.#outside(() => this.server.listen(this));
  }

  /** Undefined before the server has started. */
  get opened(): Endpoint | undefined {
    return this.#endpoint;
  }

  /** Once the server has started. */
  async endpoint(): Promise<Endpoint> {
    if (!this.#endpoint) await this.ready;
    return this.#endpoint as Endpoint;
  }

  /** Answers a request; the first ones wait until the server has started. Rejects only if it could not be started. */
  async answer(request: HttpRequest): Promise<HttpResponse> {
    const endpoint = this.#endpoint ?? (await this.endpoint());
    const leave = endpoint.host.clock.attend?.();
    if (leave) request.onClosed(leave);
    const handled = serve(request, endpoint);
    this.#arrivals.add(handled);
    return handled;
  }

  /** Closes the server: what has come is answered, streams and sessions end. */
  shutDown(): Promise<void> {
    return this.server.close();
  }

  async open(host: TransportHost): Promise<void> {
    const settings = settingsOf(this.options, host.kernel.context.limits);
    this.#endpoint = new Endpoint(host, settings, {
      prefix: '',
      ...this.surroundings,
      arrivals: this.#arrivals,
    });
  }

  async close(): Promise<void> {
    await this.#endpoint?.close();
  }
}

// An MCP server as a function from HTTP requests to responses.

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
 * @throws DefinitionError for options that do not exist or are of the wrong kind
 * @example const handle = createHttpHandler(server, { path: '/mcp' });
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
 */
export function createHttpHandler(server: Server, given: HttpHandlerOptions = {}): ServedHandler {
  requireOptions('createHttpHandler', given, HANDLER_OPTIONS);
  const { isLoopback = false, ...options } = given;
  const served = new ServedEndpoint(server, options, { isLoopback: () => isLoopback });
  const handle = (request: HttpRequest): Promise<HttpResponse> => served.answer(request);
  return Object.assign(handle, { ready: served.ready, close: () => served.shutDown() });
}
