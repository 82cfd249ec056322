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

// The clock of platforms that end timers with the request that set them, such as Cloudflare Workers: there, nothing runs between requests,
// and a request in whose name nothing waits is ended as one that hangs.

/** Milliseconds between two looks at what is due, while a request is open. */
const TICK = 1000;

/** A call that is due at a time of `elapsed`. */
interface PendingCall {
  at: number;
  /** Milliseconds until it is due again; undefined for a single call. */
  readonly again: number | undefined;
  readonly callback: () => void;
}

/** What is due runs while a request is open, in whose name ever it was scheduled, or else when the next request comes. */
export class RequestClock implements Clock {
  readonly #pending = new Set<PendingCall>();

  /** @param platform whose timers end with their request */
  constructor(private readonly platform: Clock = systemClock) {}

  now(): number {
    return this.platform.now();
  }

  elapsed(): number {
    return this.platform.elapsed();
  }

  /** In time if the request that calls this is still open, and otherwise up to a second late. */
  after(milliseconds: number, callback: () => void): Timer {
    const call = { at: this.elapsed() + milliseconds, again: undefined, callback };
    this.#pending.add(call);
    const timer = this.platform.after(milliseconds, () => this.#run(call));
    return this.#timer(call, timer);
  }

  every(milliseconds: number, callback: () => void): Timer {
    const call = { at: this.elapsed() + milliseconds, again: milliseconds, callback };
    this.#pending.add(call);
    return this.#timer(call);
  }

  attend(): () => void {
    this.#runDue();
    const ticks = this.platform.every(TICK, () => this.#runDue());
    return () => ticks.close();
  }

  #timer(call: PendingCall, timer?: Timer): Timer {
    const close = (): void => {
      this.#pending.delete(call);
      timer?.close();
    };
    const own: Timer = { close, unref: () => own };
    return own;
  }

  #runDue(): void {
    const now = this.elapsed();
    for (const call of [...this.#pending]) if (call.at <= now) this.#run(call);
  }

  #run(call: PendingCall): void {
    if (!this.#pending.has(call)) return;
    if (call.again === undefined) this.#pending.delete(call);
    else call.at = this.elapsed() + call.again;
    call.callback();
  }
}

/** What a platform says that it is, where it has a `navigator`. */
interface Platform {
  readonly navigator?: { readonly userAgent?: unknown };
}

/** The clock of the platform that this runs on. */
export function platformClock(): Clock {
  // Types of Node before version 21 do not know it.
  const { navigator } = globalThis as Platform;
  return navigator?.userAgent === 'Cloudflare-Workers' ? new RequestClock() : systemClock;
}

/** Calls back when this turn of the event loop is over, also if the request that it runs for ends with it. */
export function afterTurn(clock: Clock, callback: () => void): void {
  if (clock.attend) clock.after(0, callback);
  else setImmediate(callback);
}
