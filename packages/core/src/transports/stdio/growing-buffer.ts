/** Bytes that arrive in pieces: copied into one buffer that doubles, so that neither time nor memory is quadratic. */

/** Holds the beginning of a line until its end arrives. */
export class GrowingBuffer {
  #bytes = Buffer.alloc(0);
  #length = 0;

  /** Bytes that were gathered since the last `take` or `clear`. */
  get length(): number {
    return this.#length;
  }

  append(piece: Uint8Array): void {
    const length = this.#length + piece.length;
    if (length > this.#bytes.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(length, this.#bytes.length * 2, SMALLEST));
      grown.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = grown;
    }
    this.#bytes.set(piece, this.#length);
    this.#length = length;
  }

  /** Gives and forgets what was gathered. It has to be used before the next `append`, which may overwrite it. */
  take(): Buffer {
    const taken = this.#bytes.subarray(0, this.#length);
    this.clear();
    return taken;
  }

  /** Forgets what was gathered, and a buffer that has grown large: one long line must not cost its memory for good. */
  clear(): void {
    if (this.#bytes.length > LARGEST_KEPT) this.#bytes = Buffer.alloc(0);
    this.#length = 0;
  }
}

const SMALLEST = 4096;
const LARGEST_KEPT = 256 * 1024;
