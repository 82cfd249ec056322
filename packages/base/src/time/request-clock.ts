/**
 * The clock of platforms that end timers with the request that set them, such as Cloudflare Workers: there, nothing runs between requests,
 * and a request in whose name nothing waits is ended as one that hangs.
 */
import { systemClock, type Clock, type Timer } from './clock';

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
