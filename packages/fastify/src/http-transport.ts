/** MCP over HTTP without a Fastify app of the author: this transport owns the app and the process, and does what only their owner can do. */
import {
  ANONYMOUS,
  settleWithin,
  systemClock,
  type Observers,
  type Transport,
  type TransportHost,
} from '@sigil-mcp/core/adapter';
import { ownProcess } from '@sigil-mcp/core/internal';
import { SilentLogger, type Logger } from '@sigil-mcp/core';
import {
  checkOneHost,
  HttpCall,
  isLoopbackAddress,
  refusal,
  refused,
  reportRefusal,
  settingsOf,
  type Refusal,
} from '@sigil-mcp/http/adapter';
import {
  answerExpectation,
  Connections,
  firstAddressOf,
  LoopbackListener,
  unreadableRequests,
} from '@sigil-mcp/http/node-adapter';
import type { FastifyInstance, FastifyReply } from 'fastify';
import Fastify, { type FastifyError } from 'fastify';
import { ConnectionGate } from './connection-gate';
import { bindingOf, type Binding } from './options/binding';
import { connectionLimitsOf, type ConnectionLimits } from './options/connection-limits';
import { proxyTest } from './options/proxies';
import type { HttpTransportOptions } from './options/http-transport-options';
import { AppRequest } from './endpoint/register-routes';
import { writeErrors } from './endpoint/write-errors';
import { registerEndpoint, type OpenEndpoint } from './endpoint/register-endpoint';
import { httpError } from './errors';

/** Milliseconds that clients have to read the end of their streams. */
const LAST_BYTES = 1000;
/** Milliseconds that `onStop` hooks have at least when the process is to end. */
const LAST_HOOKS = 1000;
/**
 * Milliseconds, at most, that a process which is asked to end keeps connections on which nothing comes: a proxy or a client may send on
 * them before it knows, and nothing could answer that any more.
 */
const SILENCE = 500;

function sendRefusal(reply: FastifyReply, found: Refusal): void {
  const { status, headers, body } = refused(found);
  void reply.code(status).headers(headers).send(body);
}

/**
 * Serves an MCP server over HTTP, with a Fastify app of its own. Its constructor throws a `DefinitionError` for options that do not exist or
 * are of the wrong kind, and a `SigilError` if the variable
 * `PORT` is not a port or `trustProxy` has something that is not an address; `server.listen` throws one if the port is taken.
 * @example await server.listen(new HttpTransport({ port: 3000 }));
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
 */
export class HttpTransport implements Transport {
  /** For routes and plugins of your own; register them before the server listens. */
  readonly app: FastifyInstance;
  readonly #binding: Binding;
  readonly #connections: Required<ConnectionLimits>;
  #releaseProcess: (() => void) | undefined;
  #endpoint: OpenEndpoint | undefined;
  #otherAddress: LoopbackListener | undefined;
  #logger: Logger = new SilentLogger();
  #isAskedToEnd = false;
  /** Of the process, once it ends: the first that is not 0. */
  #exitCode = 0;
  #clock = systemClock;
  #observers: Observers | undefined;

  constructor(private readonly options: HttpTransportOptions = {}) {
    this.#binding = bindingOf(options, process.env);
    this.#connections = connectionLimitsOf(options.connections);
    const requestTimeout = options.requestTimeout ?? 30_000;
    this.app = Fastify({
      logger: false,
      trustProxy: this.#binding.trustProxy,
      requestTimeout,
      // Both ends of a keep-alive connection close it when idle; a proxy in front should be the first to do so.
      keepAliveTimeout: 72_000,
      routerOptions: { ignoreTrailingSlash: true },
      forceCloseConnections: 'idle',
      // The endpoint refuses by itself, in JSON-RPC.
      return503OnClosing: false,
      clientErrorHandler: unreadableRequests({
        clock: () => this.#clock,
        report: (found, error, socket) => this.#reportUnread(found, error, socket.remoteAddress),
      }),
      frameworkErrors: (error, { ip }, reply) => this.#refusePath(error, ip, reply),
      http: {
        requestTimeout,
        // The shorter one is the head's; Node's own default would swap them.
        headersTimeout: requestTimeout,
        connectionsCheckingInterval: Math.min(5000, Math.ceil(requestTimeout / 4) || 5000),
        // The checks do that, and answer in JSON-RPC.
        requireHostHeader: false,
      },
    });
    this.app.server.on('checkExpectation', answerExpectation);
    this.app.setErrorHandler((error: FastifyError, request, reply) =>
      writeErrors({
        logger: this.#logger,
        clock: this.#clock,
        bodyLimit: this.app.initialConfig.bodyLimit ?? Infinity,
        isHosted: false,
        observers: this.#observers,
        callOf: (refused, response) => new HttpCall(new AppRequest(refused, response, new Connections())),
      })(error, request, reply),
    );
    this.app.setNotFoundHandler(({ raw }) => {
      checkOneHost(raw);
      throw refusal(404, 'There is nothing under this path.');
    });
  }

  /** Where clients connect: `http://127.0.0.1:3000/mcp`; undefined until the server listens. */
  get url(): string | undefined {
    const bound = this.app.server.address();
    if (bound === null || typeof bound === 'string') return undefined;
    const address = bound.family === 'IPv6' ? `[${bound.address}]` : bound.address;
    return `${this.#binding.heldAt ?? `http://${address}:${bound.port}`}${this.options.path ?? '/mcp'}`;
  }

  async open(host: TransportHost): Promise<void> {
    this.#logger = host.logger;
    this.#clock = host.clock;
    this.#observers = host.kernel.context.observers;
    const { allowedHosts, allowedOrigins } = this.#binding;
    this.#endpoint = await registerEndpoint(
      this.app,
      host,
      settingsOf(
        { ...this.options, allowedOrigins, ...(allowedHosts && { allowedHosts }) },
        host.kernel.context.limits,
      ),
    );
    new ConnectionGate(this.app.server, {
      limits: this.#connections,
      isProxy: proxyTest(this.#binding.trustProxy),
      clock: host.clock,
      logger: host.logger,
      report: (found, address) => this.#reportUnread(found, found, address),
    });
    await this.#listen();
    // A connection that cannot be accepted, for want of descriptors, is no reason to end.
    this.app.server.on('error', (error) => host.logger.error({ err: error }, 'The HTTP server failed'));
    if (this.#binding.host === 'localhost')
      this.#otherAddress = await LoopbackListener.open(this.app.server, host.logger);
    if (this.options.handleSignals ?? true) {
      this.#releaseProcess = ownProcess({ logger: host.logger, stop: (exitCode) => this.#stop(host, exitCode) });
    }
    this.#warn(host);
    // The process that holds its clients has reported their address.
    host.logger[this.#binding.heldAt === undefined ? 'info' : 'debug']({ url: this.url }, 'Listening');
  }

  async close(): Promise<void> {
    await this.#endpoint?.refuseConnections();
    const otherClosed = this.#otherAddress?.close();
    await this.#endpoint?.close(this.#isAskedToEnd ? SILENCE : 0);
    const closed = Promise.all([this.app.close(), otherClosed]);
    // The last bytes need a moment to reach their clients; those that do not read are cut off, and those that have never sent anything.
    await settleWithin(LAST_BYTES, Promise.race([closed, this.#endpoint?.usedOnesGone()]));
    this.app.server.closeAllConnections();
    await closed;
  }

  release(): void {
    this.#releaseProcess?.();
  }

  async #listen(): Promise<void> {
    const { port, host } = this.#binding;
    try {
      await this.app.listen({ port, host: await firstAddressOf(host) });
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error;
      throw httpError('SIGIL_PORT_TAKEN', { port, host }, { cause: error });
    }
  }

  #refusePath(error: Error, address: string, reply: FastifyReply): void {
    const found = refusal(400, 'The path cannot be read.');
    this.#reportUnread(found, error, address);
    sendRefusal(reply, found);
  }

  /** Reports a request that is no request of HTTP: its headers were not read. */
  #reportUnread(found: Refusal, error: Error, address = ''): void {
    if (!this.#observers) return;
    const request = { headers: {}, address };
    reportRefusal({ refusal: found, error }, { caller: ANONYMOUS, request }, this.#observers);
  }

  #warn({ logger }: TransportHost): void {
    const { host, allowedHosts } = this.#binding;
    if (isLoopbackAddress(host) || allowedHosts !== undefined) return;
    logger.warn(
      { host },
      'The server is reachable from elsewhere and checks no Host header. Name its hosts: allowedHosts (ALLOWED_HOSTS).',
    );
  }

  #stop(host: TransportHost, exitCode: number): void {
    if (exitCode !== 0 && this.#exitCode === 0) {
      this.#exitCode = exitCode;
      // Where nothing is left to wait for, Node ends the process by itself.
      process.exitCode = exitCode;
    }
    if (this.#isAskedToEnd) return;
    this.#isAskedToEnd = true;
    this.#exitInTime(host);
    this.#shutDown(host).catch((error: unknown) =>
      host.logger.error({ err: error }, 'The process did not end cleanly'),
    );
  }

  /** A process must not live on, with its port closed, because a hook never ends. */
  #exitInTime({ shutdownDeadline, clock, logger }: TransportHost): void {
    const limit = shutdownDeadline + SILENCE + 2 * LAST_BYTES + Math.max(shutdownDeadline, LAST_HOOKS);
    const end = (): void => {
      logger.error({ limit }, 'A hook onStop has not ended in time. The process ends without it.');
      process.exit(this.#exitCode || 1);
    };
    clock.after(limit, end).unref();
  }

  async #shutDown(host: TransportHost): Promise<void> {
    const failed = await host.close().then(
      () => false,
      (error: unknown) => {
        host.logger.error({ err: error }, 'The server did not close cleanly');
        return true;
      },
    );
    process.exit(failed ? 1 : this.#exitCode);
  }
}
