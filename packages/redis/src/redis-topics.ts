/**
 * The changes of single topics in Redis, each topic in a slot of its own. Its last change is stored with the time of Redis, and is published
 * to the instances that follow the topic, if there are any.
 */
import type { Clock } from '@sigil-mcp/core';
import { unawaited } from '@sigil-mcp/core/internal';
import type { TopicBus } from '@sigil-mcp/core/stores';
import { readText, Script, type Commands } from './commands';
import type { RedisKeys, TopicKeys } from './keys';
import type { WakeUps } from './wake-ups';

/** Runs what is asked for in its order. */
class Turns {
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  /** @param most what runs at the same time */
  constructor(private readonly most: number) {}

  /** Runs a function, now or as soon as others have ended. Settles as it does. */
  async run<T>(start: () => Promise<T>): Promise<T> {
    if (this.#running < this.most) this.#running++;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await start();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }
}

/** Milliseconds for which the last change of a topic is kept. A client that comes back later is notified of all its resources. */
const KEPT = 3_600_000;
/** Wake-ups without a message after which a follower reads the last change: its message may have been lost. */
const LOOKS = 20;
/**
 * Milliseconds before the begin of following, or of a session, from which changes are reported: a subscription may arrive here after the next
 * change, and the clocks of two nodes may differ.
 */
const BEFORE = 1000;
/** Milliseconds until an attempt to follow is repeated. */
const RETRY = 1000;
/** Milliseconds for which a change may be on its way. */
const UNDERWAY = 10_000;
/** Milliseconds after which the time of Redis is read again. */
const OLD = 60_000;
/** The part by which one clock may be faster than another. */
const DRIFT = 0.0005;
/** Of a millisecond. */
const MICROSECONDS = 1000;
/** Last changes that are read at the same time. */
const AT_ONCE = 500;

/** The time of Redis in microseconds, so that changes have different times. */
const TIME = `
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])`;

/** A change comes after the one before, also if the clock of its node was set back. */
const ANNOUNCE = new Script(`${TIME}
local before = redis.call('GET', KEYS[1])
local time = math.max(now, before and tonumber(string.match(before, '^%d+')) + 1 or 0)
local change = string.format('%d', time) .. ' ' .. ARGV[1]
redis.call('SET', KEYS[1], change, 'PX', ARGV[2])
local publish = redis.call('GET', KEYS[2])
if publish then redis.call(publish == 'SPUBLISH' and publish or 'PUBLISH', ARGV[3], change) end
return 1`);

/** Returns the time, and the last change; publishes to this instance from now on. */
const FOLLOW = new Script(`${TIME}
redis.call('SET', KEYS[2], ARGV[1], 'PX', ARGV[2])
return {string.format('%d', now), redis.call('GET', KEYS[1])}`);

/** What the topics need. */
export interface RedisTopicsInit {
  readonly commands: Commands;
  readonly keys: RedisKeys;
  readonly wakeUps: WakeUps;
  /** Milliseconds between two wake-ups without a message. */
  readonly interval: number;
  /** Announces a change to all instances, while there are some without topics. */
  readonly toAll: (change: string) => Promise<void>;
  readonly clock: Clock;
}

/** Follows topics with one channel for each. */
export class RedisTopics implements TopicBus {
  /** The time of Redis, in milliseconds, at a time of this process. */
  #time: { readonly now: number; readonly at: number } | undefined;
  #isReading = false;
  /** The last settled position, in microseconds. */
  #settled = 0;
  /** Followers look all at the same time after a connection broke, and requests of clients need commands, too. */
  readonly #looks = new Turns(AT_ONCE);

  constructor(private readonly init: RedisTopicsInit) {}

  async announce(topic: string, change: string): Promise<void> {
    const { commands, keys, toAll } = this.init;
    const { last, follower, channel } = keys.topic(topic);
    const { withoutTopics } = keys;
    // Not in the script: a server whose data are in several parts refuses keys of two slots, although its clients know nothing of that.
    const [isForAll] = await Promise.all([
      commands.run(withoutTopics, 'EXISTS', withoutTopics),
      commands.evaluate(ANNOUNCE, [last, follower], change, `${KEPT}`, channel),
    ]);
    if (Number(isForAll) === 1) await toAll(change);
  }

  follow(topic: string, hear: (change: string) => void): () => void {
    const { init } = this;
    const followed = new FollowedTopic({
      ...init,
      topic: init.keys.topic(topic),
      lookEvery: this.#lookEvery,
      hear,
      told: (now) => this.#setTime(now),
      looks: this.#looks,
    });
    unawaited(followed.begin());
    return () => followed.stop();
  }

  async position(): Promise<string> {
    const key = this.init.keys.changes.log;
    this.#isReading = true;
    const reply = await this.init.commands.run(key, 'TIME').finally(() => (this.#isReading = false));
    const [seconds, microseconds] = reply as readonly unknown[];
    const now = Number(readText(seconds)) * MICROSECONDS * 1000 + Number(readText(microseconds));
    this.#setTime(now);
    return `${now}`;
  }

  /** The clock of the node that has a topic may be behind that of another node. */
  get recent(): string {
    return this.#before(BEFORE);
  }

  /** A change may have been found by a look alone. No two are the same, because events are named by them. */
  get settled(): string {
    const settled = this.#before(this.#lookEvery + UNDERWAY);
    if (settled === '') return '';
    this.#settled = Math.max(Number(settled), this.#settled + 1);
    return `${this.#settled}`;
  }

  async changesAfter(position: string, topics: readonly string[]): Promise<readonly string[] | undefined> {
    const time = /^\d{16}$/.test(position) ? Number(position) : undefined;
    const now = Number(this.recent || (await this.position()));
    if (time === undefined || time < now - KEPT * MICROSECONDS) return undefined;
    const found: string[] = [];
    for (let index = 0; index < topics.length; index += AT_ONCE) {
      const changes = await Promise.all(topics.slice(index, index + AT_ONCE).map((topic) => this.#lastOf(topic)));
      for (const change of changes) if (change && change.time >= time) found.push(change.text);
    }
    return found;
  }

  async #lastOf(topic: string): Promise<TopicChange | undefined> {
    const { last } = this.init.keys.topic(topic);
    return readChange(readText(await this.init.commands.run(last, 'GET', last)));
  }

  get #lookEvery(): number {
    return LOOKS * this.init.interval;
  }

  /** A time of Redis that is at least some milliseconds ago. The two clocks may run at different speeds. */
  #before(milliseconds: number): string {
    if (!this.#time) return '';
    const age = this.init.clock.elapsed() - this.#time.at;
    if (age > OLD && !this.#isReading) unawaited(this.position());
    return `${Math.floor((this.#time.now + age * (1 - DRIFT) - milliseconds) * MICROSECONDS)}`;
  }

  #setTime(microseconds: number): void {
    this.#time = { now: microseconds / MICROSECONDS, at: this.init.clock.elapsed() };
  }
}

/** A change, and the time of Redis at which it was announced, in microseconds. */
interface TopicChange {
  readonly time: number;
  readonly text: string;
}

/** What following a topic needs. */
interface FollowedTopicInit extends RedisTopicsInit {
  readonly topic: TopicKeys;
  /** Milliseconds. */
  readonly lookEvery: number;
  readonly hear: (change: string) => void;
  /** The time of Redis, in microseconds. */
  readonly told: (now: number) => void;
  readonly looks: Turns;
}

/** One topic that is followed. Messages are only a signal: what they say is in Redis, too. */
class FollowedTopic {
  /** The time of the last change that is known here. It may be later than that of the next one: Redis may lose writes, and its clock may be set back. */
  #known: number | undefined;
  #hasLooked = false;
  readonly #began: number;
  #stopWatching: (() => void) | undefined;
  #isOver = false;

  constructor(private readonly init: FollowedTopicInit) {
    this.#began = init.clock.elapsed();
  }

  /** Resolves when the topic is followed, or no longer. */
  async begin(): Promise<void> {
    while (!this.#isOver) {
      try {
        await this.#look();
        // The stores may be closed by now.
        if (this.#isOver) return;
        this.#stopWatching ??= await this.#watch();
        // What was announced before the channel was subscribed.
        await this.#look();
        break;
      } catch {
        await new Promise<void>((resolve) => this.init.clock.after(RETRY, resolve).unref());
      }
    }
    if (this.#isOver) this.#stopWatching?.();
  }

  stop(): void {
    this.#isOver = true;
    this.#stopWatching?.();
  }

  #watch(): Promise<() => void> {
    const woken = (message: string | undefined): void => {
      if (message === undefined) unawaited(this.#look());
      else this.#hear(readChange(message));
    };
    return this.init.wakeUps.watch(this.init.topic.channel, woken, LOOKS);
  }

  async #look(): Promise<void> {
    const { commands, topic, lookEvery, told, looks } = this.init;
    const keepFor = `${Math.ceil(3 * lookEvery)}`;
    const reply = await looks.run(async () =>
      this.#isOver ? undefined : commands.evaluate(FOLLOW, [topic.last, topic.follower], commands.publishing, keepFor),
    );
    if (reply === undefined) return;
    const [now, last] = reply as readonly unknown[];
    told(Number(readText(now)));
    this.#found(readChange(readText(last)), Number(readText(now)));
  }

  /** Reports the last change, unless it came before this began to follow. */
  #found(last: TopicChange | undefined, now: number): void {
    const since = now - Math.ceil(this.init.clock.elapsed() - this.#began + BEFORE) * MICROSECONDS;
    if (!this.#hasLooked && last && last.time <= since) this.#known ??= last.time;
    this.#hasLooked = true;
    this.#hear(last);
  }

  #hear(change: TopicChange | undefined): void {
    if (this.#isOver || !change || change.time === this.#known) return;
    this.#known = change.time;
    this.init.hear(change.text);
  }
}

function readChange(text: string | undefined): TopicChange | undefined {
  const end = text?.indexOf(' ') ?? -1;
  return text === undefined || end < 0 ? undefined : { time: Number(text.slice(0, end)), text: text.slice(end + 1) };
}
