/**
 * The entry for packages that store something of their own in Redis: commands, scripts and published messages, over the clients that
 * `redis()` takes.
 */
export { connectionOf, type RedisClient } from './clients/redis-client';
export type { Publishing, RedisConnection, RedisSubscriber, SubscriberEvents } from './clients/redis-connection';
export { Commands, readText, Script, type CommandLimits } from './commands';
export { WakeUps, type Wake, type WakeUpLimits } from './wake-ups';
