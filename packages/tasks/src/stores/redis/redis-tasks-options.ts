/** The options of the store of tasks in Redis. */
import type { Clock } from '@sigil-mcp/core';
import { LONGEST_TIMER, nameValue } from '@sigil-mcp/core/adapter';
import { taskStoreError } from '../errors';

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

/** Throws a `SigilError` for an option that cannot be used. */
export function checkOptions(prefix: unknown, commandTimeout: unknown): void {
  if (typeof prefix !== 'string' || !/^[\w:-]{1,100}$/.test(prefix))
    throw optionError('prefix', prefix, 'at most 100 letters, digits, `-`, `_` and `:`');
  const isNumber = typeof commandTimeout === 'number' && Number.isSafeInteger(commandTimeout);
  if (!isNumber || commandTimeout < 1 || commandTimeout > LONGEST_TIMER)
    throw optionError('commandTimeout', commandTimeout, `a whole number from 1 to ${LONGEST_TIMER}`);
}

function optionError(option: string, value: unknown, wanted: string): Error {
  return taskStoreError('SIGIL_TASKS_REDIS_OPTION', { option, value: nameValue(value), wanted });
}
