/**
 * The entry for packages that store something of their own in Redis: commands, scripts and published messages, over the clients that
 * `redis()` takes.
 */
export { connectionOf } from './clients/redis-client';
export type { RedisClient } from './clients/redis-client';
export type { Publishing, RedisConnection, RedisSubscriber, SubscriberEvents } from './clients/redis-connection';
export { Commands, readText, Script } from './commands';
export type { CommandLimits } from './commands';
export { WakeUps } from './wake-ups';
export type { Wake, WakeUpLimits } from './wake-ups';
