/** How an exchange ends: with its answer, or with what kept it from being sent. */

/** How an exchange ends. */
export interface End<T> {
  /** Sends the answer; what it throws goes to `fail`. */
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
