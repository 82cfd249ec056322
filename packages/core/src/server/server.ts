/** A server's life: started once, listening on any number of transports, closed once. */
import type { ServerCapabilities } from '@sigil-mcp/protocol';
import type { Container } from '../container/container';
import type { Provider } from '../container/provider';
import { sigilError } from '../errors/sigil-error';
import type { Instance } from '../instances/instance';
import type { Kernel } from '../kernel/kernel';
import type { Logger } from '../logging/logger';
import { KeptTick } from './kept-tick';
import { ServerRegistry } from './server-registry';
import type { ServerEntries } from './server-entries';
import type { Clock } from '../time/clock';
import { takeEveryStep } from '../values/take-every-step';
import type { Transport, TransportHost } from '../transports/transport';

/** What a server is made of; only `createServer` makes one. */
export interface ServerInit {
  readonly container: Container;
  readonly entries: ServerEntries;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Milliseconds that running calls have to finish when the server closes. */
  readonly shutdownDeadline: number;
  /** Makes the kernel, once it is known what the server advertises. */
  readonly createKernel: (capabilities: ServerCapabilities) => Kernel;
  /** Makes this process one of several, where the definition names stores; undefined where it is alone. */
  readonly openInstance: (kernel: Kernel) => Instance | undefined;
  /** Makes another server of the same definition, with further overrides. */
  readonly redefine: (overrides: readonly Provider[]) => Server;
}

/**
 * A server that `createServer` defined. It starts when it first listens, serves any number of transports, and is closed once.
 * @example
 * const server = createServer({ name: 'weather', version: '1.0.0', features: [WeatherFeature] });
 * await server.listen(new StdioTransport());
 */
export class Server {
  /** What the server offers, to be changed while it runs. */
  readonly registry: ServerRegistry;
  /** Held, and nothing else. */
  protected readonly keptTick = new KeptTick();
  readonly #transports: Transport[] = [];
  /** Transports that are being opened; closing waits for them, and closes them then. */
  readonly #openings = new Set<Promise<void>>();
  #started: Promise<Kernel> | undefined;
  #kernel: Kernel | undefined;
  #instance: Instance | undefined;
  #closed: Promise<void> | undefined;
  #isListening = false;

  constructor(private readonly made: ServerInit) {
    this.registry = new ServerRegistry(made.entries);
  }

  /**
   * Starts the server, if that has not happened, and serves clients on a transport.
   * @returns when clients can be served
   * @throws SigilError `SIGIL_SERVER_CLOSED` if the server was closed, also while it was starting; else what a provider threw while
   *   it was built or started (those that were started before it are stopped again), or the transport while it was opened
   * @example await server.listen(new StdioTransport());
   */
  async listen(transport: Transport): Promise<void> {
    if (this.#closed) throw sigilError('SIGIL_SERVER_CLOSED');
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
   * Makes another server of the same definition, in which these providers stand in the place of those of the same token;
   * classes that are injected without being named among the providers can be replaced, too. Both servers have instances, clients
   * and a life of their own, and the other one does not have what was changed through `registry`. What is replaced is not built.
   * @throws DefinitionError if nothing in the definition knows a token, or if the server has a container of the user's
   * @example
   * const offline = server.override([{ provide: WeatherApi, useValue: { today: () => 'sun' } }]);
   */
  override(providers: readonly Provider[]): Server {
    return this.made.redefine(providers);
  }

  /** Whether `listen` was called, and `close` was not. */
  get isListening(): boolean {
    return this.#isListening && !this.#closed;
  }

  /**
   * Closes the transports, with a deadline for what runs, then stops the providers. What is being started is waited for, and stopped.
   * Every step is taken, also when one before it fails. Calling it again waits for the same end.
   * @returns when everything is closed
   * @throws SigilError what failed, once all is done: the error of a transport, of the stores or of `onStop` hooks
   *   (`SIGIL_STOP_HOOKS`); several as `SIGIL_NOT_CLOSED`, whose `cause` is an AggregateError of them
   */
  close(): Promise<void> {
    return (this.#closed ??= this.#close());
  }

  /**
   * Tells every client that subscribed to a resource that its contents have changed; before the start there is none to tell.
   * @param uri URI of the resource, or of a resource under a template
   * @example server.notifyResourceChanged('weather://oslo/today');
   * @see https://modelcontextprotocol.io/specification/2025-11-25/server/resources
   */
  notifyResourceChanged(uri: string): void {
    this.#kernel?.listeners.announce(uri);
  }

  async #open(transport: Transport): Promise<void> {
    const kernel = await this.#start();
    this.#checkOpen();
    this.#transports.push(transport);
    await transport.open(this.#hostOf(kernel));
    // Whoever closed the server meanwhile closes the transport, too.
    this.#checkOpen();
  }

  #checkOpen(): void {
    if (this.#closed) throw sigilError('SIGIL_SERVER_CLOSED');
  }

  #start(): Promise<Kernel> {
    return (this.#started ??= this.#build());
  }

  async #build(): Promise<Kernel> {
    const { container, entries, createKernel, openInstance } = this.made;
    try {
      await container.build();
      this.#checkOpen();
      const capabilities = entries.open();
      await container.start();
      this.#checkOpen();
      this.#kernel = createKernel(capabilities);
      this.#instance = openInstance(this.#kernel);
      await this.#instance?.join();
      return this.#kernel;
    } catch (error) {
      await this.#undoStart();
      throw error;
    }
  }

  /** A server that could not start holds nothing open: what was started before the failure is stopped. */
  async #undoStart(): Promise<void> {
    try {
      await this.made.container.stop();
    } catch (error) {
      this.made.logger.error(
        { err: error },
        'The server could not start, and not everything that was started could be stopped',
      );
    }
  }

  async #close(): Promise<void> {
    // First, so that streams which wait for changes end by themselves and nobody waits for them.
    this.#kernel?.close();
    await Promise.allSettled(this.#openings);
    this.#kernel?.close();
    const closed = await Promise.allSettled(this.#transports.map(async (transport) => transport.close()));
    const failures: unknown[] = closed.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
    const { entries, container } = this.made;
    const steps = [() => this.#instance?.leave(), () => entries.close(), () => this.#started && container.stop()];
    // What hooks throw where nobody catches it must still find the owner of the process.
    steps.push(...this.#transports.map((transport) => () => transport.release?.()));
    failures.push(...(await takeEveryStep(steps)));
    if (failures.length === 1) throw failures[0];
    if (failures.length > 1) {
      const cause = new AggregateError(failures);
      throw sigilError('SIGIL_NOT_CLOSED', { count: failures.length }, { cause });
    }
  }

  #hostOf(kernel: Kernel): TransportHost {
    const { logger, clock, shutdownDeadline } = this.made;
    const serveAnybody = (): void => this.made.entries.serveAnybody();
    const instance = this.#instance;
    return { kernel, instance, logger, clock, shutdownDeadline, serveAnybody, close: () => this.close() };
  }
}
