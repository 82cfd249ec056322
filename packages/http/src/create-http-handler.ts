/** An MCP server as a function from HTTP requests to responses. */
import type { Server } from '@sigil-mcp/core';
import { requireOptions } from '@sigil-mcp/core/adapter';
import { HANDLER_OPTIONS } from './options/endpoint-options';
import type { HttpRequest, HttpResponse } from './port';
import { ServedEndpoint, type HttpHandlerOptions } from './served-endpoint';

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
