/** A time that is waited for, and that can be brought forward. */

import { LONGEST_TIMER, systemClock, type Clock, type Timer } from '@sigil-mcp/base';

/** Ends what takes too long. It has no end until `within` is called, and never moves back. */
export class Deadline {
  #end = Infinity;
  #timer: Timer | undefined;
  #pass = (): void => undefined;
  readonly #passed = new Promise<false>((resolve) => (this.#pass = () => resolve(false)));

  constructor(private readonly clock: Clock = systemClock) {}

  /** Brings the end forward, to a number of milliseconds from now; one that is nearer already stays. */
  within(milliseconds: number): void {
    const end = this.clock.elapsed() + milliseconds;
    if (end >= this.#end) return;
    this.#end = end;
    this.#timer?.close();
    if (milliseconds <= LONGEST_TIMER) this.#timer = this.clock.after(milliseconds, this.#pass);
  }

  /** Waits for a promise until the end: whether it settled in time, be it resolved or rejected. Never rejects itself. */
  async settles(promise: Promise<unknown>): Promise<boolean> {
    const settled = promise.then(
      () => true,
      () => true,
    );
    return Promise.race([settled, this.#passed]);
  }

  /** Clears the timer: the deadline is no longer awaited. */
  clear(): void {
    this.#timer?.close();
  }
}
