/** The time of the store: instances that share tasks share their time as well, also if their own clocks are wrong. */
import type { Clock } from '@sigil-mcp/core';
import { unawaited } from '@sigil-mcp/core/internal';
import type { TaskStore } from './stores/task-store';

/** Milliseconds between two questions for the time of the store. */
const ASKS_EVERY = 5000;
/** How much faster or slower the clock of a machine may run: a thousandth, which is ten times what is usual. */
const DRIFT = 0.001;
/** Milliseconds by which the time of a process is held when an answer says that it is ahead; a store that was set back is followed. */
const HELD = 1000;

/** An answer of the store. */
interface StoreAnswer {
  /** What the store said, in milliseconds since 1970. */
  readonly at: number;
  /** The `elapsed` of this process then. */
  readonly elapsed: number;
  /** By how many milliseconds that may be wrong. */
  readonly doubt: number;
}

/**
 * Tells the time of a store between two of its answers. It counts with a clock that nobody sets: a machine whose date is wrong, or changes, has
 * the right time. A store without a time of its own has that of this process.
 */
export class StoreTime {
  #answer: StoreAnswer;
  #last = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly store: Pick<TaskStore, 'isDurable' | 'now'>,
    private readonly clock: Clock,
  ) {
    this.#answer = { at: clock.now(), elapsed: clock.elapsed(), doubt: Infinity };
  }

  /** Milliseconds since 1970. It does not go back by the doubt of an answer. */
  now(): number {
    const { store, clock } = this;
    // Others share it, and it tells no time: the clocks of all instances have to be right.
    if (store.isDurable && !store.now) return clock.now();
    const { at, elapsed } = this.#answer;
    const now = Math.floor(at + clock.elapsed() - elapsed);
    this.#last = now < this.#last - HELD ? now : Math.max(now, this.#last);
    return this.#last;
  }

  /**
   * Asks the store now, and again from time to time until the signal fires. A store that is away is asked again.
   * @returns by how many milliseconds the date of this process is ahead, at least; less than 0 if it is behind
   */
  async follow(signal: AbortSignal): Promise<number> {
    if (!this.store.now) return 0;
    await this.#ask();
    // The server was closed while the store answered.
    if (signal.aborted) return 0;
    const timer = this.clock.every(ASKS_EVERY, () => unawaited(this.#ask())).unref();
    signal.addEventListener('abort', () => timer.close(), { once: true });
    const { doubt } = this.#answer;
    const ahead = this.clock.now() - this.now();
    return doubt === Infinity ? 0 : Math.sign(ahead) * Math.max(0, Math.abs(ahead) - doubt);
  }

  async #ask(): Promise<void> {
    const { clock } = this;
    const sent = clock.elapsed();
    try {
      const at = await this.store.now?.();
      if (at === undefined) return;
      const received = clock.elapsed();
      const doubt = (received - sent) / 2;
      this.#take({ at, elapsed: sent + doubt, doubt });
    } catch {
      // The store reports its failures itself. Until it is back, the last answer counts.
    }
  }

  /** Keeps the better answer: a quick one, unless it is old, or the time of the store was set. */
  #take(answer: StoreAnswer): void {
    const before = this.#answer;
    const age = answer.elapsed - before.elapsed;
    const doubt = before.doubt + age * DRIFT;
    const isOther = Math.abs(answer.at - (before.at + age)) > doubt + answer.doubt;
    if (answer.doubt <= doubt || isOther) this.#answer = answer;
  }
}
