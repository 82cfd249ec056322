/** Waits for the lock of a file without keeping the process from other work: SQLite itself would stop it. */
import { setTimeout as delay } from 'node:timers/promises';
import { systemClock } from '@sigil-mcp/core/adapter';

/** Milliseconds that a command may wait for other processes. */
const PATIENCE = 5000;

/** The longest pause between two tries, in milliseconds. It varies, so that processes which wait do not meet again and again. */
const PAUSE = 8;

/** When a command that starts now has waited for too long, by the clock that `waitForLock` uses. */
export function lockDeadline(): number {
  return systemClock.elapsed() + PATIENCE;
}

/**
 * Runs something again until no other process has the lock.
 * @param run throws an error of SQLite if the file is locked, and has done nothing then
 * @param deadline when the error is thrown after all
 */
export async function waitForLock<T>(run: () => T, deadline: number): Promise<T> {
  for (;;) {
    try {
      return run();
    } catch (error) {
      const isLocked = error instanceof Error && /\blocked\b/.test(error.message);
      if (!isLocked || systemClock.elapsed() > deadline) throw error;
    }
    await delay(1 + Math.random() * PAUSE);
  }
}
