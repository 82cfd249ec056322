/** The stores of a server in Redis. */
import { LONGEST_TIMER, requireOptions, systemClock } from '@sigil-mcp/core/adapter';
import { STREAM_LIMITS, type Stores } from '@sigil-mcp/core/stores';
import { connectionOf } from './clients/redis-client';
import { Commands } from './commands';
import { RedisKeys } from './keys';
import { RedisBus } from './redis-bus';
import { checkNamespace, checkRedis } from './redis-check';
import { REDIS_OPTIONS, type RedisOptions } from './redis-options';
import { RedisRates } from './redis-rates';
import { RedisSessions } from './redis-sessions';
import { RedisStreams } from './redis-streams';
import { WakeUps } from './wake-ups';
import { redisError } from './errors';

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
