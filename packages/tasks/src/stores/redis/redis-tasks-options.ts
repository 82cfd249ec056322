/** The options of the store of tasks in Redis. */
import type { Clock } from '@sigil-mcp/core';
import { LONGEST_TIMER, OPTION_RULES, requireOptions, wholeNumber, type OptionRule } from '@sigil-mcp/core/adapter';

/** Options that are left out have their defaults. */
export interface RedisTasksOptions {
  /**
   * The prefix of all keys and of the channel, of letters, digits, `-`, `_` and `:`; `sigil:tasks` if left out. The name of the server follows
   * it, so that servers of different names may share it. The instances of one server have the same prefix and name.
   */
  readonly prefix?: string;
  /** Milliseconds after which a command without an answer fails; 1000 if left out. */
  readonly commandTimeout?: number;
  /** The source of time and timers, for tests; the time of Redis, and timers of the system, if left out. */
  readonly clock?: Clock;
}

const OPTIONS: Readonly<Record<keyof RedisTasksOptions, OptionRule>> = {
  prefix: {
    wanted: 'at most 100 letters, digits, `-`, `_` and `:`',
    fits: (value) => typeof value === 'string' && /^[\w:-]{1,100}$/.test(value),
  },
  commandTimeout: wholeNumber(1, LONGEST_TIMER),
  clock: OPTION_RULES.object,
};

/** @throws DefinitionError for options that do not exist or are of the wrong kind */
export function checkRedisTasksOptions(options: RedisTasksOptions): void {
  requireOptions('redisTasks', options, OPTIONS);
}
