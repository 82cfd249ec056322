/**
 * Ends subscriptions and sessions when the token expires that opened them. One timer serves all: those that end in the same tick of a
 * coarse clock share a place on a wheel.
 */

import { LONGEST_TIMER, systemClock, type Clock, type Timer } from '@sigil-mcp/base';

/** Milliseconds of a tick: nothing ends before its time, and nothing later than that after it. */
const TICK = 50;

/** What ends, by the tick in which it does. */
export class Expiries {
  readonly #ticks = new Map<number, Set<() => void>>();
  #timer: Timer | undefined;
  /** The tick that the timer waits for. */
  #next = Infinity;

  constructor(private readonly clock: Clock = systemClock) {}

  /** How many wait for their end. */
  get size(): number {
    return [...this.#ticks.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /**
   * Calls back once, when a time has come.
   * @param at milliseconds since 1970; undefined for never
   * @returns a function that takes it back
   */
  add(at: number | undefined, end: () => void): () => void {
    if (at === undefined || !Number.isFinite(at)) return () => undefined;
    const tick = Math.ceil(at / TICK);
    // A function of its own: the same one may wait twice.
    const entry = (): void => end();
    const others = this.#ticks.get(tick);
    if (others) others.add(entry);
    else this.#ticks.set(tick, new Set([entry]));
    if (tick < this.#next) this.#wait(tick);
    return () => this.#remove(tick, entry);
  }

  /** Forgets everything, and ends nothing. */
  clear(): void {
    this.#ticks.clear();
    this.#wait(Infinity);
  }

  #remove(tick: number, entry: () => void): void {
    const others = this.#ticks.get(tick);
    if (!others?.delete(entry) || others.size > 0) return;
    this.#ticks.delete(tick);
    if (tick === this.#next) this.#wait(this.#earliest());
  }

  #wait(tick: number): void {
    this.#timer?.close();
    this.#next = tick;
    if (tick === Infinity) return;
    const left = Math.min(Math.max(tick * TICK - this.clock.now(), 0), LONGEST_TIMER);
    this.#timer = this.clock.after(left, () => this.#turn()).unref();
  }

  #turn(): void {
    const due = [...this.#ticks].filter(([tick]) => tick * TICK <= this.clock.now());
    for (const [tick, ends] of due) {
      this.#ticks.delete(tick);
      for (const end of ends) end();
    }
    this.#wait(this.#earliest());
  }

  #earliest(): number {
    let earliest = Infinity;
    for (const tick of this.#ticks.keys()) earliest = Math.min(earliest, tick);
    return earliest;
  }
}
