/** What happens next: a binary heap of times. */
import type { Random } from '../../../support/random';

/** Work, and what is counted with it. */
export interface Load {
  /** Microseconds of CPU. */
  readonly cpu: number;
  readonly commands: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
  /** Bytes that it reads from the bus of the cluster. */
  readonly bus: number;
}

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

/** Seconds until the next of independent events. @param rate of them a second */
export function timeUntilNext(random: Random, rate: number): number {
  return -Math.log(1 - random.next()) / rate;
}

/** The same place for the same number, spread evenly: as the slots of keys are. */
export function spread(number: number, places: number): number {
  let mixed = Math.imul(number ^ 0x9e3779b9, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return ((mixed ^ (mixed >>> 16)) >>> 0) % places;
}

/** A sum of loads. */
export class LoadSum implements Load {
  cpu = 0;
  commands = 0;
  bytesIn = 0;
  bytesOut = 0;
  bus = 0;

  add({ cpu, commands, bytesIn, bytesOut, bus }: Load, times = 1): void {
    this.cpu += cpu * times;
    this.commands += commands * times;
    this.bytesIn += bytesIn * times;
    this.bytesOut += bytesOut * times;
    this.bus += bus * times;
  }
}

/** Times are seconds of the model. */
export class Station {
  readonly #own = new LoadSum();
  /** When the work that it has so far is done. */
  #busyUntil = 0;
  /** Microseconds of the shared work that it has done. */
  #sharedDone = 0;

  /** @param shared what each of several stations has to do beside its own work; each does it when it is next looked at */
  constructor(private readonly shared = new LoadSum()) {}

  /** Adds work that comes at a time. @returns when it is done */
  work(at: number, load: Load): number {
    this.#own.add(load);
    const cpu = load.cpu + this.shared.cpu - this.#sharedDone;
    this.#sharedDone = this.shared.cpu;
    this.#busyUntil = Math.max(this.#busyUntil, at) + cpu / 1e6;
    return this.#busyUntil;
  }

  /** Everything so far, with the shared work. */
  get sum(): Load {
    const sum = new LoadSum();
    sum.add(this.#own);
    sum.add(this.shared);
    return sum;
  }
}
