/** Waits for the lock of a file without keeping the process from other work: SQLite itself would stop it. */
import { setTimeout as delay } from 'node:timers/promises';
import { isObject, systemClock } from '@sigil-mcp/core/adapter';

/** Milliseconds that a command may wait for other processes. */
const PATIENCE = 5000;

/** The longest pause between two tries, in milliseconds. It varies, so that processes which wait do not meet again and again. */
const PAUSE = 8;

/**
 * What one try counts for at most, in milliseconds: a process that was stopped, or had no processor, has not asked for the lock
 * meanwhile.
 */
const LONGEST_TRY = 50;

/** The waiting of one connection. Commands that stand behind one that waits, wait with it. */
export class LockWait {
  /** Milliseconds that commands of this connection have waited so far. */
  #waited = 0;

  /** When a command that is given now has waited for too long, as `run` counts. */
  deadline(): number {
    return this.#waited + PATIENCE;
  }

  /**
   * Runs something again until no other process has the lock.
   * @param run throws an error of SQLite if the file is locked, and has done nothing then
   * @param deadline when the error is thrown after all, as of `deadline`
   */
  async run<T>(run: () => T, deadline: number): Promise<T> {
    for (;;) {
      const start = systemClock.elapsed();
      try {
        return run();
      } catch (error) {
        if (!isLocked(error) || this.#waited > deadline) throw error;
      }
      await delay(1 + Math.random() * PAUSE);
      this.#waited += Math.min(systemClock.elapsed() - start, LONGEST_TRY);
    }
  }
}

/** An error of a library may be of another realm: then it is no `Error` here. */
function isLocked(error: unknown): boolean {
  return isObject(error) && /\blocked\b/.test(String(error['message']));
}
