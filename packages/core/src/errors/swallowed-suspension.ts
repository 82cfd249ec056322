/** A handler that did not let the signal pass which was to end its round. */

/** The author's mistake, with the place where the question was asked in its stack. */
export class SwallowedSuspension extends Error {
  override readonly name = 'SwallowedSuspension';

  /**
   * @param label the question that is without an answer
   * @param suspension was thrown where it was asked
   * @param thrown what the handler threw in its place, if it did
   */
  constructor(label: string, suspension: Error, thrown?: unknown) {
    super(
      `The handler went on without the client's answer to ${label}: it caught the suspension, or did not await the question. ` +
        'Rethrow errors that isSuspension() knows, await every question, and use Promise.all in place of Promise.allSettled.',
      thrown === undefined ? undefined : { cause: thrown },
    );
    // What matters to its author is where it was asked, not where that was noticed.
    this.stack = `${this.name}: ${this.message}\n${(suspension.stack ?? '').split('\n').slice(1).join('\n')}`;
  }
}
