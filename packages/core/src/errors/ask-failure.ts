/** A question that the client did not answer. */
import { ToolFailure } from './tool-failure';

/** Why there is no answer. */
export type AskFailureReason =
  /** The time for it is over. */
  | 'timeout'
  /** The client answered with an error. */
  | 'refused'
  /** The way to the client is closed: the call is over, or the client cannot be sent anything. */
  | 'unreachable';

/** Thrown by the asking methods of the context. Left to itself in a tool, it becomes a result that the model can read. */
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
