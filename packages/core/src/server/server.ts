/** The life cycle of a server: it starts once, listens on any number of transports, and closes once. */
import type { ServerCapabilities } from '@sigil-mcp/protocol';
import type { Provider } from '../container/provider';
import { sigilError } from '../errors/catalogue';
import { Instance } from '../instances/instance';
import { ALL_KINDS } from '../kinds/all-kinds';
import type { Kernel } from '../kernel/kernel';
import type { Observers } from '../kernel/observers';
import type { DefinitionContext, ServerExtensions } from '../extensions/server-extensions';
import { announceListening, announceStart } from './tool-channels';
import type { DescribedServer } from '../description/server-description';
import { ServerRegistry } from './server-registry';
import type { ServerEntries } from './server-entries';
import { warnOfSecrets } from './server-asking';
import { unawaited, type MaybePromise } from '@sigil-mcp/base';
import type { Transport, TransportHost } from '../transports/transport';
import { executionAsyncResource } from 'node:async_hooks';

/**
 * One of the objects that Node makes for each `process.nextTick`; an answer over HTTP takes a handful of them. V8 forgets their hidden class
 * when it collects garbage while none of them is alive, and the place that makes them stays compiled for the one that it forgot: from
 * then on each tick takes six times as long. One that is kept keeps the class alive.
 */
class CachedTick {
  /** The object, once the tick has come. */
  resource?: object;

  constructor() {
    process.nextTick(() => {
      this.resource = executionAsyncResource();
    });
  }
}

/** The parts of a server; only `createServer` makes one. */
export interface ServerInit<Parts = unknown> extends DefinitionContext {
  readonly entries: ServerEntries;
  readonly extensions: ServerExtensions;
  /** Undefined if nobody watches. */
  readonly observers: Observers | undefined;
  /** Milliseconds that running calls have to finish when the server closes. */
  readonly shutdownDeadline: number;
  /** Makes the kernel, once the advertised capabilities are known. */
  readonly createKernel: (capabilities: ServerCapabilities) => Kernel;
  /** What it offers now. */
  readonly describe: () => DescribedServer;
  /** Makes another server of the same definition, with further overrides. */
  readonly redefine: (overrides: readonly Provider[]) => Server<Parts>;
}

declare const parts: unique symbol;

/**
 * A server that `createServer` defined. It starts when it first listens, serves any number of transports, and is closed once.
 * @example
 * const server = createServer({ name: 'weather', version: '1.0.0', features: [WeatherFeature] });
 * await server.listen(new StdioTransport());
 */
export class Server<out Parts = unknown> {
  /** Never there: its features and modules, for `ClientOf`. */
  declare readonly [parts]?: Parts;
  /** What the server offers, to be changed while it runs. */
  readonly registry: ServerRegistry;
  /** Only held, never used. */
  protected readonly keptTick = new CachedTick();
  readonly #transports: Transport[] = [];
  /** Transports that are being opened; closing waits for them, and closes them then. */
  readonly #openings = new Set<Promise<void>>();
  #started: Promise<Kernel> | undefined;
  #kernel: Kernel | undefined;
  #instance: Instance | undefined;
  #closed: Promise<void> | undefined;
  #isListening = false;

  constructor(private readonly made: ServerInit<Parts>) {
    this.registry = new ServerRegistry(made.entries);
  }

  /**
   * Starts the server, if necessary, and serves clients on a transport.
   * @returns when clients can be served
   * @throws SigilError `SIGIL_SERVER_CLOSED` if the server was closed, also while it was starting; otherwise the error of a provider
   *   that was built or started (providers that were started before it are stopped again), or of opening the transport
   * @example await server.listen(new StdioTransport());
   */
  async listen(transport: Transport): Promise<void> {
    if (this.#closed) throw sigilError('SIGIL_SERVER_CLOSED');
    if (!this.#isListening) announceListening(this);
    this.#isListening = true;
    const opening = this.#open(transport);
    this.#openings.add(opening);
    try {
      await opening;
    } finally {
      this.#openings.delete(opening);
    }
  }

  /**
   * Makes another server of the same definition, in which these providers replace those of the same token; classes that are injected
   * without a provider can be replaced, too. Both servers have their own instances, clients and life cycle. Changes made through
   * `registry` are not copied. Providers that are replaced are not built.
   * @throws DefinitionError if the definition does not use a token, or if the server has a container of the user's
   * @example
   * const offline = server.override([{ provide: WeatherApi, useValue: { today: () => 'sun' } }]);
   */
  override(providers: readonly Provider[]): Server<Parts> {
    return this.made.redefine(providers);
  }

  /**
   * Everything that the server offers, as data: the exact definitions in each revision, who may use them, and their limits. No provider is
   * built or started for it, and it does not need `listen`. Changes made through `registry` are in it.
   * @example
   * const { entries, audiences } = server.describe();
   * for (const { key, access } of entries) console.log(key, access.scopes);
   * @see https://modelcontextprotocol.io/specification/2025-11-25/server/tools#data-types
   */
  describe(): DescribedServer {
    return this.made.describe();
  }

  /** Whether `listen` was called, and `close` was not. */
  get isListening(): boolean {
    return this.#isListening && !this.#closed;
  }

  /**
   * Closes the transports, with a deadline for running calls, then stops the providers. A start in progress is awaited, and stopped.
   * Every step is taken, even if an earlier one fails. Calling it again waits for the same end.
   * @returns when everything is closed
   * @throws SigilError after all steps, if one failed: the error of a transport, of the stores or of `onStop` hooks
   *   (`SIGIL_STOP_HOOKS`); several as `SIGIL_NOT_CLOSED`, whose `cause` is an AggregateError of them
   */
  close(): Promise<void> {
    return (this.#closed ??= this.#close());
  }

  /**
   * Notifies every client that subscribed to a resource that its contents have changed; does nothing before the start.
   * @param uri URI of the resource, or of a resource under a template
   * @example server.notifyResourceChanged('weather://oslo/today');
   * @see https://modelcontextprotocol.io/specification/2025-11-25/server/resources
   */
  notifyResourceChanged(uri: string): void {
    this.#kernel?.context.listeners.announce(uri);
  }

  async #open(transport: Transport): Promise<void> {
    const kernel = await this.#start(transport);
    this.#checkOpen();
    this.#transports.push(transport);
    await transport.open(this.#hostOf(kernel));
    // If the server was closed meanwhile, `close` closes this transport, too.
    this.#checkOpen();
  }

  #checkOpen(): void {
    if (this.#closed) throw sigilError('SIGIL_SERVER_CLOSED');
  }

  #start(transport: Transport): Promise<Kernel> {
    return (this.#started ??= this.#build(transport));
  }

  /** @param first the transport that it starts with */
  async #build(first: Transport): Promise<Kernel> {
    const { container, entries, extensions, observers, createKernel, stores } = this.made;
    try {
      await container.build();
      this.#checkOpen();
      const capabilities = entries.open();
      await container.start();
      await observers?.open(first);
      this.#checkOpen();
      this.#kernel = createKernel(capabilities);
      if (stores) await this.#openInstance(this.#kernel).join();
      extensions.kernel = this.#kernel;
      await extensions.start();
      this.#checkOpen();
      announceStart(this.registry);
      return this.#kernel;
    } catch (error) {
      await this.#undoStart();
      throw error;
    }
  }

  /** A server that could not start holds nothing open: providers that were started before the failure are stopped. */
  async #undoStart(): Promise<void> {
    const { extensions, observers, container, logger } = this.made;
    const watching = observers?.stops() ?? [];
    for (const err of await takeEveryStep([...extensions.stops(), ...watching, () => container.stop()]))
      logger.error({ err }, 'The server could not start, and not everything that was started could be stopped');
  }

  async #close(): Promise<void> {
    this.made.extensions.beginToClose();
    // First, so that subscription streams end and are not awaited.
    this.#kernel?.close();
    await Promise.allSettled(this.#openings);
    this.#kernel?.close();
    const detached = this.#kernel?.context.detached.close(this.made.shutdownDeadline, this.made.clock);
    const closed = await Promise.allSettled(this.#transports.map(async (transport) => transport.close()));
    await detached;
    const failures: unknown[] = closed.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
    const { entries, extensions, observers, container } = this.made;
    const steps = [...extensions.stops(), () => this.#instance?.leave(), () => entries.close()];
    steps.push(() => this.#started && container.stop());
    steps.push(...(observers?.stops() ?? []));
    // Uncaught errors of hooks must still be handled by the owner of the process.
    steps.push(...this.#transports.map((transport) => () => transport.release?.()));
    failures.push(...(await takeEveryStep(steps)));
    if (failures.length === 1) throw failures[0];
    if (failures.length > 1) {
      const cause = new AggregateError(failures);
      throw sigilError('SIGIL_NOT_CLOSED', { count: failures.length }, { cause });
    }
  }

  #openInstance(kernel: Kernel): Instance {
    if (this.made.stores) warnOfSecrets(this.made);
    return (this.#instance = new Instance(this.made, kernel.context.listeners));
  }

  /** Of a server without stores, the instance is made for the first transport that asks for it. */
  #instanceOf(kernel: Kernel): Instance {
    if (this.#instance) return this.#instance;
    const instance = this.#openInstance(kernel);
    unawaited(instance.join());
    return instance;
  }

  #hostOf(kernel: Kernel): TransportHost {
    const { logger, clock, shutdownDeadline } = this.made;
    const serveAnybody = (): void => this.made.entries.serveAnybody();
    const instance = (): Instance => this.#instanceOf(kernel);
    const lostByRestart = this.#lostByRestart();
    return {
      kernel,
      get instance() {
        return instance();
      },
      logger,
      clock,
      shutdownDeadline,
      lostByRestart,
      serveAnybody,
      close: () => this.close(),
    };
  }

  #lostByRestart(): readonly string[] {
    if (this.made.hasSecrets()) return [];
    const entries = ALL_KINDS.flatMap(({ kind }) => [...this.registry.entries(kind)]);
    return entries.filter(({ asks, list }) => asks.length > 0 || list?.isPaged === true).map(({ key }) => key);
  }
}

/**
 * Takes steps one after the other, all of them.
 * @returns what the steps threw, in their order; empty where all went well. Never rejects
 */
async function takeEveryStep(steps: readonly (() => MaybePromise<unknown>)[]): Promise<unknown[]> {
  const failures: unknown[] = [];
  for (const step of steps) {
    try {
      await step();
    } catch (failure) {
      failures.push(failure);
    }
  }
  return failures;
}
