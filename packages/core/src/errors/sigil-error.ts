/** An error of the catalogue, thrown to the author of the server or the test. */
import type { ErrorCode } from './catalogue';
import { errorPage } from './error-page';
import { wordsFor, type ErrorWords, type ValuesFor } from './words-for';

/**
 * Describes a mistake and how to fix it. All errors have the same class, so a program checks `code` and never a built-in class: a wrong
 * argument is not a `TypeError`, a number out of range not a `RangeError`. Masked for clients.
 * @example if (error instanceof SigilError && error.code === 'SIGIL_ONCE_RESULT') ...
 */
export class SigilError extends Error {
  override readonly name: string = 'SigilError';
  /** Listed in docs/errors.md. */
  readonly code: ErrorCode;
  /** The address of the page that explains the error; Node prints it below the stack trace. */
  readonly page: string;

  /** @param words the catalogue text; the message consists of both sentences */
  constructor({ code, what, fix }: ErrorWords, options?: ErrorOptions) {
    super(`${what} ${fix}`, options);
    this.code = code;
    this.page = errorPage(code);
  }
}

/** The values for the placeholders of a code, if there are any, and the cause of the error. */
type Details<Code extends ErrorCode> = ValuesFor<Code> extends [] ? [] : [...ValuesFor<Code>, options?: ErrorOptions];

/**
 * Makes an error of the catalogue, to be thrown; `SIGIL_INTERNAL` with the name of the code, if the catalogue has no such code.
 * @example throw sigilError('SIGIL_ONCE_RESULT', { key }, { cause: error });
 */
export function sigilError<Code extends ErrorCode>(code: Code, ...details: Details<Code>): SigilError {
  // A tuple whose type depends on the code: its first member holds the values of the placeholders.
  const [values, options] = details as readonly [unknown?, ErrorOptions?];
  const error = new SigilError(wordsFor(code, ...([values] as unknown as ValuesFor<Code>)), options);
  // The stack trace should start where the error is thrown, not here.
  Error.captureStackTrace(error, sigilError);
  return error;
}
