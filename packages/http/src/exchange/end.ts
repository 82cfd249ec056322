/** The end of an exchange: with its answer, or with the error that prevented it. */

/** The two ways in which an exchange ends. */
export interface End<T> {
  /** Sends the answer; errors are passed to `fail`. */
  finish(value: T): void;
  /** Never throws. */
  fail(error: unknown): void;
}

/** Ends an exchange with its answer. */
export function finishWith<T>(end: End<T>, value: T): void {
  try {
    end.finish(value);
  } catch (error) {
    end.fail(error);
  }
}
