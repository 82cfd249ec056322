/** Changes and messages between instances: logs in Redis; pub/sub announces new entries. */
import type { Clock } from '@sigil-mcp/core';
import { unawaited } from '@sigil-mcp/core/internal';
import type { BusListener, Change, InstanceBus, TopicBus } from '@sigil-mcp/core/stores';
import { readText, type Commands } from './commands';
import type { RedisKeys } from './keys';
import { beginsLog, dataOf, Log, LogTail } from './log';
import { RedisTopics } from './redis-topics';
import type { WakeUps } from './wake-ups';

/** Of a log: four of the longest client messages, or a hundred thousand usual ones. */
const BYTES = 16 * 1024 * 1024;
/** Kept for a day; a reader that has missed more is notified. */
const CHANGES = { entries: 1000, bytes: BYTES, keepFor: 86_400_000 };
/** Changes that are read for a client: the log may hold somewhat more than its limit, because Redis trims it in blocks. */
const MOST_CHANGES = 2 * CHANGES.entries;
/** Kept as long as streams are by default: an instance that was paused for longer no longer finds the streams of these messages. */
const MESSAGES_TO_ALL = { entries: 10_000, bytes: BYTES, keepFor: 300_000 };
/** Messages to one instance that it has not read; beyond that the oldest are lost. */
const MESSAGES = { entries: 10_000, bytes: BYTES };

/** Milliseconds for which a shared text is kept: longer than any session. */
const SHARED_FOR = 30 * 86_400_000;

/** The format of a Redis id. Other text from clients is not a valid id, and is not sent to Redis. */
const ID = /^\d{1,15}-\d{1,15}$/;

/** What a bus needs. */
interface RedisBusInit extends LivenessLimits {
  readonly commands: Commands;
  readonly keys: RedisKeys;
  readonly wakeUps: WakeUps;
  /** Whether the connection can subscribe to a channel for each topic. */
  readonly hasTopics: boolean;
}

/** A bus whose instances report regularly that they are alive. */
export class RedisBus implements InstanceBus {
  readonly #liveness: Liveness;
  readonly topics: TopicBus | undefined;

  constructor(private readonly init: RedisBusInit) {
    const { commands, keys, wakeUps, hasTopics, deadAfter, clock } = init;
    this.#liveness = new Liveness(commands, keys, { deadAfter, clock });
    const toAll = (change: string): Promise<void> => this.announce(change);
    const interval = deadAfter / 3;
    this.topics = hasTopics ? new RedisTopics({ commands, keys, wakeUps, interval, toAll, clock }) : undefined;
  }

  async join(instance: string, listener: BusListener): Promise<() => Promise<void>> {
    const stops: (() => void)[] = [];
    const stop = (): void => stops.forEach((each) => each());
    try {
      stops.push(await this.#followChanges(listener));
      stops.push(await this.#followMessagesToAll(listener));
      if (!this.topics) stops.push(await this.#wantAll());
      const leave = await this.#followMessages(instance, listener);
      return () => {
        stop();
        return leave();
      };
    } catch (error) {
      stop();
      throw error;
    }
  }

  announce(change: string): Promise<void> {
    return this.#changes.add(change);
  }

  async send(instance: string, message: string): Promise<boolean> {
    const inbox = this.#inboxOf(instance);
    if (!this.#liveness.doubts && (await inbox.addWhile(this.init.keys.instance(instance).alive, message))) return true;
    if (!(await this.#liveness.isAlive(instance))) return false;
    await inbox.add(message);
    return true;
  }

  broadcast(message: string): Promise<void> {
    return this.#messagesToAll.add(message);
  }

  isAlive(instance: string): Promise<boolean> {
    return this.#liveness.isAlive(instance);
  }

  async swap(name: string, text: string): Promise<string | undefined> {
    const key = this.init.keys.shared(name);
    return readText(await this.init.commands.run(key, 'SET', key, text, 'PX', `${SHARED_FOR}`, 'GET'));
  }

  position(): Promise<string> {
    return this.#changes.end();
  }

  async changesAfter(position: string): Promise<readonly Change[] | undefined> {
    if (!ID.test(position)) return undefined;
    const entries = await this.#changes.allBehind(position, MOST_CHANGES);
    return entries?.map((entry) => ({ text: dataOf(entry) ?? '', position: entry.id }));
  }

  /** The prefix of keys is known only when they are first used. */
  get #changes(): Log {
    return new Log(this.init.commands, this.init.keys.changes, CHANGES);
  }

  get #messagesToAll(): Log {
    return new Log(this.init.commands, this.init.keys.all, MESSAGES_TO_ALL);
  }

  #inboxOf(instance: string): Log {
    return new Log(this.init.commands, this.init.keys.instance(instance), {
      ...MESSAGES,
      keepFor: this.init.deadAfter * 2,
    });
  }

  async #followChanges(listener: BusListener): Promise<() => void> {
    const tail = new LogTail(this.#changes, await this.#changes.end(), {
      read: (entry, { isNext }) => {
        if (!isNext) listener.missed();
        const change = dataOf(entry);
        if (change !== undefined) listener.change(change, entry.id);
      },
      lost: () => listener.missed(),
    });
    return this.#follow(tail, this.init.keys.changes.channel);
  }

  /**
   * While this instance is there, the others announce the changes of topics to all; and afterwards for as long as changes are kept, because
   * its clients come back to another one.
   */
  async #wantAll(): Promise<() => void> {
    const { withoutTopics } = this.init.keys;
    const say = (): Promise<unknown> =>
      this.init.commands.run(withoutTopics, 'SET', withoutTopics, '1', 'PX', `${CHANGES.keepFor}`);
    await say();
    const beat = this.init.clock.every(this.init.deadAfter / 3, () => unawaited(say())).unref();
    return () => beat.close();
  }

  async #followMessagesToAll(listener: BusListener): Promise<() => void> {
    const tail = new LogTail(this.#messagesToAll, await this.#messagesToAll.end(), {
      read: (entry, { isNext, missing }) => {
        // A log without new entries for minutes expires and starts again; everything in it was read.
        if (!isNext && !beginsLog(entry)) listener.lost?.(missing);
        const message = dataOf(entry);
        if (message !== undefined) listener.message(message);
      },
    });
    return this.#follow(tail, this.init.keys.all.channel);
  }

  async #followMessages(instance: string, listener: BusListener): Promise<() => Promise<void>> {
    const { alive, log, channel } = this.init.keys.instance(instance);
    const tail = new LogTail(this.#inboxOf(instance), '0-0', {
      read: (entry, { isNext, missing }) => {
        if (!isNext && !beginsLog(entry)) listener.lost?.(missing);
        listener.message(dataOf(entry) ?? '');
      },
      caughtUp: (id) => unawaited(this.init.commands.run(log, 'XTRIM', log, 'MINID', id)),
    });
    const stop = await this.#follow(tail, channel);
    const forget = (): Promise<unknown> => this.init.commands.run(alive, 'DEL', alive, log);
    try {
      const fallSilent = await this.#liveness.begin(instance);
      return async () => {
        fallSilent();
        stop();
        await forget();
      };
    } catch (error) {
      stop();
      unawaited(forget());
      throw error;
    }
  }

  /** Entries that were written between its position and the first wake are read, too. */
  async #follow(tail: LogTail, channel: string): Promise<() => void> {
    const stop = await this.init.wakeUps.watch(channel, () => tail.wake());
    tail.wake();
    return () => {
      tail.close();
      stop();
    };
  }
}

// Which instances are alive: each renews its key regularly, and the key expires if the instance stops. Its value is the command that
// publishes to the instance.

/** How often an instance renews its key within `deadAfter`. */
const BEATS = 3;

/** The limits of liveness. */
interface LivenessLimits {
  /** Milliseconds after which an instance that does not renew its key is considered dead. */
  readonly deadAfter: number;
  readonly clock: Clock;
}

/**
 * An instance is not considered dead if its key may be missing for another reason. If the key of an instance of this process is missing,
 * too, Redis was unavailable for long or was emptied, and all instances need some time to renew their keys.
 */
class Liveness {
  /** The keys of the instances of this process. */
  readonly #own = new Set<string>();
  #doubtsUntil = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly commands: Commands,
    private readonly keys: RedisKeys,
    private readonly limits: LivenessLimits,
  ) {}

  /** Whether an instance without a key may still be alive. */
  get doubts(): boolean {
    return this.limits.clock.elapsed() < this.#doubtsUntil;
  }

  /** Marks an instance as alive; resolves when its key is written. Returns a function that ends it. */
  async begin(instance: string): Promise<() => void> {
    const { alive } = this.keys.instance(instance);
    await this.#say(alive);
    this.#own.add(alive);
    const { clock, deadAfter } = this.limits;
    const beat = clock.every(deadAfter / BEATS, () => unawaited(this.#sayAgain(alive))).unref();
    return () => {
      beat.close();
      this.#own.delete(alive);
    };
  }

  /** Whether an instance is alive, or may be. */
  async isAlive(instance: string): Promise<boolean> {
    const { alive } = this.keys.instance(instance);
    if (await this.#isThere(alive)) return true;
    const [own] = this.#own;
    if (own === undefined || this.#own.has(alive)) return false;
    if (!this.doubts && !(await this.#isThere(own))) this.#doubt();
    return this.doubts;
  }

  async #isThere(key: string): Promise<boolean> {
    return Number(await this.commands.run(key, 'EXISTS', key)) === 1;
  }

  /** A Redis whose memory is full accepts no new keys, but lets existing ones be renewed. */
  async #sayAgain(key: string): Promise<void> {
    if (Number(await this.commands.run(key, 'PEXPIRE', key, `${this.limits.deadAfter}`)) === 1 || !this.#own.has(key))
      return;
    this.#doubt();
    await this.#say(key);
  }

  async #say(key: string): Promise<void> {
    await this.commands.run(key, 'SET', key, this.commands.publishing, 'PX', `${this.limits.deadAfter}`);
  }

  #doubt(): void {
    this.#doubtsUntil = this.limits.clock.elapsed() + this.limits.deadAfter;
  }
}
