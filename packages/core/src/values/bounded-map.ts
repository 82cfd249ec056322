/** A map with a limit: the least recently used entries are dropped. */

/** Keeps what is asked for again. */
export class BoundedMap<K, V> {
  readonly #entries = new Map<K, V>();

  /** @param most entries that are kept */
  constructor(private readonly most: number) {}

  get size(): number {
    return this.#entries.size;
  }

  get(key: K): V | undefined {
    const value = this.#entries.get(key);
    if (value === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  set(key: K, value: V): void {
    this.#entries.set(key, value);
    if (this.#entries.size <= this.most) return;
    for (const oldest of this.#entries.keys()) return void this.#entries.delete(oldest);
  }

  /** Whether there was something to forget. */
  delete(key: K): boolean {
    return this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
  }
}
