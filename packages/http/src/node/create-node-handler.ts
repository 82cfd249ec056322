/** An MCP server as a listener for requests of Node. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server as NetServer, Socket } from 'node:net';
import type { Caller, Server, RequestHeaders } from '@sigil-mcp/core';
import type { MaybePromise } from '@sigil-mcp/core/adapter';
import { OPTION_RULES, requireOptions } from '@sigil-mcp/core/internal';
import { ERROR_CODES, writeError } from '@sigil-mcp/protocol';
import { corsRulesOf, type CorsRules } from '../cors';
import { ADDRESSED_OPTIONS } from '../options/endpoint-options';
import { isLoopbackAddress } from '../options/auth-settings';
import { hasPath } from '../serve';
import { ServedEndpoint, type HttpHandlerOptions } from '../served-endpoint';
import type { HttpResponse, HttpRequest } from '../port';
import { Connections } from './server-connections';
import { dropRest, headersFor, onePiece, parsedBody, type NodeMessage, bodyOf } from './request-body';
import { sendEvents, swallowErrors } from './event-writer';

/** Made once for each request, of what most requests are asked for. */
export class NodeRequest implements HttpRequest {
  readonly method: string;
  readonly target: string;
  readonly rawHeaders: readonly string[];

  /** @param headers those of the message if left out; hooks of an app may have changed them */
  constructor(
    protected readonly message: NodeMessage,
    protected readonly response: ServerResponse,
    private readonly connections: Connections,
    readonly headers: RequestHeaders = message.headers,
  ) {
    this.method = message.method ?? '';
    this.target = targetOf(message);
    this.rawHeaders = message.rawHeaders;
  }

  get address(): string {
    return this.message.socket.remoteAddress ?? '';
  }

  get body(): AsyncIterable<Uint8Array> | undefined {
    return bodyOf(this.message);
  }

  get connection(): object {
    return this.message.socket;
  }

  get httpVersion(): string {
    return this.message.httpVersion;
  }

  onClosed(listener: () => void): () => void {
    return this.connections.onEnd(this.response, listener);
  }

  abort(): void {
    // What waits for its turn has no connection yet, and would stay in memory until the answers before it are sent.
    const { socket } = this.response;
    this.response.destroy();
    if (!socket) this.message.socket.destroy();
  }
}

/** The options of a handler: the behaviour of its endpoint, and what only the program around it knows. */
export interface NodeHandlerOptions extends HttpHandlerOptions {
  /**
   * Whether only programs of this machine can send requests: then the `Host` header has to be a name of this machine, unless
   * `allowedHosts` is set. By the address that the HTTP server listens on if left out.
   */
  readonly isLoopback?: boolean;
  /**
   * The IP address of the client, for limits by address; that of the connection if left out, which may be the one of a proxy. Express
   * knows the client behind the proxies that its setting `trust proxy` names.
   * @example address: (request) => (request as express.Request).ip
   */
  readonly address?: (request: IncomingMessage) => string | undefined;
  /**
   * Identifies the caller of a request in place of `auth`, for programs that authenticate requests themselves; `auth` does so if left out.
   * Called after the checks of the head, before the body is read. Throw, or reject with, a `Denial` to refuse the request; any other error
   * is masked with 500. What takes longer than `limits.verifyTimeout` is answered with 503.
   * @example identify: (request) => new Caller({ id: session(request).user })
   */
  readonly identify?: (request: IncomingMessage) => MaybePromise<Caller>;
}

const NODE_OPTIONS = { ...ADDRESSED_OPTIONS, identify: OPTION_RULES.function };

/** The handler of a server that is started with it. */
export interface NodeHandler {
  /**
   * Answers a request; the first ones wait until the server has started. It never throws.
   * @param next called for a path at which the server has nothing, and with the error of a server that could not be started; without it
   * such a request gets 404 and 500
   */
  (request: IncomingMessage, response: ServerResponse, next?: (error?: unknown) => void): void;
  /** Whether the server has something at the path of a request; false before it has started. */
  serves(request: IncomingMessage): boolean;
  /** Resolves when the server has started; rejects with what `server.listen` rejects with. */
  readonly ready: Promise<void>;
  /** Closes the server: what has come is answered, streams and sessions end. The HTTP server is yours to close after it. */
  close(): Promise<void>;
}

/**
 * Starts a server, and serves it to Node's own HTTP servers and to the frameworks on them: Express, Connect, Nest.
 * @throws DefinitionError for options that do not exist or are of the wrong kind
 * @example http.createServer(createNodeHandler(server, { path: '/mcp' })).listen(3000, '127.0.0.1');
 * @example app.use(createNodeHandler(server, { path: '/mcp' }));
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
 */
export function createNodeHandler(server: Server, given: NodeHandlerOptions = {}): NodeHandler {
  requireOptions('createNodeHandler', given, NODE_OPTIONS);
  const { address, identify, isLoopback, ...options } = given;
  const listener = new NodeListener(server, options, { address, identify, isLoopback });
  const handle = (request: IncomingMessage, response: ServerResponse, next?: (error?: unknown) => void): void => {
    const fail = next ?? (() => answerBare(response, FAILED));
    listener.handle(request, response, next).catch(fail);
  };
  return Object.assign(handle, {
    serves: (request: IncomingMessage) => listener.serves(request),
    ready: listener.served.ready,
    close: () => listener.served.shutDown(),
  });
}

interface Knowledge {
  readonly address: NodeHandlerOptions['address'];
  readonly identify: NodeHandlerOptions['identify'];
  readonly isLoopback: boolean | undefined;
}

class NodeListener {
  readonly served: ServedEndpoint;
  readonly #cors: CorsRules;
  readonly #connections = new Connections();
  #isLoopback: boolean | undefined;

  constructor(
    server: Server,
    options: HttpHandlerOptions,
    private readonly known: Knowledge,
  ) {
    this.#isLoopback = known.isLoopback;
    this.#cors = corsRulesOf(options.allowedOrigins ?? []);
    this.served = new ServedEndpoint(server, options, {
      isLoopback: () => this.#isLoopback,
      identifies: known.identify !== undefined,
    });
    // A server that cannot be started answers each request with its error, whether or not the author waits for `ready`.
    this.served.ready.catch(() => undefined);
  }

  serves(message: NodeMessage): boolean {
    const { opened } = this.served;
    return opened !== undefined && hasPath(opened, targetOf(message));
  }

  /** Rejects if the server could not be started. */
  async handle(message: NodeMessage, response: ServerResponse, next?: (error?: unknown) => void): Promise<void> {
    this.#isLoopback ??= isBoundToLoopback(message.socket);
    const endpoint = await this.served.endpoint();
    // Outside of this promise: what it throws is not an error of this handler.
    if (next && !hasPath(endpoint, targetOf(message))) return process.nextTick(next);
    const { address, identify } = this.known;
    const request = new AddressedRequest(message, response, this.#connections, {
      address,
      identify,
      parsed: parsedBody(message),
    });
    const answer = this.#cors.preflight(request) ?? (await this.served.answer(request));
    dropRest(message, endpoint.host.clock);
    sendResponse(response, answer, this.#cors.headersFor(request), this.#connections);
  }
}

const FAILED = writeError(undefined, {
  code: ERROR_CODES['internal-error'],
  message: 'The request could not be served.',
});

/** A request whose address the program knows better than the connection. */
class AddressedRequest extends NodeRequest {
  readonly identify: (() => MaybePromise<Caller>) | undefined;

  constructor(
    message: NodeMessage,
    response: ServerResponse,
    connections: Connections,
    private readonly known: Pick<Knowledge, 'address' | 'identify'> & { readonly parsed: Buffer | undefined },
  ) {
    super(message, response, connections, known.parsed && headersFor(known.parsed, message.headers));
    const { identify } = known;
    this.identify = identify && (() => identify(message));
  }

  override get body(): AsyncIterable<Uint8Array> | undefined {
    return this.known.parsed ? onePiece(this.known.parsed) : super.body;
  }

  override get address(): string {
    return this.known.address?.(this.message) ?? super.address;
  }
}

/** Whether the server that has accepted a connection can only be reached from this machine. */
function isBoundToLoopback(socket: Socket): boolean {
  // Node sets it on each socket that a server accepts.
  const bound = (socket as { readonly server?: NetServer }).server?.address();
  if (bound === undefined || bound === null) return false;
  return typeof bound === 'string' || isLoopbackAddress(bound.address);
}

/** Sends a response with more headers. Headers that a framework has set on it before are sent, too. */
function sendResponse(
  response: ServerResponse,
  answer: HttpResponse,
  more: Readonly<Record<string, string>>,
  connections: Connections,
): void {
  const { body } = answer;
  const headers = { ...answer.headers, ...more };
  if (typeof body === 'object' && 'open' in body) return sendEvents(response, headers, answer, body);
  swallowErrors(response);
  connections.inTurn(response, () => {
    try {
      const length = body === undefined ? 0 : Buffer.byteLength(body);
      const isSized = answer.status !== 204 && response.req.method !== 'HEAD';
      response.writeHead(answer.status, { ...headers, ...(isSized && { 'content-length': length }) }).end(body);
    } catch (error) {
      if (!answer.failed) throw error;
      answerBare(response, answer.failed(error));
    }
  });
  // What waits for its turn takes memory as well.
  if (body !== undefined) answer.sent?.(response.writableEnded ? response.writableLength : body.length);
}

/**
 * Answers with 500 if no response has begun, else closes the connection.
 * @param text a JSON-RPC message
 */
export function answerBare(response: ServerResponse, text: string): void {
  if (response.headersSent) return void response.destroy();
  try {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
    response.writeHead(500, headers).end(text);
  } catch {
    response.destroy();
  }
}

/** The target as it was sent, also where a framework has cut its path. */
function targetOf({ originalUrl, url }: NodeMessage): string {
  return originalUrl ?? url ?? '';
}
