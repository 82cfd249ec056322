/** Repeats what has failed: a machine with other work may stand still for longer than Redis may take to answer. */

/** Times that something is tried. */
const TRIES = 3;

/** @throws what the last try has thrown */
export async function tryAgain<T>(say: (text: string) => void, work: () => Promise<T>, tries = TRIES): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (tries <= 1) throw error;
    say(`again: ${error instanceof Error ? error.message : String(error)}`);
    return tryAgain(say, work, tries - 1);
  }
}
