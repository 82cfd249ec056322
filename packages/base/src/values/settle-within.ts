/** Waits for a promise, with a time limit. */
import { systemClock, type Clock } from '../time/clock';
import { Deadline } from '../time/deadline';

/**
 * Waits for a promise, but not longer than a number of milliseconds.
 * @returns whether it settled in time, be it resolved or rejected; never rejects itself
 */
export function settleWithin(
  milliseconds: number,
  promise: Promise<unknown>,
  clock: Clock = systemClock,
): Promise<boolean> {
  return new Deadline(clock, milliseconds).settles(promise);
}
