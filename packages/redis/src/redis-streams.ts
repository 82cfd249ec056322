/** Streams of events in Redis. Each is a stream of Redis with the places as its ids, and its last entry says whether it is over. */
import type { StreamEvent, StreamLimits, StreamName, StreamPart, StreamStore } from '@sigil-mcp/core/stores';
import type { Commands } from './commands';
import { readEntries, readText, type Entry } from './entries';
import type { Keys } from './keys';
import { Script } from './script';
import type { WakeUps } from './wake-ups';

/** The field of an entry: an event, an event that ends the stream, an end without one. */
type Kind = 'event' | 'last' | 'end';

const OPEN = new Script(`
local owner = redis.call('GET', KEYS[1])
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

/** Looks whether the stream is over and writes in one step, so that of all who end it one does. */
const WRITE = new Script(`
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
local newest = redis.call('XREVRANGE', KEYS[2], '+', '-', 'COUNT', 1)[1]
if newest and newest[2][1] ~= 'event' then return 0 end
local place = newest and tonumber(string.match(newest[1], '^%d+')) + 1 or 1
redis.call('XADD', KEYS[2], 'MAXLEN', '~', ARGV[3], string.format('%d-0', place), ARGV[1], ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
redis.call('PEXPIRE', KEYS[2], ARGV[4])
redis.call('PUBLISH', ARGV[5], '')
return place`);

/** Kept by Redis for as long as the limits say. */
export class RedisStreams implements StreamStore {
  constructor(
    private readonly commands: Commands,
    private readonly keys: Keys,
    private readonly wakeUps: WakeUps,
    private readonly limits: StreamLimits,
  ) {}

  async open(name: StreamName, owner: string): Promise<boolean> {
    const keys = this.keys.stream(name);
    const opened = await this.commands.evaluate(OPEN, [keys.owner, keys.events], owner, `${this.limits.keepFor}`);
    return Number(opened) === 1;
  }

  async append(name: StreamName, data: string): Promise<number | undefined> {
    const place = await this.#write(name, 'event', data);
    return place === 0 ? undefined : place;
  }

  async end(name: StreamName, data?: string): Promise<boolean> {
    return (await this.#write(name, data === undefined ? 'end' : 'last', data ?? '')) !== 0;
  }

  async read(name: StreamName, after: number, most: number): Promise<StreamPart | undefined> {
    const { owner: ownerKey, events } = this.keys.stream(name);
    // With the place itself, where it is still there: one that was never reached has nothing at it, nor behind it.
    const range = ['XRANGE', events, `${after}-0`, '+', 'COUNT', `${most + 1}`];
    const [ownerReply, reply] = await Promise.all([
      this.commands.run(ownerKey, 'GET', ownerKey),
      this.commands.run(events, ...range),
    ]);
    const [owner, entries] = [readText(ownerReply), readEntries(reply)];
    if (owner === undefined || (after > 0 && entries.length === 0)) return undefined;
    const following = entries.filter((entry) => placeOf(entry) > after).slice(0, most);
    const [first] = following;
    // The end is the last entry of all; where nothing follows, it may be the one at the place.
    const newest = following.at(-1) ?? entries.at(-1);
    return {
      owner,
      events: following.filter((entry) => kindOf(entry) !== 'end').map(eventOf),
      last: placeOf(following.at(-1)) || after,
      hasGap: first !== undefined && placeOf(first) > after + 1,
      isOver: newest !== undefined && kindOf(newest) !== 'event',
    };
  }

  follow(name: StreamName, wake: () => void): Promise<() => void> {
    return this.wakeUps.watch(this.keys.stream(name).channel, wake);
  }

  async forget(name: StreamName): Promise<void> {
    const { owner, events } = this.keys.stream(name);
    await this.commands.run(owner, 'DEL', owner, events);
  }

  async #write(name: StreamName, kind: Kind, data: string): Promise<number> {
    const { owner, events, channel } = this.keys.stream(name);
    const limits = [`${this.limits.events}`, `${this.limits.keepFor}`];
    return Number(await this.commands.evaluate(WRITE, [owner, events], kind, data, ...limits, channel));
  }
}

function placeOf(entry: Entry | undefined): number {
  return Number.parseInt(entry?.id ?? '0', 10);
}

function kindOf({ words }: Entry): string | undefined {
  return words[0];
}

function eventOf(entry: Entry): StreamEvent {
  return { place: placeOf(entry), data: entry.words[1] ?? '' };
}
