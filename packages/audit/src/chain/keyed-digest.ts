/**
 * HMAC-SHA-256 with one key, for many short texts: `createHmac` makes a stream for each of them, which costs more than the digest.
 * @see https://www.rfc-editor.org/rfc/rfc2104
 */
import { hash } from 'node:crypto';

/** Bytes of a block of SHA-256. */
const BLOCK = 64;
const DIGEST = 32;
const INNER = 0x36;
const OUTER = 0x5c;

/** Computes digests with a key. */
export class KeyedDigest {
  readonly #inner: Buffer;
  /** The outer block, with room for the inner digest. */
  readonly #outer = Buffer.alloc(BLOCK + DIGEST);

  /** @param key at most as long as a block */
  constructor(key: Uint8Array) {
    const block = Buffer.alloc(BLOCK);
    block.set(key);
    this.#inner = block.map((byte) => byte ^ INNER) as Buffer;
    this.#outer.set(block.map((byte) => byte ^ OUTER));
  }

  /** @returns the digest, 43 characters of base64url */
  of(text: string | Uint8Array): string {
    const length = typeof text === 'string' ? Buffer.byteLength(text) : text.length;
    const bytes = Buffer.allocUnsafe(BLOCK + length);
    bytes.set(this.#inner);
    if (typeof text === 'string') bytes.write(text, BLOCK);
    else bytes.set(text, BLOCK);
    this.#outer.set(hash('sha256', bytes, 'buffer'), BLOCK);
    return hash('sha256', this.#outer, 'base64url');
  }
}
