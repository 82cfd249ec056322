/** The bytes of one body, which come in pieces of any size. */

const NOTHING = Buffer.alloc(0);

/**
 * One buffer, which doubles when it is full. Pieces that were held one by one would cost 600 bytes each, and a client may send a body as
 * four million of them.
 */
export class BodyBuffer {
  #bytes: Buffer = NOTHING;
  #length = 0;

  /**
   * @param expected bytes that are likely to be all
   * @param onGrow is called with the bytes of memory that the body is about to take; `add` throws the errors that it throws
   */
  constructor(
    private readonly expected: number,
    private readonly onGrow: ((bytes: number) => void) | undefined,
  ) {}

  /** How many bytes have come. */
  get length(): number {
    return this.#length;
  }

  /** What has come. */
  get bytes(): Buffer {
    return this.#bytes.length === this.#length ? this.#bytes : this.#bytes.subarray(0, this.#length);
  }

  /** Adds a piece. It belongs to the body from now on: a small body comes in one piece, which needs no copy. */
  add(piece: Buffer): void {
    const length = this.#length + piece.length;
    if (this.#length === 0 && length >= this.expected) {
      this.onGrow?.(length);
      this.#bytes = piece;
    } else {
      if (length > this.#bytes.length) this.#growFor(length);
      piece.copy(this.#bytes, this.#length);
    }
    this.#length = length;
  }

  #growFor(length: number): void {
    const doubled = 2 * this.#bytes.length;
    // Twice what has come may be taken. Where all of it fits into that, it is taken at once: most bodies come in two pieces.
    const isAllLikely = length <= this.expected && 2 * length >= this.expected;
    const bytes = isAllLikely ? this.expected : Math.max(length, doubled);
    this.onGrow?.(bytes);
    const larger = Buffer.allocUnsafe(bytes);
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}
