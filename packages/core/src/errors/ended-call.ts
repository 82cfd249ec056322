/** The reason why the answer of a call is no longer awaited. */
import type { ENDED_CALLS } from './catalogue/call-errors';
import type { ErrorCode } from './catalogue';
import { wordsFor, type ValuesFor } from './catalogue';
import type { ErrorWords } from '@sigil-mcp/base';

/**
 * The `reason` of `context.signal` if the client is gone or has cancelled, or the server closes. Its message contains only the event,
 * because clients that are still connected receive it, too.
 */
export class EndedCall extends Error {
  override readonly name = 'EndedCall';
  /** Listed in docs/errors.md. */
  readonly code: ErrorCode;

  /** @param words the catalogue text for this end */
  constructor({ code, problem }: ErrorWords) {
    super(problem);
    this.code = code;
  }
}

/** Makes the reason when it is first needed, and the same one from then on. */
export function lateReason<Code extends keyof typeof ENDED_CALLS>(
  code: Code,
  ...values: ValuesFor<Code>
): () => EndedCall {
  let made: EndedCall | undefined;
  return () => (made ??= endedCall(code, ...values));
}

/** One of the ends that the catalogue names. */
export function endedCall<Code extends keyof typeof ENDED_CALLS>(code: Code, ...values: ValuesFor<Code>): EndedCall {
  return new EndedCall(wordsFor(code, ...values));
}
