/** The one way to wait with a limit. */
import { LONGEST_TIMER, systemClock, type Clock, type Timer } from './clock';

/** Counts down, but not while it is paused. One piece of code waits for it; without that it has no timer. */
export class Deadline {
  /** What was left when it was counted last. */
  #left: number;
  #countedAt: number;
  #pauses = 0;
  #timer: Timer | undefined;
  #onPassed: (() => void) | undefined;
  #abandon: (() => void) | undefined;

  /** @param milliseconds from now; no limit if left out, until `within` sets one */
  constructor(
    private readonly clock: Clock = systemClock,
    milliseconds = Infinity,
  ) {
    this.#left = milliseconds;
    this.#countedAt = clock.elapsed();
  }

  /** Milliseconds that are left; negative once it has passed. */
  get left(): number {
    return this.#pauses > 0 ? this.#left : this.#left - (this.clock.elapsed() - this.#countedAt);
  }

  /** Brings it forward, to a number of milliseconds from now. It never moves back. */
  within(milliseconds: number): void {
    if (milliseconds < this.left) this.#count(milliseconds);
  }

  /** Stops the time. Pauses may overlap: it goes on after the last of them. */
  pause(): void {
    const { left } = this;
    this.#pauses += 1;
    this.#count(left);
  }

  resume(): void {
    const { left } = this;
    this.#pauses -= 1;
    this.#count(left);
  }

  /** Calls back when it has passed, unless it is stopped before. */
  onPassed(callback: () => void): void {
    this.#onPassed = callback;
    this.#schedule();
  }

  /** Ends the limit, and clears the timer: what is raced settles in its own time. */
  stop(): void {
    this.#onPassed = undefined;
    this.#timer?.close();
  }

  /** Waits for a promise: whether it settles in time, be it resolved or rejected. Never rejects itself. */
  settles(promise: Promise<unknown>): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (inTime: boolean): void => {
        this.stop();
        resolve(inTime);
      };
      this.onPassed(() => end(false));
      const settled = (): void => end(true);
      promise.then(settled, settled);
    });
  }

  /** Settles as a promise does, or rejects if it has passed before. */
  race<T>(promise: Promise<T>, late: () => Error): Promise<T> {
    return new Promise((resolve, reject) => {
      // A promise that never settles references these functions, but not what waited for it.
      let race: { resolve: typeof resolve; reject: typeof reject } | undefined = { resolve, reject };
      const end = (): typeof race => {
        const ended = race;
        race = undefined;
        this.stop();
        return ended;
      };
      this.#abandon = end;
      this.onPassed(() => end()?.reject(late()));
      promise.then(
        (value) => end()?.resolve(value),
        (error: unknown) => end()?.reject(error),
      );
    });
  }

  /** Waits no longer: what is raced never settles. */
  abandon(): void {
    this.#abandon?.();
  }

  #count(left: number): void {
    this.#left = left;
    this.#countedAt = this.clock.elapsed();
    this.#schedule();
  }

  #schedule(): void {
    this.#timer?.close();
    const { left } = this;
    if (this.#onPassed && this.#pauses === 0 && left <= LONGEST_TIMER)
      this.#timer = this.clock.after(Math.max(left, 0), this.#onPassed);
  }
}

/**
 * Waits for a promise, but not longer than a number of milliseconds.
 * @returns whether it settled in time, be it resolved or rejected; never rejects itself
 */
export function settleWithin(
  milliseconds: number,
  promise: Promise<unknown>,
  clock: Clock = systemClock,
): Promise<boolean> {
  return new Deadline(clock, milliseconds).settles(promise);
}
