/** What `sigil new` shows while it works: a spinner on a terminal, a line for each finished step elsewhere. */

/** Shows one step from its beginning to its end. */
export type ShowStep = <T>(doing: string, done: string, step: () => Promise<T>) => Promise<T>;

/** @returns the way to show steps here */
export async function stepsFor(terminal: boolean): Promise<ShowStep> {
  if (!terminal) return showLines;
  const { spinner } = await import('@clack/prompts');
  return async (doing, done, step) => {
    const shown = spinner();
    shown.start(doing);
    try {
      const result = await step();
      shown.stop(done);
      return result;
    } catch (error) {
      shown.error(doing);
      throw error;
    }
  };
}

async function showLines<T>(_doing: string, done: string, step: () => Promise<T>): Promise<T> {
  const result = await step();
  process.stdout.write(`${done}\n`);
  return result;
}
