/** A moment at which a listener can be closed without harm to clients that are connecting. */

/** Milliseconds that a turn of the event loop takes in which nothing was to be done, at most. */
const QUIET = 0.1;
/** Turns that are tried: a loop that is always busy has none. */
const MOST_TURNS = 2000;

/**
 * Resolves in a turn of the event loop in which nothing else was done. The system accepts connections by itself, and resets those
 * that the process has not taken when it stops listening; what it had accepted before this turn was taken in it.
 */
export async function quietTurn(): Promise<void> {
  // From one such point to the next the loop has looked for connections; from here to the first it may not.
  await endOfTurn();
  for (let turn = 0; turn < MOST_TURNS; turn++) {
    const began = performance.now();
    await endOfTurn();
    if (performance.now() - began < QUIET) return;
  }
}

function endOfTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
