/** Finds out which library a client comes from. Clients are recognized by their structure: none of the libraries is a dependency. */
import { IoRedisConnection, type IoRedisClient } from './ioredis';
import { NodeRedisConnection, type NodeRedisClient, type NodeRedisCluster } from './node-redis';
import type { RedisConnection } from './redis-connection';
import { UpstashConnection, type RequestLimits, type UpstashClient } from './upstash';
import { redisError } from '../errors';

/** A client that `redis()` takes. */
export type RedisClient = NodeRedisClient | NodeRedisCluster | IoRedisClient | UpstashClient;

/**
 * The connection of a client.
 * @param limits of commands that are requests of their own
 * @throws SigilError for a value that is not a client, and for a sentinel client of node-redis, which sends commands in another way
 */
export function connectionOf(client: RedisClient, limits: RequestLimits): RedisConnection {
  // Programs without types may pass any value.
  const known = (typeof client === 'object' ? client : {}) as Partial<
    NodeRedisClient & NodeRedisCluster & IoRedisClient & UpstashClient
  >;
  if (known.upstash) return new UpstashConnection(known.upstash, limits);
  if (typeof known.call === 'function' && typeof known.status === 'string')
    return new IoRedisConnection(client as IoRedisClient);
  if (typeof known.sendCommand === 'function' && typeof known.isReady === 'boolean' && !('getSentinelNode' in client))
    return new NodeRedisConnection(client as NodeRedisClient | NodeRedisCluster);
  throw redisError('SIGIL_REDIS_CLIENT');
}
