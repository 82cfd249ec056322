/** An error of the catalogue that is thrown to whoever wrote the server or the test. */
import type { ErrorCode } from './catalogue';
import { wordsFor, type ErrorWords, type ValuesFor } from './words-for';

/**
 * Says what is wrong and how to fix it. It is one class for all of them, so that a program asks for `code` and never for a
 * class of the language: a wrong argument is no `TypeError`, a number out of its range no `RangeError`. Masked for clients.
 * @example if (error instanceof SigilError && error.code === 'SIGIL_ONCE_RESULT') ...
 */
export class SigilError extends Error {
  override readonly name: string = 'SigilError';
  /** Listed in docs/errors.md. */
  readonly code: ErrorCode;

  /** @param words of the catalogue; both sentences are the message */
  constructor({ code, what, fix }: ErrorWords, options?: ErrorOptions) {
    super(`${what} ${fix}`, options);
    this.code = code;
  }
}

/** Values, where the sentences of a code hold names, and then what caused the error. */
type Details<Code extends ErrorCode> = ValuesFor<Code> extends [] ? [] : [...ValuesFor<Code>, options?: ErrorOptions];

/**
 * An error of the catalogue, to be thrown; `SIGIL_INTERNAL`, which names the code, where it holds no such code.
 * @example throw sigilError('SIGIL_ONCE_RESULT', { key }, { cause: error });
 */
export function sigilError<Code extends ErrorCode>(code: Code, ...details: Details<Code>): SigilError {
  // A tuple of a type that depends on the code: its first member is what the code is filled with.
  const [values, options] = details as readonly [unknown?, ErrorOptions?];
  const error = new SigilError(wordsFor(code, ...([values] as unknown as ValuesFor<Code>)), options);
  // Its author looks for where it was thrown, not for where it was made.
  Error.captureStackTrace(error, sigilError);
  return error;
}
