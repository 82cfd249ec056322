/** An error with a code, thrown to the author of the server or the test. */
import { errorPage } from './error-page';
import type { ErrorWords } from './words-for';

/**
 * Describes a mistake and how to fix it. All errors have the same class, so a program checks `code` and never a built-in class: a wrong
 * argument is not a `TypeError`, a number out of range not a `RangeError`. Masked for clients.
 * @example if (error instanceof SigilError && error.code === 'SIGIL_ONCE_RESULT') ...
 */
export class SigilError extends Error {
  override readonly name: string = 'SigilError';
  /** Listed in docs/errors.md. */
  readonly code: string;
  /** The address of the page that explains the error, if it has one; Node prints it below the stack trace. */
  declare readonly page?: string;

  /** @param words the text of the error; the message consists of both sentences */
  constructor({ code, problem, fix }: ErrorWords, options?: ErrorOptions) {
    super(`${problem} ${fix}`, options);
    this.code = code;
    const page = errorPage(code);
    if (page !== undefined) this.page = page;
  }
}
