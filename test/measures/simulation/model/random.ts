/** Random numbers that are the same in each run with the same seed. */

/** Mulberry32. */
export class Random {
  #state: number;

  /** @param seed a whole number */
  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 to less than 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number less than another. */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  /** Seconds until the next of independent events. @param rate of them a second */
  wait(rate: number): number {
    return -Math.log(1 - this.next()) / rate;
  }
}

/** The same place for the same number, spread evenly: as the slots of keys are. */
export function spread(number: number, places: number): number {
  let mixed = Math.imul(number ^ 0x9e3779b9, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return ((mixed ^ (mixed >>> 16)) >>> 0) % places;
}
