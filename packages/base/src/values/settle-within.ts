/** Waits for a promise, with a time limit. */
import { systemClock, type Clock, type Timer } from '../time/clock';

/**
 * Waits for a promise, but not longer than a number of milliseconds.
 * @returns whether it settled in time, be it resolved or rejected; never rejects itself
 */
export async function settleWithin(
  milliseconds: number,
  promise: Promise<unknown>,
  clock: Clock = systemClock,
): Promise<boolean> {
  let timer: Timer | undefined;
  const late = new Promise<false>((resolve) => (timer = clock.after(milliseconds, () => resolve(false))));
  const settled = promise.then(
    () => true,
    () => true,
  );
  try {
    return await Promise.race([settled, late]);
  } finally {
    timer?.close();
  }
}
