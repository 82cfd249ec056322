/** A question that the client did not answer. */
import { ToolFailure } from './tool-failure';
import { ProtocolError } from '@sigil-mcp/protocol';
import { type ErrorCode, wordsFor } from './catalogue';
import { type ErrorWords, SigilError } from '@sigil-mcp/base';

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
  /** Listed in docs/errors.md. */
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
