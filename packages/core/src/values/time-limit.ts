/** Time limits, as options give them. */

/** Timers of Node hold no more, and fire at once instead. */
const LONGEST = 2 ** 31 - 1;

/** Whether it can be used. `Infinity` says that there is no limit. */
export function isTimeLimit(milliseconds: unknown): boolean {
  return typeof milliseconds === 'number' && milliseconds > 0 && (milliseconds <= LONGEST || milliseconds === Infinity);
}
