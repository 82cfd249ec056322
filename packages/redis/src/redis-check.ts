/** Finds problems in the configuration of a Redis, as far as it can be queried. */
import type { Clock } from '@sigil-mcp/core';
import type { Commands } from './commands';
import { readText } from './entries';
import type { RedisKeys } from './keys';

/** The first version that has all the commands. */
const OLDEST = 7;

/**
 * Checks once. A query that is not allowed, as with some cloud services, reports no problem.
 * @param key decides which node of a cluster is queried
 */
export async function checkRedis(commands: Commands, key: string, clock: Clock): Promise<readonly string[]> {
  const reply = await commands.run(key, 'INFO').catch(() => undefined);
  const facts = readFacts(readText(reply) ?? '');
  return [...checkVersion(facts), ...checkMemory(facts), ...(await checkTime(commands, key, clock))];
}

/** Milliseconds by which the clock of an instance may differ from that of Redis without a warning. */
const CLOCK_DIFFERENCE = 2000;

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

/** Milliseconds for which the last user of a namespace is known. */
const REMEMBERED = 30 * 86_400_000;

/** Two servers in one namespace would serve each other's sessions: the one that starts reports it. */
export async function checkNamespace(commands: Commands, keys: RedisKeys, server: string): Promise<readonly string[]> {
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
