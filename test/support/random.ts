/** A series of numbers that is the same for the same seed: mulberry32. */
export class Random {
  #state: number;

  /** @param seed a whole number */
  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** At least 0, and less than 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number of at least `least`, and less than `beyond`. */
  between(least: number, beyond: number): number {
    return least + Math.floor(this.next() * (beyond - least));
  }

  /** One of a list; undefined of none. */
  pick<T>(from: readonly T[]): T | undefined {
    return from[this.between(0, from.length)];
  }

  /** Whether something of this chance happens. */
  chance(chance: number): boolean {
    return this.next() < chance;
  }

  /** Another series, which goes its own way from here. */
  fork(): Random {
    return new Random(Math.floor(this.next() * 2 ** 32));
  }
}
