/** Waiting for a state: the way in which a test waits for what sockets, files and other processes do. */
import { setTimeout as delay } from 'node:timers/promises';

/** Milliseconds after which what has not come will not come, also on a busy machine. */
const PATIENCE = 45_000;

/**
 * Waits until something is so.
 * @param holds asked again and again
 * @param patience milliseconds after which it is an error
 */
export async function until(holds: () => boolean | Promise<boolean>, patience = PATIENCE): Promise<void> {
  for (const end = performance.now() + patience; !(await holds());) {
    if (performance.now() > end) throw new Error(`This was not so within ${patience / 1000} s: ${String(holds)}`);
    await delay(5);
  }
}
