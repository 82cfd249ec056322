/** The failures of calls: what a tool wants the model to read, what does not fit, what a client did not answer, and why a call has ended. */
import { describeFailures, shorten, SigilError, type ErrorWords, type Failure } from '@sigil-mcp/base';
import { ProtocolError } from '@sigil-mcp/protocol';
import type { Unwritable } from '@sigil-mcp/schema/plain';
import { wordsFor, type ErrorCode, type ValuesFor } from './catalogue';
import type { ENDED_CALLS } from './catalogue/call-errors';

/** Logged with every failure; the client receives only a general message and the id of the error. */
export class InvalidOutput extends SigilError {
  override readonly name = 'InvalidOutput';
}

/** A value that contains itself has an endless path. */
const LONGEST_PATH = 200;

/**
 * Thrown by a tool: the call is answered with `isError: true` and this message, word for word, so that the model can do
 * something about it. Any other error is masked.
 * @example throw new ToolFailure('There is no flight on that day; the next one is on Friday.');
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/tools#error-handling
 */
export class ToolFailure extends Error {
  override readonly name = 'ToolFailure';
}

/** The error about a value that does not fit its output. */
export function unfitOutput(where: string, failures: readonly Failure[]): InvalidOutput {
  return new InvalidOutput(wordsFor('SIGIL_INVALID_OUTPUT', { where, failures: describeFailures(failures) }));
}

/** The error about a part of a value that JSON cannot represent. */
export function unwritableOutput(where: string, { path, what, isBytes }: Unwritable): InvalidOutput {
  const values = { where, path: placeOf(path) };
  return new InvalidOutput(
    isBytes ? wordsFor('SIGIL_OUTPUT_BYTES', values) : wordsFor('SIGIL_OUTPUT_DATA', { ...values, what }),
  );
}

/** The error for an element of a content list that is not content. */
export function mixedOutput(where: string, path: Unwritable['path'], what: string): InvalidOutput {
  return new InvalidOutput(wordsFor('SIGIL_OUTPUT_MIXED', { where, path: placeOf(path), what }));
}

/** The error for a value that is made for entries of another kind. */
export function misplacedOutput(where: string, maker: string, kind: string): InvalidOutput {
  return new InvalidOutput(wordsFor('SIGIL_OUTPUT_MISPLACED', { where, maker, kind }));
}

function placeOf(path: Unwritable['path']): string {
  return shorten(`result${path.map(writeStep).join('')}`, LONGEST_PATH);
}

function writeStep(step: string | number): string {
  if (typeof step === 'number') return `[${step}]`;
  return /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`;
}

// A question that the client did not answer.

/** The reason why there is no answer. */
export type AskFailureReason =
  /** The time limit has passed. */
  | 'timeout'
  /** The client answered with an error. */
  | 'refused'
  /** The client cannot be reached: the call has ended, or no messages can be sent to the client. */
  | 'unreachable';

/** Thrown by the asking methods of the context. Uncaught in a tool, it becomes a result that the model can read. */
export class AskFailure extends ToolFailure {
  constructor(
    message: string,
    readonly reason: AskFailureReason,
    /** Of the client's error, where it sent one. */
    readonly code?: number,
  ) {
    super(message);
  }
}

/** Thrown by the asking methods of the context; uncaught, its message is sent to the client. */
export class InvalidAnswer extends ProtocolError {
  /** Listed in docs/errors. */
  readonly code: ErrorCode;

  /** @param words the catalogue text; the client receives only the first sentence */
  constructor({ code, problem }: ErrorWords) {
    super('invalid-params', problem);
    this.code = code;
  }
}

/** The author's mistake, with the place where the question was asked in its stack. */
export class SwallowedSuspension extends SigilError {
  override readonly name = 'SwallowedSuspension';

  /**
   * @param label the question that is without an answer
   * @param suspension was thrown where it was asked
   * @param thrown what the handler threw in its place, if it did
   */
  constructor(label: string, suspension: Error, thrown?: unknown) {
    super(
      wordsFor('SIGIL_SWALLOWED_SUSPENSION', { question: label }),
      thrown === undefined ? undefined : { cause: thrown },
    );
    // What matters to its author is where it was asked, not where that was noticed.
    this.stack = `${this.name}: ${this.message}\n${(suspension.stack ?? '').split('\n').slice(1).join('\n')}`;
  }
}

// The reason why the answer of a call is no longer awaited.

/**
 * The `reason` of `context.signal` if the client is gone or has cancelled, or the server closes. Its message contains only the event,
 * because clients that are still connected receive it, too.
 */
export class EndedCall extends Error {
  override readonly name = 'EndedCall';
  /** Listed in docs/errors. */
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
