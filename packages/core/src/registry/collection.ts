/** The entries of one kind, in the order in which they were added, in pages. */
import { readCursor, writeCursor } from './listed-cursors';
import type { Entry } from './entry';
import type { EntryKind } from '../context/entry-facts';

/** Part of a list. */
export interface EntryPage<K extends EntryKind> {
  readonly entries: readonly Entry<K>[];
  /** Absent on the last page. */
  readonly nextCursor?: string;
}

/** An entry, and its place in its list. */
export interface PositionedEntry<K extends EntryKind> {
  readonly place: number;
  readonly entry: Entry<K>;
}

/** Found by key, listed in a stable order. A disabled entry keeps its place, but is neither found nor listed. */
export class Collection<K extends EntryKind> {
  readonly #places = new Map<string, number>();
  /** In the order of their places, disabled ones included. */
  readonly #all = new Map<string, Entry<K>>();
  /** In the same order, without the disabled ones: used by calls and lists. */
  #entries = new Map<string, Entry<K>>();
  #nextPlace = 0;

  constructor(
    private readonly kind: K,
    private readonly pageSize: number,
  ) {}

  /** All entries, disabled ones included. */
  all(): IterableIterator<Entry<K>> {
    return this.#all.values();
  }

  /** The enabled entries. Their order is guaranteed: clients cache prompts by it. */
  values(): IterableIterator<Entry<K>> {
    return this.#entries.values();
  }

  /** The enabled entries, each with its place in the list, which stays the same for as long as the entry exists. */
  *placed(): Generator<PositionedEntry<K>> {
    for (const entry of this.#entries.values()) yield { place: this.#placeOf(entry.key), entry };
  }

  /** How many places the list has ever assigned: every place in it is below this number. */
  get places(): number {
    return this.#nextPlace;
  }

  /** The enabled entry of a key. */
  find(key: string): Entry<K> | undefined {
    return this.#entries.get(key);
  }

  /** Adds an entry at the end of the list. Its key must be free. */
  add(entry: Entry<K>): void {
    this.#places.set(entry.key, this.#nextPlace++);
    this.#all.set(entry.key, entry);
    this.#entries.set(entry.key, entry);
  }

  /**
   * Replaces the entry with the same key, which must exist.
   * @returns the previous entry; undefined if it is disabled
   */
  replace(entry: Entry<K>): Entry<K> | undefined {
    const before = this.#entries.get(entry.key);
    this.#all.set(entry.key, entry);
    if (before) this.#entries.set(entry.key, entry);
    return before;
  }

  /** Enables or disables the entry of a key. @returns whether the list has changed */
  setEnabled(key: string, enabled: boolean): boolean {
    if (!this.#all.has(key) || this.#entries.has(key) === enabled) return false;
    if (enabled) {
      // A map lists the entry that was set last at its end.
      const isListed = ([other]: [string, unknown]): boolean => other === key || this.#entries.has(other);
      this.#entries = new Map([...this.#all].filter(isListed));
    } else this.#entries.delete(key);
    return true;
  }

  /** Removes the entry of a key. @returns whether the list has changed */
  remove(key: string): boolean {
    this.#places.delete(key);
    this.#all.delete(key);
    return this.#entries.delete(key);
  }

  /** The page after a cursor, without entries that are unlisted; throws `invalid-params` for a cursor that does not belong to this collection. */
  page(cursor: string | undefined): EntryPage<K> {
    const after = cursor === undefined ? -1 : readCursor(this.kind, cursor, this.#nextPlace);
    const rest = [...this.#entries.values()].filter(({ key, isUnlisted }) => !isUnlisted && this.#placeOf(key) > after);
    const entries = rest.slice(0, this.pageSize);
    const last = entries.at(-1);
    if (rest.length <= entries.length || !last) return { entries };
    return { entries, nextCursor: writeCursor(this.kind, this.#placeOf(last.key)) };
  }

  #placeOf(key: string): number {
    return this.#places.get(key) ?? -1;
  }
}
