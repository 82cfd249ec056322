/**
 * A queue that allows removal of any element. A Set keeps the slots of deleted elements for a while, and repeated access to its first
 * element would step over all of them.
 */

/** An element of a queue. */
export class Place<T> {
  before: Place<T> | undefined = undefined;
  after: Place<T> | undefined = undefined;
  isTaken = false;

  constructor(readonly value: T) {}
}

/** Values in the order in which they were added, or moved to the end. */
export class Queue<T> {
  #first: Place<T> | undefined;
  #last: Place<T> | undefined;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The first value; undefined for an empty queue. */
  get first(): T | undefined {
    return this.#first?.value;
  }

  /** Adds a place at the end; it must be new, or have been removed. */
  add(place: Place<T>): void {
    place.isTaken = true;
    place.before = this.#last;
    if (this.#last) this.#last.after = place;
    else this.#first = place;
    this.#last = place;
    this.#size += 1;
  }

  /** Removes a place from this queue; returns whether it was in the queue. */
  remove(place: Place<T>): boolean {
    if (!place.isTaken) return false;
    const { before, after } = place;
    if (before) before.after = after;
    else this.#first = after;
    if (after) after.before = before;
    else this.#last = before;
    place.before = place.after = undefined;
    place.isTaken = false;
    this.#size -= 1;
    return true;
  }

  /** Moves a place of this queue to its end. */
  moveToEnd(place: Place<T>): void {
    if (this.#last === place || !this.remove(place)) return;
    this.add(place);
  }

  /** All values in order. Only the current value may be removed during the iteration. */
  *[Symbol.iterator](): Generator<T> {
    let place = this.#first;
    while (place) {
      const { after, value }: Place<T> = place;
      yield value;
      place = after;
    }
  }
}
