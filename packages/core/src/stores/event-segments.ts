/** The memory of stored events: segments of one size, the oldest first. A byte is known by its address, which is used once. */
import { sigilError } from '../errors/catalogue';

/** The bytes of a segment. */
const SEGMENT = 64 * 1024;

/** A piece of memory with events. */
export class Segment {
  /** The bytes that are written. */
  used = 0;
  /** The bytes at its beginning whose events were dropped. */
  swept = 0;
  /** The bytes of events that were not dropped. */
  live = 0;
  readonly long: Float64Array;
  readonly int: Uint32Array;

  /** @param begin the address of its first byte */
  constructor(
    readonly begin: number,
    readonly bytes: Buffer,
  ) {
    this.long = new Float64Array(bytes.buffer);
    this.int = new Uint32Array(bytes.buffer);
  }

  get end(): number {
    return this.begin + SEGMENT;
  }
}

/** The segments of one ring. */
export class Segments {
  #segments: Segment[] = [];
  /** The segment that was found last: an event is mostly looked at several times. */
  #found: Segment | undefined;
  /** The memory of a segment that is no longer needed, for the next one. */
  #spare: Buffer | undefined;
  /** The address after the last segment. */
  #end = 0;

  /** The segments in use, the oldest first. */
  get all(): readonly Segment[] {
    return this.#segments;
  }

  /** The bytes of all segments. */
  get allocated(): number {
    return this.#segments.length * SEGMENT;
  }

  /** Nothing that is written from now on has a smaller address. */
  get head(): number {
    const last = this.#segments.at(-1);
    return last ? last.begin + last.used : this.#end;
  }

  /** The segment with an address. */
  of(address: number): Segment {
    const found = this.#found;
    if (found && address >= found.begin && address < found.end) return found;
    return (this.#found = this.#search(address));
  }

  /** The segment that is written to, with room for so many bytes. */
  withRoom(size: number): Segment {
    const last = this.#segments.at(-1);
    if (last && last.used + size <= SEGMENT) return last;
    if (last?.live === 0) this.#release(last);
    const segment = new Segment(this.#end, this.#spare ?? Buffer.allocUnsafeSlow(SEGMENT));
    this.#spare = undefined;
    this.#segments.push(segment);
    this.#end += SEGMENT;
    return segment;
  }

  /** Gives the memory of a segment back if nothing in it is used, and nothing will be written to it. */
  dropIfUnused(segment: Segment): void {
    if (segment.live === 0 && segment !== this.#segments.at(-1)) this.#release(segment);
  }

  /** Gives all memory back. Addresses go on. */
  clear(): void {
    this.#segments = [];
    this.#found = this.#spare = undefined;
  }

  /** Most events that are looked at are new ones. */
  #search(address: number): Segment {
    let [low, middle, high] = [0, this.#segments.length - 1, this.#segments.length - 1];
    while (low <= high) {
      const segment = this.#segments[middle];
      if (!segment || address < segment.begin) high = middle - 1;
      else if (address >= segment.end) low = middle + 1;
      else return segment;
      middle = (low + high) >> 1;
    }
    throw sigilError('SIGIL_INTERNAL', { what: 'an event was read that was dropped' });
  }

  #release(segment: Segment): void {
    this.#segments.splice(this.#segments.indexOf(segment), 1);
    this.#found = undefined;
    this.#spare = segment.bytes;
  }
}
