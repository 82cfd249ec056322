/** A question that the client did not answer. */
import { ToolFailure } from './tool-failure';

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
