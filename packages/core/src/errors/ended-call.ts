/** Why nobody waits for the answer of a call any more. */
import type { ENDED_CALLS } from './catalogue/call-errors';
import type { ErrorCode } from './catalogue';
import { wordsFor, type ErrorWords, type ValuesFor } from './words-for';

/**
 * The `reason` of `context.signal` when the client is gone or has cancelled, or the server ends. Its message is only what
 * happened, because clients that are still there are told it, too.
 */
export class EndedCall extends Error {
  override readonly name = 'EndedCall';
  /** Listed in docs/errors.md. */
  readonly code: ErrorCode;

  /** @param words of the catalogue, for this end */
  constructor({ code, what }: ErrorWords) {
    super(what);
    this.code = code;
  }
}

/** One of the ends that the catalogue names. */
export function endedCall<Code extends keyof typeof ENDED_CALLS>(code: Code, ...values: ValuesFor<Code>): EndedCall {
  return new EndedCall(wordsFor(code, ...values));
}
