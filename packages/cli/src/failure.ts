/** What goes wrong on a command line, in words for the person who typed it. */

/** Ends the command with one sentence, what to do about it, and an exit status; no stack is shown. */
export class CliFailure extends Error {
  override readonly name = 'CliFailure';

  /**
   * @param message what is wrong, one sentence
   * @param mend what to do about it, one sentence
   * @param exitCode of the process; 1 unless the command gives its codes a meaning
   */
  constructor(
    message: string,
    readonly mend: string,
    readonly exitCode = 1,
  ) {
    super(message);
  }
}
