/** The port of time. All code that reads the time or waits for it uses one clock, so that a test can stop and advance time. */

/** A call that a clock will make. */
export interface Timer {
  /** Lets the process end although the call is pending. Returns the same timer. */
  unref(): Timer;
  /** Cancels the call; after the call it does nothing. */
  close(): void;
}

/** The longest time that a timer can hold, in milliseconds: with more, a timer of Node would fire at once. */
export const LONGEST_TIMER = 2 ** 31 - 1;

/** Tells the time and calls back. */
export interface Clock {
  /** Milliseconds since 1970, as tokens and other parties mean them; this time may be set back. */
  now(): number;
  /** Milliseconds since some moment in the past; this time never goes back. For anything that is measured. */
  elapsed(): number;
  /**
   * Calls back once.
   * @param milliseconds from now; at most `LONGEST_TIMER`, as which the system clock takes all that is more
   */
  after(milliseconds: number, callback: () => void): Timer;
  /** Calls back again and again, each time after so many milliseconds. */
  every(milliseconds: number, callback: () => void): Timer;
  /**
   * A request begins, in whose name the clock can call back. Left out by a clock that needs none.
   * @returns a function that says that the request has ended
   */
  attend?(): () => void;
}

const held = (milliseconds: number): number => Math.min(milliseconds, LONGEST_TIMER);

/** The time of the machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after: (milliseconds, callback) => new SystemTimer(setTimeout(callback, held(milliseconds)), clearTimeout),
  every: (milliseconds, callback) => new SystemTimer(setInterval(callback, held(milliseconds)), clearInterval),
};

/** Timers of Node can close themselves, those that a test framework puts in their place cannot, and on the web a timer is a number. */
class SystemTimer implements Timer {
  constructor(
    private readonly timer: NodeJS.Timeout | number,
    private readonly clear: (timer: NodeJS.Timeout | number) => void,
  ) {}

  unref(): Timer {
    if (typeof this.timer === 'object') this.timer.unref();
    return this;
  }

  close(): void {
    // Some platforms refuse a call with another `this` than their own.
    const { clear } = this;
    clear(this.timer);
  }
}
