/** The ids of sessions: 192 random bits each, which nobody can guess. */
import { randomFillSync } from 'node:crypto';

/** Bytes of an id, which are 32 characters of base64url. */
const BYTES = 24;
/** Ids for which random bytes are taken at once: a call into the system costs as much as the rest of a new session. */
const AT_ONCE = 32;

/** Makes ids. The first one takes the first random bytes, so that copies of a process that has opened no session share none. */
export class SessionIds {
  readonly #random = Buffer.alloc(BYTES * AT_ONCE);
  #used = this.#random.length;

  /** @returns 32 characters: letters, digits, `-` and `_` */
  next(): string {
    if (this.#used === this.#random.length) {
      randomFillSync(this.#random);
      this.#used = 0;
    }
    const from = this.#used;
    this.#used = from + BYTES;
    const id = this.#random.toString('base64url', from, this.#used);
    // What was given away cannot be read from memory a second time.
    this.#random.fill(0, from, this.#used);
    return id;
  }
}
