/** The key of the page: random for each run, in the fragment of its URL, which browsers never send, and in a header of each request. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** The header that carries the key. */
export const KEY_HEADER = 'x-sigil-key';

/** 192 bits. */
const BYTES = 24;

/** The key of one run of `sigil dev`. */
export class PageKey {
  /** The key as text for a URL. */
  readonly text = randomBytes(BYTES).toString('base64url');
  readonly #digest = digestOf(this.text);

  /** Whether a header has the key; takes the same time for each text. */
  opens(header: string | readonly string[] | undefined): boolean {
    return timingSafeEqual(digestOf(typeof header === 'string' ? header : ''), this.#digest);
  }
}

/** Digests have one length, so that the comparison takes the same time for each text. */
function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
