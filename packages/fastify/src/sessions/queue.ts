/**
 * A queue that anything in it may leave. A Set keeps the places of what was deleted for a while, and who asks again and again for
 * its first element steps over all of them.
 */

/** Something in a queue. */
export class Place<T> {
  before: Place<T> | undefined = undefined;
  after: Place<T> | undefined = undefined;
  isTaken = false;

  constructor(readonly value: T) {}
}

/** Values in the order in which they came, or were moved to the end. */
export class Queue<T> {
  #first: Place<T> | undefined;
  #last: Place<T> | undefined;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The value that has been there for longest; undefined for an empty queue. */
  get first(): T | undefined {
    return this.#first?.value;
  }

  /** Takes a place at the end, which must be free: a new one, or one that was removed. */
  add(place: Place<T>): void {
    place.isTaken = true;
    place.before = this.#last;
    if (this.#last) this.#last.after = place;
    else this.#first = place;
    this.#last = place;
    this.#size += 1;
  }

  /** Frees a place of this queue; returns whether it was taken. */
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

  /** All values, the first one first. Nothing but the value at hand may leave meanwhile. */
  *[Symbol.iterator](): Generator<T> {
    let place = this.#first;
    while (place) {
      const { after, value }: Place<T> = place;
      yield value;
      place = after;
    }
  }
}
