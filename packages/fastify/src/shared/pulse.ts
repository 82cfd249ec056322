/** Says again and again that something is still in use, each for itself: what cannot be said of one is no reason to say nothing of the others. */
import { isPromise, settleWithin, unawaited, type Clock, type MaybePromise, type Timer } from '@sigil-mcp/core/adapter';

/** Words that are waited for at the same time. */
const AT_ONCE = 50;

/** What a pulse is for. */
export interface PulseInit<T> {
  /** Milliseconds between two words. */
  readonly interval: number;
  /** What is in use by now. */
  readonly inUse: () => readonly T[];
  /** Says it of one of them; what it rejects with is nobody's: the next word may get through. */
  readonly say: (one: T) => MaybePromise<void>;
  readonly clock: Clock;
}

/** Beats until it is stopped; a beat that takes long is waited for. */
export class Pulse<T> {
  readonly #timer: Timer;
  #isBeating = false;

  constructor(private readonly init: PulseInit<T>) {
    this.#timer = init.clock.every(init.interval, () => unawaited(this.#beat())).unref();
  }

  stop(): void {
    this.#timer.close();
  }

  async #beat(): Promise<void> {
    if (this.#isBeating) return;
    this.#isBeating = true;
    const left = this.init.inUse().values();
    const sayAll = async (): Promise<void> => {
      for (const one of left) await this.#say(one);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, sayAll));
    this.#isBeating = false;
  }

  async #say(one: T): Promise<void> {
    try {
      const said = this.init.say(one);
      // What it rejects with is nobody's, and what never settles is no reason to be silent for good.
      if (isPromise(said)) await settleWithin(this.init.interval, said, this.init.clock);
    } catch {
      // The store is away, or will not have this one.
    }
  }
}
