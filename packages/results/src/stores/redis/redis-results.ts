/** Rests in Redis, which several instances of a server share. */
import { createHash } from 'node:crypto';
import type { Clock } from '@sigil-mcp/core';
import { systemClock } from '@sigil-mcp/core/adapter';
import { OPTION_RULES, requireOptions, shareOf, wholeNumber, type OptionRule } from '@sigil-mcp/core/internal';
import { Commands, connectionOf, readText, type RedisClient, Script } from '@sigil-mcp/redis/adapter';
import { checkShare, SHARES_OF_CALLERS } from '../memory';
import type { RestStore, StoredRest } from '../rest-store';

/**
 * Keeps a rest, and removes those that have expired; then the oldest ones of its caller, and of all, to make room. Keys: the rest, the times,
 * the times of the caller, the rests, the sums. Arguments: name, text, characters, caller, milliseconds, the limit of a caller, the limit of
 * all, the beginning of the keys of rests, the beginning of the keys of times.
 *
 * What Redis does in one step. A rest is a string that expires, named after its owner and its id. A sorted set has the names of all rests by
 * the time of their expiry, another one those of each caller; two hashes have the length and the caller of each rest, and the characters of
 * each caller and of all (`*`). All keys of a server have one slot, so that the sum is exact in a cluster, too.
 */
const KEEP = new Script(`#!lua
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local name, caller, length, ttl = ARGV[1], ARGV[4], tonumber(ARGV[3]), tonumber(ARGV[5])
local own, all = tonumber(ARGV[6]), tonumber(ARGV[7])
if length > own or length > all then return 'large' end
local function sum(of) return tonumber(redis.call('HGET', KEYS[5], of) or '0') end
local function add(of, characters)
  if redis.call('HINCRBY', KEYS[5], of, string.format('%d', characters)) <= 0 then redis.call('HDEL', KEYS[5], of) end
end
local function remove(oldest)
  local characters, of = string.match(redis.call('HGET', KEYS[4], oldest) or '', '^(%d+):(.+)$')
  if of then
    add('*', -characters)
    add(of, -characters)
    redis.call('HDEL', KEYS[4], oldest)
    redis.call('ZREM', ARGV[9] .. of, oldest)
  end
  redis.call('ZREM', KEYS[2], oldest)
  redis.call('DEL', ARGV[8] .. oldest)
end
for _, expired in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', now)) do remove(expired) end
local function makeRoom(key, of, most)
  while sum(of) + length > most do
    local oldest = redis.call('ZRANGE', key, 0, 0)[1]
    if not oldest then return end
    remove(oldest)
  end
end
makeRoom(KEYS[3], caller, own)
makeRoom(KEYS[2], '*', all)
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[5])
local score = string.format('%.0f', now + ttl)
redis.call('ZADD', KEYS[2], score, name)
redis.call('ZADD', KEYS[3], score, name)
redis.call('HSET', KEYS[4], name, ARGV[3] .. ':' .. caller)
add('*', length)
add(caller, length)
for index = 2, 5 do
  if redis.call('PTTL', KEYS[index]) < ttl then redis.call('PEXPIRE', KEYS[index], ARGV[5]) end
end
return 'kept'`);

/** Key: the rest. A script, so that a client of a cluster does not send it to a replica, which may not have it yet. */
const FIND = new Script(`#!lua flags=allow-oom
return redis.call('GET', KEYS[1])`);

/** Options that are left out have their defaults. */
export interface RedisResultsOptions {
  /**
   * The prefix of all keys, of letters, digits, `-`, `_` and `:`; `sigil:results` if left out. The name of the server follows it, so that servers
   * of different names may share it.
   */
  readonly prefix?: string;
  /** Characters of all rests of the server, sealed; 64 MiB if left out. The oldest make room for new ones. */
  readonly characters?: number;
  /** Characters of the rests of one caller, sealed; an eighth of `characters` if left out. A caller without an identity counts by its address. */
  readonly charactersPerCaller?: number;
  /** Milliseconds after which a command without an answer fails; 1000 if left out. */
  readonly commandTimeout?: number;
  /** The source of timers, for tests; the system clock if left out. */
  readonly clock?: Clock;
}

/** Commands that may be pending at the same time: further ones fail at once. */
const PENDING_COMMANDS = 1000;
/** The default of `characters`. */
const CHARACTERS = 64 * 1024 * 1024;

const OPTIONS: Readonly<Record<keyof RedisResultsOptions, OptionRule>> = {
  prefix: {
    wanted: 'letters, digits, -, _ and :',
    fits: (value) => typeof value === 'string' && /^[A-Za-z0-9:_-]+$/.test(value),
  },
  characters: wholeNumber(1),
  charactersPerCaller: wholeNumber(1),
  commandTimeout: wholeNumber(1),
  clock: OPTION_RULES.object,
};

/**
 * A store of rests in a Redis of version 7.0 or newer, or a compatible server: one server, a cluster, or with Sentinel (ioredis only). The
 * client stays open. All rests of a server are in one slot of a cluster. Commands reject with `StoreAway` when Redis cannot be reached: a result is cut then, and its rest is lost.
 * @param client your client: of node-redis (`@redis/client`, `redis`) or ioredis, connected, with the settings of https://sigil-mcp.github.io/sigil/deployment#configure-redis
 * @throws SigilError for a client, and DefinitionError for options, that cannot be used
 * @example resultBudgets({ store: redisResults(client) })
 */
export function redisResults(client: RedisClient, options: RedisResultsOptions = {}): RestStore {
  requireOptions('redisResults', options, OPTIONS);
  const { prefix = 'sigil:results', characters = CHARACTERS, commandTimeout = 1000, clock = systemClock } = options;
  const { charactersPerCaller = shareOf(characters, SHARES_OF_CALLERS) } = options;
  checkShare(charactersPerCaller, characters, 'redisResults');
  const connection = connectionOf(client, { commandTimeout, clock });
  const commands = new Commands(connection, { commandTimeout, pendingCommands: PENDING_COMMANDS, clock });
  return new RedisRestStore(commands, { prefix, characters, charactersPerCaller });
}

class RedisRestStore implements RestStore {
  readonly isShared = true;
  #server = '';

  constructor(
    private readonly commands: Commands,
    private readonly settings: Required<Pick<RedisResultsOptions, 'prefix' | 'characters' | 'charactersPerCaller'>>,
  ) {}

  open(server: string): void {
    this.#server = server;
  }

  async keep({ id, owner, countedFor, text, ttl }: StoredRest): Promise<boolean> {
    const { characters, charactersPerCaller } = this.settings;
    const [start, name, caller] = [this.#start, nameOf(id, owner), digestOf(countedFor)];
    const [times, ofCaller] = [`${start}:times`, `${start}:times:${caller}`];
    const numbers = [Math.max(1, Math.ceil(ttl)), charactersPerCaller, characters].map(String);
    const words = [name, text, `${text.length}`, caller, ...numbers, `${start}:rest:`, `${start}:times:`];
    return (
      readText(
        await this.commands.evaluate(
          KEEP,
          [`${start}:rest:${name}`, times, ofCaller, `${start}:rests`, `${start}:sums`],
          ...words,
        ),
      ) === 'kept'
    );
  }

  async find(id: string, owner: string): Promise<string | undefined> {
    return readText(await this.commands.evaluate(FIND, [`${this.#start}:rest:${nameOf(id, owner)}`]));
  }

  /** The beginning of all keys of the server. The part in braces decides the slot in a cluster. */
  get #start(): string {
    return `${this.settings.prefix}:{${digestOf(this.#server)}}`;
  }
}

/** Nobody but its owner finds a rest. */
function nameOf(id: string, owner: string): string {
  return `${digestOf(owner)}:${id}`;
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
