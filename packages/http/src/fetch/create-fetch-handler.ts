/** An MCP server as a function from `Request` to `Response`. */
import type { Logger, Server } from '@sigil-mcp/core';
import { systemClock } from '@sigil-mcp/core/adapter';
import { requireOptions } from '@sigil-mcp/core/internal';
import { corsRulesOf } from '../cors';
import { ADDRESSED_OPTIONS } from '../options/endpoint-options';
import { isAdmitted } from '../serve';
import { ServedEndpoint, type HttpHandlerOptions } from '../served-endpoint';
import { WebRequest } from './web-request';
import { webResponse } from './web-response';

/** The options of a handler: the behaviour of its endpoint, and what only the platform knows. */
export interface FetchHandlerOptions extends HttpHandlerOptions {
  /**
   * The IP address of the client, from what the platform knows about it, for limits by address; without it all clients without a token
   * count as one. A header counts only if your platform or proxy sets it itself.
   * @example address: (request) => request.headers.get('cf-connecting-ip') ?? undefined
   */
  readonly address?: (request: Request) => string | undefined;
}

/** The handler of a server that is started with it. */
export interface FetchHandler {
  /**
   * Answers a request; the first ones wait until the server has started. Rejects only if the server could not be started, with what
   * `server.listen` rejects with.
   */
  (request: Request): Promise<Response>;
  /**
   * Resolves when the server has started; rejects with what `server.listen` rejects with. Where nothing may start outside of a request,
   * as in Cloudflare Workers, the server starts when this is first read, or with the first request.
   */
  readonly ready: Promise<void>;
  /** Closes the server: what has come is answered, streams and sessions end. */
  close(): Promise<void>;
}

/**
 * Starts a server, and serves it to platforms that call a function with a `Request`: Cloudflare Workers, Deno, Bun, Hono, Next.js, Vercel
 * and others.
 * @throws DefinitionError for options that do not exist or are of the wrong kind
 * @example export default { fetch: createFetchHandler(server, { path: '/mcp' }) };
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
 */
export function createFetchHandler(server: Server, options: FetchHandlerOptions = {}): FetchHandler {
  requireOptions('createFetchHandler', options, ADDRESSED_OPTIONS);
  return createCheckedHandler(server, options);
}

/** A handler that says whether it would read a request. */
export interface CheckedHandler extends FetchHandler {
  /** Checks the head of a request and identifies its caller, without its body. Rejects only if the server could not be started. */
  readonly admits: (request: Request) => Promise<boolean>;
  /** The logger of the server. Rejects only if the server could not be started. */
  readonly logger: () => Promise<Logger>;
}

/** As `createFetchHandler`, for programs that decide something before the handler does, and that have checked the options. */
export function createCheckedHandler(
  server: Server,
  { address = () => undefined, isLoopback = false, ...options }: FetchHandlerOptions = {},
): CheckedHandler {
  const served = new ServedEndpoint(server, options, { isLoopback: () => isLoopback });
  const cors = corsRulesOf(options.allowedOrigins ?? []);
  const read = (request: Request): WebRequest =>
    new WebRequest(request, address, () => served.opened?.host.clock ?? systemClock);
  const handle = async (given: Request): Promise<Response> => {
    const request = read(given);
    const response = cors.preflight(request) ?? (await served.answer(request));
    return webResponse(request, response, cors.headersFor(request));
  };
  const admits = async (request: Request): Promise<boolean> => isAdmitted(read(request), await served.endpoint());
  const handler = Object.defineProperty(handle, 'ready', { get: () => served.ready, enumerable: true });
  if (mayStart()) served.start();
  return Object.assign(handler as typeof handle & Pick<FetchHandler, 'ready'>, {
    close: () => served.shutDown(),
    admits,
    logger: async () => (await served.endpoint()).host.logger,
  });
}

/** Tries what such platforms refuse. It takes a microsecond. */
function mayStart(): boolean {
  try {
    return crypto.getRandomValues(new Uint8Array(1)).length === 1;
  } catch {
    return false;
  }
}
