/** The endpoint in the HTTP server of the application: in front of its parsers, of its CORS and of its routes. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApplicationConfig, HttpAdapterHost } from '@nestjs/core';
import type { Server } from '@sigil-mcp/core';
import { createNodeHandler, type NodeHandler, type NodeHandlerOptions } from '@sigil-mcp/http/node';
import { platformRequests } from './call-contexts';
import type { EndpointGuards, RouteArguments } from './endpoint-guards';
import { nestError } from './errors';
import type { SigilModuleOptions } from './module-options';

/** The part of Express that is used. */
interface ExpressApp {
  use(handle: (request: IncomingMessage, response: ServerResponse, next: () => void) => void): void;
}

/** The part of Fastify that is used, which is the same in each of its copies. */
interface FastifyHooks {
  addHook(
    name: 'onRequest',
    hook: (
      request: { readonly raw: IncomingMessage },
      reply: { readonly raw: ServerResponse; hijack(): void },
      done: () => void,
    ) => void,
  ): void;
}

type Serve = (request: IncomingMessage, response: ServerResponse, route: RouteArguments) => boolean;

/** The endpoint, and the guards in front of it. */
export interface GuardedEndpoint {
  readonly options: SigilModuleOptions;
  readonly guards: EndpointGuards | undefined;
}

/** Serves the endpoint, once it is open, to the application. */
export class HttpMount {
  #handler: NodeHandler | undefined;
  #placed: object | undefined;
  readonly #routes = new WeakMap<IncomingMessage, RouteArguments>();

  constructor(
    private readonly host: HttpAdapterHost,
    private readonly config: ApplicationConfig,
    private readonly endpoint: GuardedEndpoint,
  ) {}

  /** Puts the endpoint in front of everything that is added to the platform from now on. Does nothing before the application has a platform. */
  place(): void {
    const { httpAdapter } = this.host;
    const type = httpAdapter?.getType?.();
    const app = type === undefined ? undefined : httpAdapter.getInstance<object>();
    if (!app || this.#placed === app) return;
    if (type === 'express') putInExpress(app as ExpressApp, this.#serve);
    else if (type === 'fastify') putInFastify(app as FastifyHooks, this.#serve);
    else return;
    this.#placed = app;
  }

  /** Does so as soon as there is a platform: a testing module gets it after its providers are built. */
  placeEarly(): void {
    this.place();
    // The first versions of Nest 10 do not announce it: then `place` is called when the application starts.
    const { init$ } = this.host as Partial<Pick<HttpAdapterHost, 'init$'>>;
    init$?.subscribe(() => this.place());
  }

  /** Whether the application has an HTTP server. */
  get hasPlatform(): boolean {
    const type = this.host.httpAdapter?.getType?.();
    return type !== undefined && type !== '';
  }

  /** Builds what is in front of the endpoint. Rejects if a dependency of a guard is missing. */
  async build(): Promise<void> {
    await this.endpoint.guards?.build();
  }

  /** Ends what is in front of the endpoint, when the server has closed. */
  async close(): Promise<void> {
    await this.endpoint.guards?.stop();
  }

  /** Starts the server, and serves it. Rejects with what `server.listen` rejects with. */
  async open(server: Server): Promise<void> {
    const { options } = this.endpoint;
    this.place();
    if (!this.#placed) throw nestError('SIGIL_NEST_PLATFORM', { platform: this.host.httpAdapter.getType() });
    await this.endpoint.guards?.start();
    this.#handler = createNodeHandler(server, {
      // Applications of Nest have probes of their own.
      health: false,
      ...options.http,
      path: this.path,
      address: () => addressOf(platformRequests.getStore()),
      ...this.#identification(),
    });
    await this.#handler.ready;
  }

  readonly #serve: Serve = (request, response, route) => {
    const handler = this.#handler;
    if (!handler?.serves(request)) return false;
    if (this.endpoint.guards) this.#routes.set(request, route);
    platformRequests.run(route.request, () => handler(request, withoutCors(response)));
    return true;
  };

  #identification(): Pick<NodeHandlerOptions, 'identify'> {
    const { guards, options } = this.endpoint;
    const { http } = options;
    if (!guards) return {};
    if (http !== undefined && http !== false && http.auth) throw nestError('SIGIL_NEST_TWO_GATES');
    // Every request of the handler has passed `#serve`.
    return { identify: (request) => guards.admit(this.#routes.get(request) as RouteArguments) };
  }

  /** The path of the endpoint, behind the global prefix. */
  get path(): string {
    const { path = '/mcp', globalPrefix = true } = this.endpoint.options;
    const prefix = this.config.getGlobalPrefix();
    const { exclude = [] } = this.config.getGlobalPrefixOptions();
    if (!globalPrefix || prefix === '' || exclude.some(({ pathRegex }) => pathRegex.test(path))) return path;
    const parts = [prefix, path].map((part) => part.replace(/^\/+|(?<!\/)\/+$/g, ''));
    return `/${parts.filter((part) => part !== '').join('/')}`;
  }
}

function putInExpress(app: ExpressApp, serve: Serve): void {
  app.use((request, response, next) => {
    if (!serve(request, response, { request, response })) next();
  });
}

function putInFastify(app: FastifyHooks, serve: Serve): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (serve(request.raw, reply.raw, { request, response: reply })) reply.hijack();
    else done();
  });
}

/** The adapter of Nest runs its CORS before every other hook: what that allows is for routes. */
function withoutCors(response: ServerResponse): ServerResponse {
  for (const name of response.getHeaderNames()) if (name.startsWith('access-control-')) response.removeHeader(name);
  return response;
}

/** The address that the platform knows, behind the proxies that it trusts. */
function addressOf(platform: object | undefined): string | undefined {
  const ip: unknown = platform && Reflect.get(platform, 'ip');
  return typeof ip === 'string' ? ip : undefined;
}
