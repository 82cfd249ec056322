/** What happens next: a binary heap of times. */

/** An event and its time. */
interface Event {
  readonly time: number;
  /** Of two events of one time, the one that was added first comes first. */
  readonly number: number;
  readonly happen: () => void;
}

/** Events in the order of their times. */
export class EventQueue {
  readonly #heap: Event[] = [];
  #count = 0;

  add(time: number, happen: () => void): void {
    const heap = this.#heap;
    const event = { time, number: this.#count++, happen };
    let at = heap.length;
    for (; at > 0;) {
      const parent = (at - 1) >> 1;
      const above = heap[parent] as Event;
      if (!isBefore(event, above)) break;
      heap[at] = above;
      at = parent;
    }
    heap[at] = event;
  }

  /** Lets the events until a time happen, in their order. */
  runUntil(end: number): void {
    for (let first = this.#heap[0]; first && first.time <= end; first = this.#heap[0]) {
      this.#removeFirst();
      first.happen();
    }
  }

  #removeFirst(): void {
    const heap = this.#heap;
    const last = heap.pop() as Event;
    if (heap.length === 0) return;
    let at = 0;
    for (let child = 1; child < heap.length; child = 2 * at + 1) {
      const [left, right] = [heap[child] as Event, heap[child + 1]];
      const least = right && isBefore(right, left) ? child + 1 : child;
      const below = heap[least] as Event;
      if (!isBefore(below, last)) break;
      heap[at] = below;
      at = least;
    }
    heap[at] = last;
  }
}

function isBefore(one: Event, other: Event): boolean {
  return one.time < other.time || (one.time === other.time && one.number < other.number);
}
