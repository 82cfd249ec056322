/** Letting go on what can go on, without letting time pass. */

/**
 * Returns after everything has run that was ready, with what it set off in turn: promises, writes to a stream in memory, immediates.
 * What has not happened then waits for something else: time, a socket, another process.
 */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
}
