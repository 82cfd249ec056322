/** A Fastify scope in which every request is checked before its body is read, and every failure has a JSON-RPC body. */
import type { IncomingMessage } from 'node:http';
import type { MaybePromise } from '@sigil-mcp/core/adapter';
import { isPromise } from '@sigil-mcp/core/internal';
import type { HttpResponse, HttpRequest } from '@sigil-mcp/http';
import {
  admit,
  BodyReader,
  checkAccepting,
  HttpCall,
  methodNotAllowed,
  type RequestHandler,
  type Endpoint,
  type Route,
  refusal,
} from '@sigil-mcp/http/adapter';
import { type Connections, type ServerConnections, NodeRequest } from '@sigil-mcp/http/node-adapter';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { registerCors } from './cors';
import { sendResponse } from './send-response';
import { writeErrors } from './write-errors';

/** The connections that an endpoint is served on. */
export interface EndpointConnections {
  readonly connections: Connections;
  /** Notified of each request when its head has arrived, and when its response has begun. */
  readonly arrivals: ServerConnections;
}

const CALL = Symbol('The call of a request');
type CallRequest = FastifyRequest & { [CALL]?: HttpCall };

/** Registers the routes of an endpoint in a scope of their own: parsers, hooks and error handlers of the rest of the app stay as they are. */
export async function registerRoutes(
  app: FastifyInstance,
  endpoint: Endpoint,
  connections: EndpointConnections,
): Promise<void> {
  await app.register(async (scope) => {
    const cors = await registerCors(scope, endpoint.settings.allowedOrigins);
    const routes = new AppRoutes(endpoint, connections);
    scope.decorateRequest(CALL);
    scope.removeAllContentTypeParsers();
    // By its name, which is found fastest, and for every other type that passes the checks of the head.
    for (const type of ['application/json', '*'])
      scope.addContentTypeParser(type, (request, payload, done) => routes.readBody(request, payload, done));
    scope.setErrorHandler((error: Error, request, reply) => routes.refuse(error, request, reply));
    for (const route of endpoint.routes) routes.register(scope, route, { cors });
  });
}

/** The stages of a request, as Fastify calls them. */
class AppRoutes {
  readonly #write: ReturnType<typeof writeErrors>;

  constructor(
    private readonly endpoint: Endpoint,
    private readonly init: EndpointConnections,
  ) {
    const { host, settings } = endpoint;
    this.#write = writeErrors({
      logger: host.logger,
      clock: host.clock,
      bodyLimit: settings.bodyLimit,
      isHosted: true,
      observers: host.kernel.context.observers,
      callOf: (request, reply) => this.#callOf(request, reply),
      unreadableId: (request, reply) => this.#routeOf(request)?.unreadableId(this.#callOf(request, reply)),
    });
  }

  /** Adds one path. */
  register(scope: FastifyInstance, route: Route, config: object): void {
    const { path: url, methods } = route;
    const onRequest = this.#admitted(route);
    for (const [method, answerer] of Object.entries(methods)) {
      const handler = this.#handler(route, answerer);
      scope.route({ method, url, exposeHeadRoute: false, config, handler, onRequest });
    }
    const refuse = (): never => {
      checkAccepting(this.endpoint);
      throw methodNotAllowed(Object.keys(methods).join(', '));
    };
    // Before a byte of the body is read. A preflight was answered by the CORS hook before.
    const others = scope.supportedMethods.filter((method) => !(method in methods));
    scope.route({ method: others, url, config, handler: refuse, onRequest: refuse });
  }

  /** Reads the body of a request. All that have one have been admitted before. */
  readBody(request: CallRequest, payload: FastifyRequest['raw'], done: BodyDone): void {
    const call = request[CALL] as HttpCall;
    let reader: BodyReader;
    try {
      reader = new BodyReader(call, this.endpoint.bodies, payload !== request.raw);
    } catch (error) {
      return done(error as Error);
    }
    collectBody(payload, reader, done);
  }

  /** Answers a request that has failed. */
  refuse(error: Error, request: CallRequest, reply: FastifyReply): FastifyReply {
    this.#handled(request[CALL], reply);
    return this.#write(error, request, reply);
  }

  /** One hook for all checks that nothing comes between: each would cost its own turn through Fastify's runner. */
  #admitted(route: Route) {
    return (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void => {
      const call = this.#callOf(request, reply);
      this.init.arrivals.arrived(reply.raw);
      const admitted = admit(call, route, this.endpoint);
      if (isPromise(admitted)) admitted.then(() => done(), done);
      else done();
    };
  }

  /** Answers a request that was admitted, once its body is there. */
  #handler(route: Route, answerer: RequestHandler) {
    return (request: CallRequest, reply: FastifyReply): MaybePromise<FastifyReply | void> => {
      // Nothing is begun any more that could only be cut off.
      checkAccepting(this.endpoint);
      const call = request[CALL] as HttpCall;
      call.body = request.body as Buffer | undefined;
      const prepared = route.prepare?.(call);
      if (!isPromise(prepared)) {
        prepared?.();
        return this.#respond(call, reply, answerer);
      }
      return prepared.then((finish) => {
        finish?.();
        return this.#respond(call, reply, answerer) ?? reply;
      });
    };
  }

  #respond(call: HttpCall, reply: FastifyReply, answerer: RequestHandler): MaybePromise<FastifyReply | void> {
    const response = answerer(call);
    // What has resolved may be answered later: without the reply Fastify would answer with nothing.
    if (isPromise(response)) {
      return response.then((later) => {
        this.#send(call, reply, later);
        return reply;
      });
    }
    this.#send(call, reply, response);
  }

  #send(call: HttpCall, reply: FastifyReply, response: HttpResponse): void {
    sendResponse(reply, response, this.init.connections);
    this.#handled(call, reply);
  }

  #handled(call: HttpCall | undefined, reply: FastifyReply): void {
    call?.closeBody?.();
    this.init.arrivals.handled(reply.raw);
  }

  #callOf(request: CallRequest, reply: FastifyReply): HttpCall {
    return (request[CALL] ??= new HttpCall(new AppRequest(request, reply, this.init.connections)));
  }

  #routeOf({ routeOptions }: FastifyRequest): Route | undefined {
    const { routes, prefix } = this.endpoint;
    return routes.find(({ path }) => `${prefix}${path}` === routeOptions.url);
  }
}

/** A request of an app as the port of HTTP has it, with what hooks of the app have changed; made once for each request. */
export class AppRequest extends NodeRequest implements HttpRequest {
  constructor(
    private readonly request: FastifyRequest,
    reply: FastifyReply,
    connections: Connections,
  ) {
    super(request.raw, reply.raw, connections, request.headers);
  }

  /** By the proxies that the app trusts. */
  override get address(): string {
    return this.request.ip;
  }

  /** The app reads the body, so that its hooks may change it. */
  override get body(): undefined {
    return undefined;
  }
}

/** Takes a body, or what is wrong with it. */
export type BodyDone = (error: Error | null, body?: Buffer) => void;

/** The stream that a `preParsing` hook returns instead of the body may report the length of the body. */
type Payload = IncomingMessage & { readonly receivedEncodedLength?: number };

/**
 * Reads a body to its end, and is done once. Used instead of Fastify's own reading, which holds each piece without checking whether there is room. After a failure, the rest of the body is left to the code that answers.
 * @param reader takes the pieces, and refuses them
 */
function collectBody(payload: Payload, reader: BodyReader, done: BodyDone): void {
  let isDone = false;
  const finish: BodyDone = (error, body) => {
    if (isDone) return;
    isDone = true;
    done(error, body);
  };
  const onData = (piece: Buffer | string): void => {
    if (isDone) return;
    try {
      // A hook's stream may be one of text.
      reader.add(typeof piece === 'string' ? Buffer.from(piece) : piece, payload.receivedEncodedLength);
    } catch (error) {
      finish(error as Error);
    }
  };
  const onEnd = (): void => {
    if (isDone) return;
    let body: Buffer;
    try {
      body = reader.end(payload.receivedEncodedLength);
    } catch (error) {
      return finish(error as Error);
    }
    finish(null, body);
  };
  const onError = (error: Error): void =>
    finish(isForClient(error) ? error : refusal(400, 'The request could not be read.'));
  payload.on('data', onData).on('end', onEnd).on('error', onError).resume();
}

/** Whether the stream of a hook says how to answer, as one that decrypts may. */
function isForClient(error: Error): boolean {
  return 'statusCode' in error && typeof error.statusCode === 'number' && error.statusCode >= 400;
}
