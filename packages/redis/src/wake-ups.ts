/** Wakes listeners: a published message may be lost, so it is only a signal that there is something new. */
import type { Clock, Timer } from '@sigil-mcp/core';
import { clockOutside, Deadline, outsideRequests, unawaited } from '@sigil-mcp/core/internal';
import { StoreAway } from '@sigil-mcp/core/stores';
import type { RedisConnection, RedisSubscriber } from './clients/redis-connection';
import { late } from './commands';

/** What wakes a listener: the published message, or undefined if messages may have been lost. */
export type Wake = (message: string | undefined) => void;

/** A listener, and how often it is woken without a signal. */
interface Sleeper {
  readonly wake: Wake;
  /** Intervals between two wake-ups without a signal. */
  readonly every: number;
  /** Spreads the wake-ups of those that sleep for long. */
  readonly offset: number;
}

/** Time limits. */
export interface WakeUpLimits {
  /** Milliseconds that subscribing may take. */
  readonly commandTimeout: number;
  /** Milliseconds after which listeners are woken without a signal. */
  readonly interval: number;
  readonly clock: Clock;
}

/** One connection for all channels, opened with the first of them. If signals may have been lost, all listeners are woken. */
export class WakeUps {
  readonly #sleepers = new Map<string, Set<Sleeper>>();
  /** Intervals so far. */
  #intervals = 0;
  /** Listeners so far. */
  #count = 0;
  #subscriber: RedisSubscriber | undefined;
  /** Whether the connection closes as soon as there are no listeners. */
  #isClosing = false;
  #timer: Timer | undefined;
  /** The first to watch may be a request, and everybody is woken by the same connection. */
  readonly #outside = outsideRequests();

  constructor(
    private readonly connection: RedisConnection,
    private readonly limits: WakeUpLimits,
  ) {}

  /**
   * Calls `wake` when a message is published on a channel; resolves once the channel is subscribed.
   * @param every intervals after which it is called without a message
   */
  async watch(channel: string, wake: Wake, every = 1): Promise<() => void> {
    const stop = this.#add(channel, { wake, every, offset: this.#count++ % every });
    try {
      const { clock, commandTimeout } = this.limits;
      await new Deadline(clock, commandTimeout).race(this.#subscribe(channel), () => late(commandTimeout));
      return stop;
    } catch (error) {
      stop();
      throw error instanceof StoreAway ? error : new StoreAway(error);
    }
  }

  /** Closes the connection, now or as soon as there are no listeners; `watch` opens another. */
  close(): void {
    this.#isClosing = true;
    if (this.#sleepers.size === 0) this.#closeConnection();
  }

  #closeConnection(): void {
    this.#timer?.close();
    this.#timer = undefined;
    this.#subscriber?.close();
    this.#subscriber = undefined;
  }

  #add(channel: string, sleeper: Sleeper): () => void {
    const sleepers = this.#sleepers.get(channel) ?? new Set();
    this.#sleepers.set(channel, sleepers.add(sleeper));
    const { clock, interval } = this.limits;
    this.#timer ??= clockOutside(clock, this.#outside)
      .every(interval, () => this.#wakeDue())
      .unref();
    return () => {
      if (!sleepers.delete(sleeper) || sleepers.size > 0 || this.#sleepers.get(channel) !== sleepers) return;
      this.#sleepers.delete(channel);
      if (this.#isClosing && this.#sleepers.size === 0) this.#closeConnection();
      else this.#unsubscribe(channel);
    };
  }

  async #subscribe(channel: string): Promise<void> {
    const subscriber = await this.#open();
    // The caller does not wait any more: it took too long.
    if (!this.#sleepers.has(channel)) return;
    if (!subscriber.isReady) throw new StoreAway('There is no connection.');
    await this.#subscribeAt(subscriber, channel);
  }

  /** A client may repeat a failed attempt by itself, and be late: after the channel was left. */
  async #subscribeAt(subscriber: RedisSubscriber, channel: string): Promise<void> {
    await subscriber.subscribe(channel);
    if (!this.#sleepers.has(channel)) this.#unsubscribe(channel);
  }

  async #open(): Promise<RedisSubscriber> {
    const heard = (channel: string, message: string): void => this.#outside(() => this.#wake(channel, message));
    const ready = (): void => this.#outside(() => unawaited(this.#renew()));
    const subscriber = (this.#subscriber ??= this.#outside(() => this.connection.openSubscriber({ heard, ready })));
    try {
      await subscriber.opened;
      return subscriber;
    } catch (error) {
      if (this.#subscriber === subscriber) this.#subscriber = undefined;
      throw error;
    }
  }

  /**
   * After a connection broke: only when all channels are subscribed again, no more signals are lost. Those that cannot be subscribed, as
   * while a node of a cluster has failed, do not keep the others waiting for their next look.
   */
  async #renew(): Promise<void> {
    const again = [...this.#sleepers.keys()].map(async (channel) => this.#subscribeAt(await this.#open(), channel));
    await Promise.allSettled(again);
    this.#wakeAll();
  }

  /** Without a connection the subscription is left: the next signal on the channel makes this run again. */
  #unsubscribe(channel: string): void {
    if (this.#subscriber?.isReady) unawaited(this.#subscriber.unsubscribe(channel));
  }

  #wake(channel: string, message?: string): void {
    const sleepers = this.#sleepers.get(channel);
    if (!sleepers) return this.#unsubscribe(channel);
    for (const { wake } of [...sleepers]) wake(message);
  }

  #wakeDue(): void {
    const interval = ++this.#intervals;
    for (const sleepers of [...this.#sleepers.values()])
      for (const { wake, every, offset } of [...sleepers]) if ((interval + offset) % every === 0) wake(undefined);
  }

  #wakeAll(): void {
    for (const channel of [...this.#sleepers.keys()]) this.#wake(channel);
  }
}
