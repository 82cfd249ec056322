/** The time limits of options. */

/** Milliseconds that a timer of Node can hold; with more it would fire at once. */
const LONGEST = 2 ** 31 - 1;

/** Whether a value can be used as a time limit in milliseconds. `Infinity` can: it says that there is no limit. */
export function isTimeLimit(milliseconds: unknown): boolean {
  return typeof milliseconds === 'number' && milliseconds > 0 && (milliseconds <= LONGEST || milliseconds === Infinity);
}
