/** Counts what clients hold of one thing: of each, and of all together. Its owner decides how much is too much. */
import { once } from '../values/once';

/** Amounts by key. A key that holds nothing is not in the table. */
export class Budget<K> {
  #all = 0;
  readonly #held = new Map<K, number>();

  /** What all keys hold. */
  get all(): number {
    return this.#all;
  }

  /** How many keys hold something. */
  get size(): number {
    return this.#held.size;
  }

  /** What a key holds. */
  of(key: K): number {
    return this.#held.get(key) ?? 0;
  }

  /** Counts an amount for a key, or gives it back if negative: for an owner that gives back each amount once. */
  add(key: K, amount: number): void {
    this.#all += amount;
    const held = (this.#held.get(key) ?? 0) + amount;
    if (held > 0) this.#held.set(key, held);
    else this.#held.delete(key);
  }

  /**
   * Counts an amount for a key.
   * @returns a function that gives it back; a second call does nothing
   */
  take(key: K, amount = 1): () => void {
    this.add(key, amount);
    return once(() => this.add(key, -amount));
  }
}
