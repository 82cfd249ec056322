/** This process as one of the instances of a server: what is said by one reaches another, or all of them. */
import { randomBytes } from 'node:crypto';
import type { JsonObject } from '@sigil-mcp/protocol';
import type { Announcement, Audience, ChangeListeners } from '../kernel/change-listeners';
import { sigilError } from '../errors/sigil-error';
import type { Logger } from '../logging/logger';
import { StoreAway } from '../stores/store-away';
import type { Clock } from '../time/clock';
import type { Stores } from '../stores/stores';
import { BoundedMap } from '../values/bounded-map';
import { isObject } from '../values/plain-object';
import { isPromise, unawaited, type MaybePromise } from '../values/maybe-promise';
import { readAnnouncement, writeAnnouncement } from './announcements';
import { StoreWatch } from './store-watch';

/** Takes what another instance, or this one, has said. It must not throw. */
export type HearMessage = (body: JsonObject) => void;

/** What an instance works with. */
export interface InstanceInit {
  /** The name of the server. */
  readonly server: string;
  readonly stores: Stores;
  readonly listeners: ChangeListeners;
  readonly logger: Logger;
  readonly clock: Clock;
}

/** More than is ever taken: what counts is that something is written. */
const LOOKS = { calls: 1000, per: 'second' } as const;

/** Own changes that are remembered until they are heard back; of an older one the entries say who is told. */
const MOST_ANNOUNCED = 1000;

/** Joins when the server starts, and leaves when it closes. */
export class Instance {
  /** No other has, had or will have this one. */
  readonly id = randomBytes(8).toString('hex');
  readonly stores: Stores;
  readonly #server: string;
  readonly #listeners: ChangeListeners;
  readonly #logger: Logger;
  readonly #heard = new Map<string, Set<HearMessage>>();
  readonly #makeUps = new Set<() => void>();
  readonly #watch: StoreWatch;
  /** Who is told of what this instance has announced, and not heard yet: it may be gone by then. */
  readonly #announced = new BoundedMap<number, Audience>(MOST_ANNOUNCED);
  #lastNumber = 0;
  #position: string | undefined;
  #leaveBus: (() => MaybePromise<void>) | undefined;
  #left: Promise<void> | undefined;

  constructor({ server, stores, listeners, logger, clock }: InstanceInit) {
    this.#server = server;
    this.stores = stores;
    this.#listeners = listeners;
    this.#logger = logger;
    this.#watch = new StoreWatch({
      look: () => stores.rates.take(`look:${this.id}`, LOOKS),
      logger,
      clock,
      // Who listens would not hear of anything; whoever comes back finds another instance, or the store.
      deaf: () => listeners.endAll('The server does not hear of changes at the moment.'),
    });
  }

  /** Where the last change stands that was heard here; undefined before this instance has joined. */
  get position(): string | undefined {
    return this.#position;
  }

  /** Since when the store has been out of reach; undefined while it answers. */
  get awaySince(): Date | undefined {
    return this.#watch.awaySince;
  }

  /** Hears what is said from now on; what is wrong with the store is logged. Rejects with a `SigilError` where it cannot be used. */
  async join(): Promise<void> {
    try {
      for (const sentence of (await this.stores.check?.(this.#server)) ?? []) this.#logger.warn({}, sentence);
      await this.#joinBus();
    } catch (error) {
      await this.leave();
      throw sigilError('SIGIL_STORES_UNUSABLE', { reason: reasonOf(error) }, { cause: error });
    }
    this.#listeners.announceWith((announcement, audience) => this.#announce(announcement, audience));
    this.#watch.start();
  }

  async #joinBus(): Promise<void> {
    this.#leaveBus = await this.stores.bus.join(this.id, {
      message: (text) => this.#hear(text),
      change: (text, position) => this.#hearChange(text, position),
      lost: (count) => this.#lose(count),
      missed: () => this.#miss(),
    });
    this.#position ??= await this.stores.bus.position();
  }

  /** Is heard of no more, and lets go of the stores. Calling it again waits for the same end. */
  leave(): Promise<void> {
    return (this.#left ??= this.#leaveAll());
  }

  async #leaveAll(): Promise<void> {
    this.#watch.stop();
    try {
      await this.#leaveBus?.();
    } catch (error) {
      this.#logger.warn({ err: error }, 'The store could not be told that this instance leaves');
    }
    await this.stores.close();
  }

  /** Hears messages of a kind. Returns a function that ends that. */
  onMessage(kind: string, hear: HearMessage): () => void {
    const heard = this.#heard.get(kind) ?? new Set();
    this.#heard.set(kind, heard.add(hear));
    return () => void heard.delete(hear);
  }

  /** Hears that messages were lost. Returns a function that ends that. */
  onLost(makeUp: () => void): () => void {
    this.#makeUps.add(makeUp);
    return () => void this.#makeUps.delete(makeUp);
  }

  /** Says something to one instance; false where it is not alive. */
  send(instance: string, kind: string, body: object): MaybePromise<boolean> {
    return this.stores.bus.send(instance, JSON.stringify({ kind, ...body }));
  }

  /** Says something to all instances, this one included. */
  broadcast(kind: string, body: object): MaybePromise<void> {
    return this.stores.bus.broadcast(JSON.stringify({ kind, ...body }));
  }

  /** Changes were lost, perhaps own ones that nobody will hear back: everybody is told everything, so nobody waits for them. */
  #miss(): void {
    this.#announced.clear();
    this.#listeners.tellAll();
  }

  /** Nobody says again what a session has lost that way: what stands in the store is read instead. */
  #lose(count: number | undefined): void {
    this.#logger.warn(
      { lost: count ?? 'some' },
      'Messages of other instances were lost before this one could read them: more were said than the store keeps. Sessions in use are read again; a cancellation among them was not heard',
    );
    for (const makeUp of this.#makeUps) makeUp();
  }

  #hear(text: string): void {
    const message = parse(text);
    const heard = typeof message?.['kind'] === 'string' ? this.#heard.get(message['kind']) : undefined;
    if (message) for (const hear of heard ?? []) hear(message);
  }

  #hearChange(text: string, position: string): void {
    this.#position = position;
    const announcement = readAnnouncement(text);
    if (!announcement) return;
    const { change, from, number } = announcement;
    const own = from === this.id && typeof number === 'number' ? this.#announced.get(number) : undefined;
    if (own) this.#announced.delete(number as number);
    this.#listeners.tell(change, own ?? this.#listeners.audienceOf(announcement), position);
  }

  /** Where the store is away at least those hear of it who are here. */
  #announce(announcement: Announcement, audience: Audience): void {
    const number = this.#lastNumber++;
    this.#announced.set(number, audience);
    const announced = this.stores.bus.announce(writeAnnouncement(announcement, this.id, number));
    if (!isPromise(announced)) return;
    unawaited(announced, (error) => {
      const { change } = announcement;
      this.#logger.warn({ err: error, change }, 'A change could not be announced: other instances do not hear of it');
      if (this.#announced.delete(number)) this.#listeners.tell(change, audience);
    });
  }
}

/** What went wrong, for an operator. */
function reasonOf(error: unknown): string {
  const reason: unknown = error instanceof StoreAway ? (error.cause ?? error) : error;
  return (reason instanceof Error ? reason.message : String(reason)).replace(/\.$/, '');
}

function parse(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}
