/** What an expectation says when it fails. */

/** The message of what is thrown or rejected; an error of its own if nothing is. */
export async function failure(run: () => unknown): Promise<string> {
  try {
    await run();
  } catch (error) {
    // An expectation throws errors.
    return (error as Error).message;
  }
  throw new Error('It did not fail.');
}
