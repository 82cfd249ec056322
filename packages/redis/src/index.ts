/** Stores in Redis that the instances of a server share. */
export type { IoRedisClient } from './clients/ioredis';
export type { NodeRedisClient, NodeRedisCluster } from './clients/node-redis';
export type { RedisClient } from './clients/redis-client';
export { upstash, type UpstashClient, type UpstashOptions } from './clients/upstash';
export { redis, type RedisOptions } from './redis';
