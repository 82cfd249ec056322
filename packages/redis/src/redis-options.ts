/** The options for the Redis that instances share. */
import { membersOf, OPTION_RULES, type OptionRule } from '@sigil-mcp/core/adapter';
import type { Clock } from '@sigil-mcp/core';
import type { StreamLimits } from '@sigil-mcp/core/stores';
import type { RedisClient } from './clients/redis-client';

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
export const REDIS_OPTIONS: Readonly<Record<keyof RedisOptions, OptionRule | undefined>> = {
  client: undefined,
  namespace: undefined,
  commandTimeout: undefined,
  pendingCommands: undefined,
  streams: membersOf({ events: undefined, keepFor: undefined }),
  deadAfter: undefined,
  clock: OPTION_RULES.object,
};
