/**
 * Events outside of the heap, where they cost the garbage collector nothing: texts and numbers lie in segments of memory, one event after
 * the other, the oldest first. The events of a session are a list. An event is known by its address, which is used once. Long texts stay
 * in the heap: there are few of them, they are never moved, and reading them again makes no copy.
 */
import { sigilError } from '../errors/catalogue';

/** The bytes of a segment. */
const SEGMENT = 64 * 1024;

/**
 * A piece of memory with events.
 *
 * The memory of stored events: segments of one size, the oldest first. A byte is known by its address, which is used once.
 */
class Segment {
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
class Segments {
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

/** The UTF-16 units from which a text is long. */
const LONG_TEXT = 16 * 1024;

/** The bytes of an event before its texts: five numbers of eight bytes, and five of four. */
const HEAD = 64;
/** The places of the numbers of eight bytes. */
const PREVIOUS = 0;
const NEXT = 1;
const PLACE = 2;
const TIME = 3;
const SESSION = 4;
/** The places of the numbers of four bytes. */
const SIZE = 10;
const NAME_LENGTH = 11;
const DATA_LENGTH = 12;
const KIND = 13;
const LONG_LENGTH = 14;

/** A UTF-16 unit takes at most three bytes in UTF-8. */
const MOST_BYTES = 3;

/** The address of no event. */
export const NOWHERE = -1;

/** An event, the last event of its stream, the end of a stream without an event, or an event that was dropped. */
export const KINDS = { event: 0, last: 1, end: 2, dropped: 3 } as const;

/** An event as it is added. */
export interface NewEvent {
  /** The number of its session. */
  readonly session: number;
  /** The event of the same session before it, or `NOWHERE`. */
  readonly previous: number;
  /** The name of its stream: ASCII. */
  readonly stream: string;
  readonly place: number;
  readonly data: string;
  readonly kind: number;
  /** When it was added, in milliseconds. */
  readonly time: number;
}

/** The events of all sessions. Addresses that it is given are those of events that were not dropped, unless said otherwise. */
export class EventRing {
  readonly #segments = new Segments();
  /** Long texts, by the addresses of their events. */
  readonly #longTexts = new Map<number, string>();
  #live = 0;
  #events = 0;

  /** The number of events. */
  get events(): number {
    return this.#events;
  }

  /** The bytes of all events. */
  get live(): number {
    return this.#live;
  }

  /** The bytes of segments, parts of which are not used, or no longer. */
  get allocated(): number {
    return this.#segments.allocated;
  }

  /** No event that is added from now on has a smaller address. */
  get head(): number {
    return this.#segments.head;
  }

  /** Adds an event at the end of the list of its session. Returns its address. */
  add({ session, previous, stream, place, data, kind, time }: NewEvent): number {
    const isLong = data.length > LONG_TEXT;
    const text = isLong ? '' : data;
    const segment = this.#segments.withRoom(aligned(HEAD + stream.length + text.length * MOST_BYTES));
    const { used, long, int, bytes } = segment;
    const begin = used + HEAD;
    for (let index = 0; index < stream.length; index++) bytes[begin + index] = stream.charCodeAt(index);
    const length = text === '' ? 0 : bytes.write(text, begin + stream.length);
    const size = aligned(HEAD + stream.length + length);
    const longs = used / 8;
    long[longs + PREVIOUS] = previous;
    long[longs + NEXT] = NOWHERE;
    long[longs + PLACE] = place;
    long[longs + TIME] = time;
    long[longs + SESSION] = session;
    const ints = used / 4;
    int[ints + SIZE] = size;
    int[ints + NAME_LENGTH] = stream.length;
    int[ints + DATA_LENGTH] = length;
    int[ints + KIND] = kind;
    int[ints + LONG_LENGTH] = 0;
    segment.used += size;
    segment.live += size;
    this.#live += size;
    this.#events++;
    const address = segment.begin + used;
    if (isLong) this.#addLong(address, data);
    this.#link(previous, NEXT, address);
    return address;
  }

  /** The oldest event of all; `NOWHERE` without events. */
  oldest(): number {
    for (const segment of this.#segments.all) {
      while (segment.swept < segment.used) {
        const ints = segment.swept / 4;
        if (segment.int[ints + KIND] !== KINDS.dropped) return segment.begin + segment.swept;
        segment.swept += segment.int[ints + SIZE] ?? 0;
      }
    }
    return NOWHERE;
  }

  /** Drops an event, and takes it out of the list of its session. */
  drop(address: number): void {
    const segment = this.#segmentOf(address);
    const ints = (address - segment.begin) / 4;
    const size = segment.int[ints + SIZE] ?? 0;
    const longLength = segment.int[ints + LONG_LENGTH] ?? 0;
    const previous = this.previous(address);
    const next = this.next(address);
    this.#link(previous, NEXT, next);
    this.#link(next, PREVIOUS, previous);
    segment.int[ints + KIND] = KINDS.dropped;
    segment.live -= size;
    this.#live -= size + longLength;
    if (longLength > 0) this.#longTexts.delete(address);
    this.#events--;
    if (this.#events === 0) this.clear();
    else this.#segments.dropIfUnused(segment);
  }

  /** Drops all events, and gives their memory back. */
  clear(): void {
    this.#segments.clear();
    this.#longTexts.clear();
    this.#live = this.#events = 0;
  }

  /** The event of the same session before it. */
  previous(address: number): number {
    return this.#long(address, PREVIOUS);
  }

  /** The event of the same session after it. */
  next(address: number): number {
    return this.#long(address, NEXT);
  }

  placeOf(address: number): number {
    return this.#long(address, PLACE);
  }

  timeOf(address: number): number {
    return this.#long(address, TIME);
  }

  sessionOf(address: number): number {
    return this.#long(address, SESSION);
  }

  sizeOf(address: number): number {
    return this.#int(address, SIZE) + this.#int(address, LONG_LENGTH);
  }

  kindOf(address: number): number {
    return this.#int(address, KIND);
  }

  /** Whether it is an event of a stream with this name. */
  isOf(address: number, stream: string): boolean {
    return this.#int(address, NAME_LENGTH) === stream.length && this.streamOf(address) === stream;
  }

  streamOf(address: number): string {
    return this.#text(address, HEAD, this.#int(address, NAME_LENGTH));
  }

  dataOf(address: number): string {
    const long = this.#longTexts.get(address);
    if (long !== undefined) return long;
    return this.#text(address, HEAD + this.#int(address, NAME_LENGTH), this.#int(address, DATA_LENGTH));
  }

  #text(address: number, from: number, length: number): string {
    const { begin, bytes } = this.#segmentOf(address);
    const start = address - begin + from;
    return bytes.toString('utf8', start, start + length);
  }

  #long(address: number, place: number): number {
    const { long, begin } = this.#segmentOf(address);
    return long[(address - begin) / 8 + place] ?? NOWHERE;
  }

  #int(address: number, place: number): number {
    const { int, begin } = this.#segmentOf(address);
    return int[(address - begin) / 4 + place] ?? 0;
  }

  #link(address: number, place: number, to: number): void {
    if (address === NOWHERE) return;
    const { long, begin } = this.#segmentOf(address);
    long[(address - begin) / 8 + place] = to;
  }

  #segmentOf(address: number): Segment {
    return this.#segments.of(address);
  }

  /** A text may be represented by its pieces until one of its characters is read. */
  #addLong(address: number, data: string): void {
    data.charCodeAt(0);
    const length = Buffer.byteLength(data);
    this.#longTexts.set(address, data);
    const { int, begin } = this.#segmentOf(address);
    int[(address - begin) / 4 + LONG_LENGTH] = length;
    this.#live += length;
  }
}

function aligned(size: number): number {
  return Math.ceil(size / 8) * 8;
}
