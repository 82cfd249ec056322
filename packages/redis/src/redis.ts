/** The stores of a server in Redis. */
import type { Clock } from '@sigil-mcp/core';
import { systemClock } from '@sigil-mcp/core/adapter';
import { LONGEST_TIMER, membersOf, OPTION_RULES, requireOptions, type OptionRule } from '@sigil-mcp/core/internal';
import {
  periodOf,
  STREAM_LIMITS,
  type Rate,
  type RateStore,
  type Replacement,
  type SessionState,
  type SessionStore,
  type SessionWorkers,
  type Stores,
  type StreamLimits,
} from '@sigil-mcp/core/stores';
import { connectionOf, type RedisClient } from './clients/redis-client';
import { Commands, readText, Script } from './commands';
import { redisError } from './errors';
import { RedisKeys } from './keys';
import { RedisBus } from './redis-bus';
import { RedisStreams } from './redis-streams';
import { WakeUps } from './wake-ups';

// The options for the Redis that instances share.

/** Options that are left out have their defaults. */
export interface RedisOptions {
  /**
   * Your client: of `upstash()` for a Redis over HTTP, or of node-redis (`@redis/client`, `redis`) or ioredis, for a server or a cluster, connected and with its own settings. For
   * ioredis, `autoResendUnfulfilledCommands: false` is best: if it sends commands again that a broken connection did not answer, a message
   * may arrive twice, and the instance that ended a session or a stream may not learn that it was the one.
   */
  readonly client: RedisClient;
  /**
   * The prefix of all keys and channels, of letters, digits, `-`, `_` and `:`; the name of the server if left out. The instances of one
   * server share it, but two servers must not.
   */
  readonly namespace?: string;
  /** Milliseconds after which a command without an answer fails; 1000 if left out. */
  readonly commandTimeout?: number;
  /** Commands that may be pending at the same time: further ones fail at once; 10000 if left out. */
  readonly pendingCommands?: number;
  /** How much of each stream is kept: 256 events, for five minutes, if left out. */
  readonly streams?: Partial<StreamLimits>;
  /** Milliseconds after which a silent instance is considered dead; 9000 if left out. An instance reports three times in that time. */
  readonly deadAfter?: number;
  /** The source of time and timers, for tests; the system clock if left out. */
  readonly clock?: Clock;
}

/** What each option may be; those that are undefined are checked where they are read, which says more about them. */
const REDIS_OPTIONS: Readonly<Record<keyof RedisOptions, OptionRule | undefined>> = {
  client: undefined,
  namespace: undefined,
  commandTimeout: undefined,
  pendingCommands: undefined,
  streams: membersOf({ events: undefined, keepFor: undefined }),
  deadAfter: undefined,
  clock: OPTION_RULES.object,
};

/** The first version that has all the commands. */
const OLDEST = 7;

/** Milliseconds by which the clock of an instance may differ from that of Redis without a warning. */
const CLOCK_DIFFERENCE = 2000;

/** Milliseconds for which the last user of a namespace is known. */
const REMEMBERED = 30 * 86_400_000;

/** The time of Redis in milliseconds. */
const NOW = `
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)`;

const JOIN = new Script(`${NOW}
local record = redis.call('GET', KEYS[1])
if not record then return {false, {}} end
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now)
redis.call('ZADD', KEYS[2], string.format('%d', now + tonumber(ARGV[2])), ARGV[1])
redis.call('PEXPIRE', KEYS[2], ARGV[2])
return {record, redis.call('ZRANGE', KEYS[3], string.format('%d', now), '+inf', 'BYSCORE')}`);

/** The score of a member that has left. Deleting it needs another command, which existing users of Redis may not be allowed to send. */
const LEFT = '0';

/** Notes of one session: with more, the oldest are deleted. */
const MOST_NOTES = 16;

const NOTE = new Script(`${NOW}
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now)
local notes = redis.call('ZRANGE', KEYS[2], 0, -1, 'WITHSCORES')
if #notes >= ${MOST_NOTES * 2} then redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', notes[2]) end
redis.call('ZADD', KEYS[2], string.format('%d', now + tonumber(ARGV[2])), ARGV[1])
redis.call('PEXPIRE', KEYS[2], ARGV[2])
return redis.call('ZRANGE', KEYS[1], 1, '+inf', 'BYSCORE')`);

/** Knows them for the time that they say. */
class RedisWorkers implements SessionWorkers {
  constructor(
    private readonly commands: Commands,
    private readonly keys: RedisKeys,
  ) {}

  async join(session: string, instance: string, keepFor: number): Promise<SessionState> {
    const keys = [this.keys.session(session), this.keys.workers(session), this.keys.notes(session)] as const;
    const reply = await this.commands.evaluate(JOIN, [...keys], instance, `${keepFor}`);
    const [record, notes] = reply as readonly [unknown, readonly unknown[]];
    return { record: readText(record), notes: textsOf(notes) };
  }

  async leave(session: string, instance: string): Promise<void> {
    const key = this.keys.workers(session);
    await this.commands.run(key, 'ZADD', key, 'XX', LEFT, instance);
  }

  async of(session: string): Promise<readonly string[]> {
    const key = this.keys.workers(session);
    return textsOf(await this.commands.run(key, 'ZRANGE', key, '1', '+inf', 'BYSCORE'));
  }

  async note(session: string, text: string, keepFor: number): Promise<readonly string[]> {
    const keys = [this.keys.workers(session), this.keys.notes(session)] as const;
    return textsOf(await this.commands.evaluate(NOTE, [...keys], text, `${keepFor}`));
  }
}

const REPLACE = new Script(`
local record = redis.call('GET', KEYS[1])
if not record then return 'over' end
if record ~= ARGV[1] then return 'changed' end
redis.call('SET', KEYS[1], ARGV[2], 'KEEPTTL')
return 'replaced'`);

/** A session's streams end with it. All names are in its slot. */
const END = new Script(`
local ended = redis.call('DEL', KEYS[1])
for _, stream in ipairs(redis.call('ZRANGE', KEYS[2], 0, -1)) do
  redis.call('DEL', ARGV[1] .. stream, ARGV[2] .. stream, ARGV[3] .. stream)
end
redis.call('DEL', KEYS[2])
return ended`);

/** Redis keeps sessions for their idle time. */
class RedisSessions implements SessionStore {
  readonly workers: RedisWorkers;

  constructor(
    private readonly commands: Commands,
    private readonly keys: RedisKeys,
  ) {
    this.workers = new RedisWorkers(commands, keys);
  }

  async open(id: string, record: string, idleTime: number): Promise<void> {
    const key = this.keys.session(id);
    await this.commands.run(key, 'SET', key, record, 'PX', `${idleTime}`);
  }

  async use(id: string, idleTime: number): Promise<string | undefined> {
    const key = this.keys.session(id);
    return readText(await this.commands.run(key, 'GETEX', key, 'PX', `${idleTime}`));
  }

  async replace(id: string, read: string, record: string): Promise<Replacement> {
    const outcome = readText(await this.commands.evaluate(REPLACE, [this.keys.session(id)], read, record));
    return outcome === 'replaced' || outcome === 'changed' ? outcome : 'over';
  }

  async end(id: string): Promise<boolean> {
    const keys = [this.keys.session(id), this.keys.streams(id)] as const;
    const { owner, events, follower } = this.keys.stream({ session: id, stream: '' });
    return Number(await this.commands.evaluate(END, [...keys], owner, events, follower)) === 1;
  }
}

const TAKE = new Script(`
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local period = tonumber(ARGV[2])
local each = period / tonumber(ARGV[1])
local full = math.max(now, tonumber(redis.call('GET', KEYS[1]) or '0')) + each
local wait = full - now - period
if wait > 0.01 then return math.ceil(wait) end
redis.call('SET', KEYS[1], string.format('%.3f', full), 'PX', math.ceil(full - now))
return 0`);

/** Redis keeps a key until its rate is fully available again. */
class RedisRates implements RateStore {
  constructor(
    private readonly commands: Commands,
    private readonly keys: RedisKeys,
  ) {}

  async take(key: string, rate: Rate): Promise<number> {
    const words = [`${rate.calls}`, `${periodOf(rate)}`];
    return Number(await this.commands.evaluate(TAKE, [this.keys.rate(key)], ...words));
  }
}

/**
 * Stores in a Redis of version 7.0 or newer, or a compatible server. Closing them closes the one connection that they open for
 * published messages; the client stays open.
 * @throws DefinitionError for options that do not exist, SigilError for a client, a namespace or a number that cannot be used
 * @example
 * // The client is connected, with the settings of https://sigil-mcp.github.io/sigil/deployment#configure-redis
 * const server = createServer({ name: 'weather', version: '1.0.0', stores: redis({ client }), features: [WeatherFeature] });
 */
export function redis(given: RedisOptions): Stores {
  requireOptions('redis', given, REDIS_OPTIONS);
  const { client, namespace, ...options } = given;
  const { commandTimeout = 1000, pendingCommands = 10_000, deadAfter = 9000, clock = systemClock } = options;
  const limits = { ...STREAM_LIMITS, ...options.streams };
  checkNumbers({
    commandTimeout,
    pendingCommands,
    deadAfter,
    'streams.events': limits.events,
    'streams.keepFor': limits.keepFor,
  });
  const keys = new RedisKeys(namespace);
  const connection = connectionOf(client, { commandTimeout, clock });
  const commands = new Commands(connection, { commandTimeout, pendingCommands, clock });
  const interval = deadAfter / 3;
  const wakeUps = new WakeUps(connection, { commandTimeout, interval, clock });
  return {
    sessions: new RedisSessions(commands, keys),
    streams: new RedisStreams(commands, keys, wakeUps, limits),
    bus: new RedisBus({ commands, keys, wakeUps, hasTopics: connection.hasManyChannels, deadAfter, clock }),
    rates: new RedisRates(commands, keys),
    check: async (server) => {
      keys.serve(server);
      return [
        ...(await checkRedis(commands, keys.changes.log, clock)),
        ...(await checkNamespace(commands, keys, server)),
      ];
    },
    close: () => wakeUps.close(),
  };
}

/** Redis accepts whole numbers only. */
function checkNumbers(numbers: Readonly<Record<string, number>>): void {
  for (const [option, value] of Object.entries(numbers)) {
    if (!Number.isSafeInteger(value) || value < 1 || value > LONGEST_TIMER)
      throw redisError('SIGIL_REDIS_NUMBER', { option, value: String(value) });
  }
}

/** Reads a list of texts; its format is trusted, because it comes from Redis. */
function textsOf(reply: unknown): readonly string[] {
  return (reply as readonly unknown[]).map((each) => readText(each) ?? '');
}

/**
 * Checks once. A query that is not allowed, as with some cloud services, reports no problem.
 * @param key decides which node of a cluster is queried
 */
async function checkRedis(commands: Commands, key: string, clock: Clock): Promise<readonly string[]> {
  const reply = await commands.run(key, 'INFO').catch(() => undefined);
  const facts = readFacts(readText(reply) ?? '');
  return [...checkVersion(facts), ...checkMemory(facts), ...(await checkTime(commands, key, clock))];
}

/** Sessions and rates go by the time of Redis; tokens, certificates and logs go by the clock of the instance. */
async function checkTime(commands: Commands, key: string, clock: Clock): Promise<string[]> {
  const before = clock.now();
  const reply = await commands.run(key, 'TIME').catch(() => undefined);
  if (!Array.isArray(reply)) return [];
  const [seconds, microseconds] = reply.map((part) => Number(readText(part)));
  const time = Number(seconds) * 1000 + Number(microseconds) / 1000;
  const after = clock.now();
  const ahead = time < before ? before - time : Math.min(after - time, 0);
  return Math.abs(ahead) > CLOCK_DIFFERENCE
    ? [
        `The clock of this machine is ${Math.round(Math.abs(ahead) / 1000)} s ${ahead > 0 ? 'ahead of' : 'behind'} that of Redis. Sessions and rates go by the time of Redis; tokens, logs and certificates go by the clock of the machine: set it, best by a time server.`,
      ]
    : [];
}

/** Two servers in one namespace would serve each other's sessions: the one that starts reports it. */
async function checkNamespace(commands: Commands, keys: RedisKeys, server: string): Promise<readonly string[]> {
  const reply = await commands
    .run(keys.server, 'SET', keys.server, server, 'PX', `${REMEMBERED}`, 'GET')
    .catch(() => undefined);
  const other = readText(reply);
  return other === undefined || other === server
    ? []
    : [
        `The namespace ${keys.namespace} was used by the server ${JSON.stringify(other)} before ${JSON.stringify(server)}. Two servers in one namespace mix up their sessions, changes and rates. Give each its own, redis({ namespace }), unless the server was renamed.`,
      ];
}

/** Lines such as `maxmemory:0`. */
function readFacts(info: string): ReadonlyMap<string, string> {
  const lines = info.matchAll(/^(\w+):(.*?)\r?$/gm);
  return new Map(Array.from(lines, ([, name = '', value = '']) => [name, value]));
}

function checkVersion(facts: ReadonlyMap<string, string>): string[] {
  const version = facts.get('redis_version') ?? '';
  return Number.parseInt(version, 10) < OLDEST
    ? [`This Redis has version ${version}, and ${OLDEST}.0 is needed: use a newer one, or Valkey.`]
    : [];
}

/** Sessions have a time to live, so policies for keys with a time to live may evict them, too. */
function checkMemory(facts: ReadonlyMap<string, string>): string[] {
  const policy = facts.get('maxmemory_policy') ?? '';
  const isLimited = Number(facts.get('maxmemory')) > 0;
  return policy.startsWith('allkeys-') || (policy.startsWith('volatile-') && isLimited)
    ? [`This Redis may throw sessions away when its memory is full: its maxmemory-policy is ${policy}. Set noeviction.`]
    : [];
}
