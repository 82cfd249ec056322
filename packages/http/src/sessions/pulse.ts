/** Renews several things at intervals, each independently: a failure for one does not affect the others. */
import { settleWithin, type Clock, type MaybePromise, type Timer } from '@sigil-mcp/core/adapter';
import { isPromise, unawaited } from '@sigil-mcp/core/internal';

/** The number of renewals at the same time. */
const AT_ONCE = 50;

/** The options of a pulse. */
export interface PulseInit<T> {
  /** Milliseconds between two renewals. */
  readonly interval: number;
  /** The things to renew. */
  readonly inUse: () => readonly T[];
  /** Renews one of them; errors are ignored, because the next renewal may succeed. */
  readonly renew: (one: T) => MaybePromise<void>;
  readonly clock: Clock;
}

/** Runs until it is stopped; waits for slow renewals. */
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
    const renewAll = async (): Promise<void> => {
      for (const one of left) await this.#renew(one);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, renewAll));
    this.#isBeating = false;
  }

  async #renew(one: T): Promise<void> {
    try {
      const renewed = this.init.renew(one);
      // Rejections are ignored, and a promise that never settles must not stop the pulse.
      if (isPromise(renewed)) await settleWithin(this.init.interval, renewed, this.init.clock);
    } catch {
      // The store is unreachable, or refuses this one.
    }
  }
}
