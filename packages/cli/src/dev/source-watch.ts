/** The port of a watch on sources: the events that it reports. */

import type { Cause } from '../causes/describe-cause';

/** Called in this order: `changed`, then `failed` or `built`; again for each change. */
export interface SourceEvents {
  /** A source has changed, and the result is not known yet. */
  changed(): void;
  /** @param cause the compiler's errors */
  failed(cause: Cause): void;
  /** @param program the file to run */
  built(program: string): void;
  /** Some changes will be missed. @param problem the reason, and how to fix it, in one sentence */
  missing(problem: string): void;
}

/** A watch that continues until it is closed. */
export interface SourceWatch {
  /** Looks at the disk, and reports what is there, also if nothing has changed. */
  again(): void;
  close(): Promise<void>;
}
