/** The time limit for connecting, which pauses while the user at the terminal answers. */
import { Deadline, type Clock } from '@sigil-mcp/core/adapter';

/** A deadline that can be paused. */
export class ConnectDeadline {
  /** Resolves when it has passed; never resolves after `clear`. */
  readonly passed: Promise<void>;
  readonly #deadline: Deadline;

  /** @param milliseconds from now on */
  constructor(milliseconds: number, clock?: Clock) {
    this.#deadline = new Deadline(clock, milliseconds);
    this.passed = new Promise((resolve) => this.#deadline.onPassed(resolve));
  }

  /** Pauses the deadline during other work. */
  async hold<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#deadline.pause();
    try {
      return await work();
    } finally {
      this.#deadline.resume();
    }
  }

  clear(): void {
    this.#deadline.stop();
  }
}
