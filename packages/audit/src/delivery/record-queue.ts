/** Records that wait for their sink, within a limit of bytes; what does not fit is counted. */
import type { Loss } from '../records/other-records';

/** What a line costs in addition to its characters, as it is put together of parts. */
const OVERHEAD = 512;

/** Lines in their order. */
export class RecordQueue {
  #lines: string[] = [];
  #bytes = 0;
  #loss: Loss | undefined;

  constructor(private readonly maxBytes: number) {}

  /** What they take in memory. */
  get bytes(): number {
    return this.#bytes;
  }

  get length(): number {
    return this.#lines.length;
  }

  /** Whether there is room for a record of so many characters; one is always taken. */
  hasRoom(characters: number): boolean {
    return this.#lines.length === 0 || this.#bytes + bytesOf(characters) <= this.maxBytes;
  }

  push(line: string): void {
    this.#lines.push(line);
    this.#bytes += bytesOf(line.length);
  }

  /** The first lines. */
  first(count: number): readonly string[] {
    return this.#lines.length <= count ? [...this.#lines] : this.#lines.slice(0, count);
  }

  /** The first lines were taken. */
  drop(count: number): void {
    for (const line of this.#lines.splice(0, count)) this.#bytes -= bytesOf(line.length);
  }

  /** A record did not fit. @param time when it ended @returns whether it is the first in a row */
  lose(time: number): boolean {
    const isFirst = this.#loss === undefined;
    const { count = 0, from = time } = this.#loss ?? {};
    this.#loss = { count: count + 1, from, to: time };
    return isFirst;
  }

  /** What was lost since it was asked for. */
  takeLoss(): Loss | undefined {
    const loss = this.#loss;
    this.#loss = undefined;
    return loss;
  }
}

function bytesOf(characters: number): number {
  return 2 * characters + OVERHEAD;
}
