/**
 * Streams of events in Redis. Each is a Redis stream with the places as its ids, and its last entry shows whether it has ended:
 * the field of each is `event`, `last` for an event that ends the stream, or `end`.
 */
import { unawaited } from '@sigil-mcp/core/internal';
import type { StreamEvent, StreamLimits, StreamName, StreamPart, StreamStore } from '@sigil-mcp/core/stores';
import { readStreamEntries, readText, Script, type Commands, type StreamEntry } from './commands';
import type { RedisKeys } from './keys';
import type { WakeUps } from './wake-ups';

/** The addition of one write: events, the end, or both. */
interface PendingWrite {
  /** Undefined for the last place of the stream. */
  readonly after?: number;
  readonly events: readonly string[];
  readonly isLast: boolean;
}

/** Milliseconds after which an active stream has been opened again, so that its name is known as long as the stream is kept. */
const UNTIL_OPENED_AGAIN = 25_000;

/** The name of each stream is stored with its session, so that all streams are removed with it. */
const OPEN = new Script(`
local owner = redis.call('GET', KEYS[1])
local now = tonumber(redis.call('TIME')[1])
local kept = tonumber(ARGV[2]) + ${UNTIL_OPENED_AGAIN}
redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', now - kept / 1000)
redis.call('ZADD', KEYS[3], now, ARGV[3])
redis.call('PEXPIRE', KEYS[3], string.format('%d', kept))
if not owner then
  redis.call('DEL', KEYS[2])
  redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
  return 1
end
local newest = redis.call('XREVRANGE', KEYS[2], '+', '-', 'COUNT', 1)[1]
if owner ~= ARGV[1] or (newest and newest[2][1] ~= 'event') then return 0 end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
redis.call('PEXPIRE', KEYS[2], ARGV[2])
return 1`);

/**
 * Reads the last place of the stream, checks whether it has ended, and writes the missing events, in one step. If several instances end
 * it, one does; events that are written again stay there once. Its arguments are the place to write after (the last one, if empty), `last`
 * if the stream ends, how much is kept and for how long, the channel, and the events.
 */
const WRITE = new Script(`
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
local newest = redis.call('XREVRANGE', KEYS[2], '+', '-', 'COUNT', 1)[1]
if newest and newest[2][1] ~= 'event' then return 0 end
local last = newest and tonumber(string.match(newest[1], '^%d+')) or 0
local after = tonumber(ARGV[1]) or last
local place = math.max(last, after)
local wrote
local function write(kind, data)
  place = place + 1
  redis.call('XADD', KEYS[2], 'MAXLEN', '~', ARGV[3], string.format('%d-0', place), kind, data)
  wrote = kind
end
for index = 6 + place - after, #ARGV do
  write(index == #ARGV and ARGV[2] or 'event', ARGV[index])
end
if ARGV[2] == 'last' and not wrote then write('end', '') end
redis.call('PEXPIRE', KEYS[1], ARGV[4])
redis.call('PEXPIRE', KEYS[2], ARGV[4])
local publish = wrote and redis.call('GET', KEYS[3])
if publish then redis.call(publish == 'SPUBLISH' and publish or 'PUBLISH', ARGV[5], '') end
return 1`);

/** Events that are written in one step: Redis is blocked meanwhile. */
const AT_ONCE = 100;

/** Redis keeps streams for the time in the limits. */
export class RedisStreams implements StreamStore {
  constructor(
    private readonly commands: Commands,
    private readonly keys: RedisKeys,
    private readonly wakeUps: WakeUps,
    private readonly limits: StreamLimits,
  ) {}

  async open(name: StreamName, owner: string): Promise<boolean> {
    const keys = this.keys.stream(name);
    const all = [keys.owner, keys.events, this.keys.streams(name.session)] as const;
    const opened = await this.commands.evaluate(OPEN, [...all], owner, `${this.limits.keepFor}`, name.stream);
    return Number(opened) === 1;
  }

  async append(name: StreamName, after: number, events: readonly string[], isLast = false): Promise<boolean> {
    let index = 0;
    for (; index + AT_ONCE < events.length; index += AT_ONCE) {
      const part = { after: after + index, events: events.slice(index, index + AT_ONCE), isLast: false };
      if (!(await this.#write(name, part))) return false;
    }
    return this.#write(name, { after: after + index, events: events.slice(index), isLast });
  }

  end(name: StreamName, data?: string): Promise<boolean> {
    return this.#write(name, { events: data === undefined ? [] : [data], isLast: true });
  }

  async read(name: StreamName, after: number, most: number): Promise<StreamPart | undefined> {
    const { owner: ownerKey, events } = this.keys.stream(name);
    // Includes the place itself, if it is still there: a place that was never reached has no entry, and none after it.
    const range = ['XRANGE', events, `${after}-0`, '+', 'COUNT', `${most + 1}`];
    const [ownerReply, reply] = await Promise.all([
      this.commands.run(ownerKey, 'GET', ownerKey),
      this.commands.run(events, ...range),
    ]);
    const [owner, entries] = [readText(ownerReply), readStreamEntries(reply)];
    if (owner === undefined || (after > 0 && entries.length === 0)) return undefined;
    const following = entries.filter((entry) => placeOf(entry) > after).slice(0, most);
    const [first] = following;
    // The end is the last entry of all; if nothing follows, it may be the entry at the place.
    const newest = following.at(-1) ?? entries.at(-1);
    return {
      owner,
      events: following.filter((entry) => kindOf(entry) !== 'end').map(eventOf),
      last: placeOf(following.at(-1)) || after,
      hasGap: first !== undefined && placeOf(first) > after + 1,
      isOver: newest !== undefined && kindOf(newest) !== 'event',
    };
  }

  /** Most streams have no followers, so nothing is published for them. */
  async follow(name: StreamName, wake: () => void): Promise<() => void> {
    const { channel, follower } = this.keys.stream(name);
    const { publishing } = this.commands;
    // A Redis whose memory is full takes no key: the follower then looks by itself.
    const say = (): Promise<unknown> =>
      this.commands.run(follower, 'SET', follower, publishing, 'PX', `${this.limits.keepFor}`).catch(() => undefined);
    const stop = await this.wakeUps.watch(channel, (message) => {
      // Nothing was published: it is time to look, or messages may have been lost, as the key may have been.
      if (message === undefined) unawaited(say());
      wake();
    });
    await say();
    return stop;
  }

  async forget(name: StreamName): Promise<void> {
    const { owner, events, follower } = this.keys.stream(name);
    await this.commands.run(owner, 'DEL', owner, events, follower);
  }

  async #write(name: StreamName, { after, events, isLast }: PendingWrite): Promise<boolean> {
    const { owner, events: key, follower, channel } = this.keys.stream(name);
    const limits = [`${this.limits.events}`, `${this.limits.keepFor}`];
    const words = [`${after ?? ''}`, isLast ? 'last' : 'event', ...limits, channel, ...events];
    return Number(await this.commands.evaluate(WRITE, [owner, key, follower], ...words)) === 1;
  }
}

function placeOf(entry: StreamEntry | undefined): number {
  return Number.parseInt(entry?.id ?? '0', 10);
}

function kindOf({ words }: StreamEntry): string | undefined {
  return words[0];
}

function eventOf(entry: StreamEntry): StreamEvent {
  return { place: placeOf(entry), data: entry.words[1] ?? '' };
}
