/** This process as one of the instances of a server: sends messages to one instance, or to all of them. */
import { randomBytes } from 'node:crypto';
import type { JsonObject } from '@sigil-mcp/protocol';
import type { ChangeListeners } from '../kernel/change-listeners';
import { sigilError } from '../errors/catalogue';
import type { Logger } from '../logging/logger';
import { lifeOf } from '../extensions/shared-life';
import {
  andThen,
  isObject,
  isPromise,
  parseJson,
  unawaited,
  type Clock,
  type MaybePromise,
  type Timer,
} from '@sigil-mcp/base';
import { type Stores, StoreAway } from '../stores/stores';
import { InstanceChanges } from './instance-changes';
import { listDigestsOf, ReleaseWatch } from './release-watch';
import { ProcessStores } from '../stores/memory-stores';
import type { DefinitionContext } from '../extensions/server-extensions';
import { clockOutside } from '../values/outside-requests';

/** Milliseconds between two checks. */
const INTERVAL = 2000;

/** Milliseconds without the store after which subscriptions are closed. */
const PATIENCE = 10_000;

/**
 * What is watched, and the callbacks.
 *
 * Checks regularly whether the store can be reached: without requests, its loss would never be noticed.
 */
interface StoreWatchInit {
  /** Rejects if the store cannot be reached. */
  readonly look: () => MaybePromise<unknown>;
  readonly logger: Logger;
  /** Called with each check after the store has been unreachable for long. */
  readonly deaf: () => void;
  readonly clock: Clock;
}

/** Checks from `start` to `stop`. */
class StoreWatch {
  #awaySince: Date | undefined;
  #timer: Timer | undefined;
  #isLooking = false;

  constructor(private readonly init: StoreWatchInit) {}

  /** Undefined while the store can be reached. */
  get awaySince(): Date | undefined {
    return this.#awaySince;
  }

  start(): void {
    this.#timer ??= this.init.clock.every(INTERVAL, () => unawaited(this.#look())).unref();
  }

  stop(): void {
    this.#timer?.close();
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      await this.init.look();
      if (this.#awaySince) this.init.logger.info({ since: this.#awaySince }, 'The store is back');
      this.#awaySince = undefined;
    } catch (error) {
      if (!this.#awaySince) this.init.logger.warn({ err: error }, 'The store is unreachable');
      this.#awaySince ??= new Date(this.init.clock.now());
      if (this.init.clock.now() - this.#awaySince.getTime() >= PATIENCE) this.init.deaf();
    } finally {
      this.#isLooking = false;
    }
  }
}

/** Handles a message of another instance, or of this one. It must not throw. */
export type HearMessage = (body: JsonObject) => void;

type InstanceContext = Pick<DefinitionContext, 'server' | 'stores' | 'registry' | 'logger' | 'clock'>;

/** Far above the actual rate: it only matters that something is written. */
const LOOKS = { calls: 1000, per: 'second' } as const;
/** Longer than what a session writes at once: a store without room for it has no room for sessions. */
const LONG_TEXT = ' '.repeat(16_384);
/** One look of so many writes the long text: a store that keeps a journal would otherwise grow by it every two seconds. */
const LONG_LOOKS = 5;

/** Joins the bus when the server starts, and leaves it when it closes. */
export class Instance {
  /** Unique among all instances, past and future. */
  readonly id = randomBytes(8).toString('hex');
  /** Whether no other instance shares its stores: then nobody needs to be told what happens here. */
  readonly isAlone: boolean;
  readonly stores: Stores;
  /** What this instance and others announce. */
  readonly changes: InstanceChanges;
  readonly #server: string;
  readonly #logger: Logger;
  readonly #heard = new Map<string, Set<HearMessage>>();
  readonly #makeUps = new Set<() => void>();
  readonly #watch: StoreWatch | undefined;
  readonly #release: ReleaseWatch | undefined;
  #looks = 0;
  #leaveBus: (() => MaybePromise<void>) | undefined;
  #hasEntered = false;
  #left: Promise<void> | undefined;

  /** @param context of its server, whose entries are compiled */
  constructor({ server, stores: shared, registry, logger, clock }: InstanceContext, listeners: ChangeListeners) {
    const stores = shared ?? new ProcessStores(clock);
    this.#server = server.name;
    this.stores = stores;
    this.#logger = logger;
    this.isAlone = shared === undefined;
    this.changes = new InstanceChanges({ instance: this.id, bus: stores.bus, listeners, logger });
    if (!shared) return;
    const own = clockOutside(clock);
    this.#watch = new StoreWatch({
      look: () => this.#look(),
      logger,
      clock: own,
      // Subscribers would miss all changes; when they reconnect, they reach another instance or a store that is back.
      deaf: () => listeners.endAll('The server does not receive changes at the moment.'),
    });
    this.#release = new ReleaseWatch({
      id: this.id,
      digests: listDigestsOf(registry),
      clock: own,
      announce: (list) => listeners.announceList(list),
      broadcast: (kind, body) => this.broadcast(kind, body),
      send: (instance, kind, body) => this.send(instance, kind, body),
      isAlive: (instance) => stores.bus.isAlive(instance),
      swap: (name, text) => stores.bus.swap(name, text),
    });
    const release = this.#release;
    this.onMessage(release.kind, (message) => release.hear(message));
    this.onLost(() => release.start());
  }

  /** The time since which the store has been unreachable; undefined while it answers. */
  get awaySince(): Date | undefined {
    return this.#watch?.awaySince;
  }

  /** Receives messages from now on; problems of the store are logged. Throws or rejects with a `SigilError` if the store cannot be used. */
  join(): MaybePromise<void> {
    this.#hasEntered = true;
    try {
      const joined = andThen(lifeOf(this.stores).enter(), () =>
        andThen(this.stores.check?.(this.#server), (sentences = []) => {
          for (const sentence of sentences) this.#logger.warn({}, sentence);
          return this.#joinBus();
        }),
      );
      if (!isPromise(joined)) return this.#begin();
      return joined.then(
        () => this.#begin(),
        (error: unknown) => this.#refuse(error),
      );
    } catch (error) {
      return this.#refuse(error);
    }
  }

  #begin(): void {
    this.changes.serve();
    this.#watch?.start();
    this.#release?.start();
  }

  async #refuse(error: unknown): Promise<never> {
    await this.leave();
    throw sigilError('SIGIL_STORES_UNUSABLE', { reason: reasonOf(error) }, { cause: error });
  }

  #joinBus(): MaybePromise<void> {
    const joined = this.stores.bus.join(this.id, {
      message: (text) => this.#hear(text),
      change: (text, place) => this.changes.hear(text, place),
      lost: (count) => this.#lose(count),
      missed: () => this.changes.miss(),
    });
    return andThen(joined, (leave) => {
      this.#leaveBus = leave;
      return this.changes.begin();
    });
  }

  /** Leaves the bus, and closes the stores. Calling it again waits for the same end. */
  leave(): Promise<void> {
    return (this.#left ??= this.#leaveAll());
  }

  async #leaveAll(): Promise<void> {
    this.#watch?.stop();
    this.#release?.stop();
    this.changes.close();
    try {
      await this.#leaveBus?.();
    } catch (error) {
      this.#logger.warn({ err: error }, 'The store could not be notified that this instance leaves');
    }
    // The stores may be those of other servers, too.
    if (this.#hasEntered) await lifeOf(this.stores).leave(() => this.stores.close());
  }

  /** Handles messages of a kind. Returns a function that removes the handler. */
  onMessage(kind: string, hear: HearMessage): () => void {
    const heard = this.#heard.get(kind) ?? new Set();
    this.#heard.set(kind, heard.add(hear));
    return () => void heard.delete(hear);
  }

  /** Calls back when messages were lost. Returns a function that removes the callback. */
  onLost(makeUp: () => void): () => void {
    this.#makeUps.add(makeUp);
    return () => void this.#makeUps.delete(makeUp);
  }

  /** Sends a message to one instance; false if it is not alive. */
  send(instance: string, kind: string, body: object): MaybePromise<boolean> {
    return this.stores.bus.send(instance, JSON.stringify({ kind, ...body }));
  }

  /** Sends a message to all instances, this one included. */
  broadcast(kind: string, body: object): MaybePromise<void> {
    return this.stores.bus.broadcast(JSON.stringify({ kind, ...body }));
  }

  /** A store that was away has to take the long text before it counts as back. */
  #look(): MaybePromise<unknown> {
    const isLong = this.#looks++ % LONG_LOOKS === 0 || this.awaySince !== undefined;
    return isLong ? this.stores.bus.swap('look', LONG_TEXT) : this.stores.rates.take(`look:${this.id}`, LOOKS);
  }

  /** Messages to sessions that were lost are not sent again: the sessions are read from the store instead. */
  #lose(count: number | undefined): void {
    this.#logger.warn(
      { lost: count ?? 'some' },
      'Messages of other instances were lost before this one could read them: more were sent than the store keeps. Sessions in use are read again; cancellations among the lost messages have no effect',
    );
    for (const makeUp of this.#makeUps) makeUp();
  }

  #hear(text: string): void {
    const message = parseJson(text);
    if (!isObject(message) || typeof message['kind'] !== 'string') return;
    for (const hear of this.#heard.get(message['kind']) ?? []) hear(message);
  }
}

/** The cause of an error, for an operator. */
function reasonOf(error: unknown): string {
  const reason: unknown = error instanceof StoreAway ? (error.cause ?? error) : error;
  return (reason instanceof Error ? reason.message : String(reason)).replace(/\.$/, '');
}
