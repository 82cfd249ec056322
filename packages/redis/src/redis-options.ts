/** What an author says of the Redis that instances share. */
import type { Clock } from '@sigil-mcp/core';
import type { StreamLimits } from '@sigil-mcp/core/stores';
import type { RedisClient } from './clients/redis-client';

/** What is left out has its default. */
export interface RedisOptions {
  /**
   * Yours: of node-redis (`@redis/client`, `redis`) or ioredis, of a server or a cluster, connected and with its own settings. One of
   * ioredis is best set to `autoResendUnfulfilledCommands: false`: where it sends again what a cut connection did not answer, a message
   * may come twice, and nobody is told that it was the one who ended a session or a stream.
   */
  readonly client: RedisClient;
  /**
   * What all keys and channels begin with, of letters, digits, `-`, `_` and `:`; the name of the server if left out. The instances of one
   * server share it, and no two servers do.
   */
  readonly namespace?: string;
  /** Milliseconds after which a command that has no answer has failed; 1000 if left out. */
  readonly commandTimeout?: number;
  /** Commands that may wait for their answers at the same time: others fail at once; 10000 if left out. */
  readonly pendingCommands?: number;
  /** How much is kept of streams: 256 events each, for five minutes, where it is left out. */
  readonly streams?: Partial<StreamLimits>;
  /** Milliseconds after which an instance that says nothing is taken for dead; 9000 if left out. It says so three times in that time. */
  readonly deadAfter?: number;
  /** What tells the time and calls back, for tests; the time of the machine if left out. */
  readonly clock?: Clock;
}
