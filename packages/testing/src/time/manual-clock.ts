/** A clock that stands still until a test moves it. */
import type { Clock, Timer } from '@sigil-mcp/core';

/** A call that is due at a moment. */
interface Due {
  at: number;
  /** Milliseconds between two calls; undefined for one call alone. */
  readonly interval: number | undefined;
  readonly callback: () => void;
}

/** 2026-01-01T00:00:00Z, so that a test sees the same date whenever it runs. */
const START = 1_767_225_600_000;

/**
 * Time for a test: nothing passes until `advance` is called.
 * @example
 * const clock = new ManualClock();
 * const server = createServer({ name: 'weather', version: '1.0.0', clock, toolTimeout: 30_000, features: [Slow] });
 * const client = await connect(server);
 * const answer = client.callTool('slow');
 * await clock.advance(30_000);
 * expect(await answer).toBeToolError(/timed out/);
 */
export class ManualClock implements Clock {
  #elapsed = 0;
  #wall: number;
  readonly #due = new Set<Due>();

  /** @param start milliseconds since 1970 at which the clock begins; the start of 2026 if left out */
  constructor(start = START) {
    this.#wall = start;
  }

  now(): number {
    return this.#wall;
  }

  elapsed(): number {
    return this.#elapsed;
  }

  after(milliseconds: number, callback: () => void): Timer {
    return this.#add(milliseconds, undefined, callback);
  }

  every(milliseconds: number, callback: () => void): Timer {
    // An interval of nothing would never let time pass.
    const interval = Math.max(milliseconds, 1);
    return this.#add(interval, interval, callback);
  }

  /** How many calls are outstanding: what a test leaves behind shows here. */
  get pending(): number {
    return this.#due.size;
  }

  /**
   * Lets time pass. Each call that falls due is made at its own moment, in order, and what it sets off is given a turn of the event
   * loop before time goes on.
   * @param milliseconds how far
   * @returns when everything was called, and what that set off had a turn
   */
  async advance(milliseconds: number): Promise<void> {
    const end = this.#elapsed + milliseconds;
    await turn();
    for (let next = this.#next(end); next; next = this.#next(end)) {
      this.#moveTo(next.at);
      if (next.interval === undefined) this.#due.delete(next);
      else next.at += next.interval;
      next.callback();
      await turn();
    }
    this.#moveTo(end);
  }

  /** Sets the date of the machine, forward or back, as an operator or a time server does; `elapsed` does not notice. */
  setDate(milliseconds: number): void {
    this.#wall = milliseconds;
  }

  #add(milliseconds: number, interval: number | undefined, callback: () => void): Timer {
    const due: Due = { at: this.#elapsed + Math.max(milliseconds, 0), interval, callback };
    this.#due.add(due);
    const timer: Timer = { unref: () => timer, close: () => void this.#due.delete(due) };
    return timer;
  }

  /** The first call that is due by a moment; of those at the same moment, the one that was added first. */
  #next(end: number): Due | undefined {
    let first: Due | undefined;
    for (const due of this.#due) if (due.at <= end && (!first || due.at < first.at)) first = due;
    return first;
  }

  #moveTo(moment: number): void {
    this.#wall += moment - this.#elapsed;
    this.#elapsed = moment;
  }
}

/** Lets promises and immediates run. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
}
