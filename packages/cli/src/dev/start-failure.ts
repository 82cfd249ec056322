/** A server that did not start, with everything that is known about the reason. */
import type { Crash } from '../causes/crash-report';
import type { ChildServer } from './child-server';

/** Thrown by a holder, after the process has ended. */
export class StartFailure extends Error {
  override readonly name = 'StartFailure';
  /** The error that ended the process, if it reported one. */
  readonly crash: Crash | undefined;
  /** The last lines that it wrote to stderr. */
  readonly lastLines: readonly string[];

  /** @param error for a server that gives no reason itself */
  constructor(error: Error, child: ChildServer) {
    super(error.message, { cause: error });
    this.crash = child.crash;
    this.lastLines = child.lastLines;
  }
}
