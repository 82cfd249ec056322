/** The keys that are derived from the secret of the operator: one for each purpose, so that no digest can stand for another. */
import { createHmac, hash } from 'node:crypto';

/** Bytes of a block of SHA-256. */
const BLOCK = 64;

const DIGEST = 32;

const INNER = 0x36;

const OUTER = 0x5c;

/**
 * Computes digests with a key.
 *
 * HMAC-SHA-256 with one key, for many short texts: `createHmac` makes a stream for each of them, which costs more than the digest.
 * @see https://www.rfc-editor.org/rfc/rfc2104
 */
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

/** Characters of a digest. */
export const DIGEST_LENGTH = 43;
const KEY_ID_LENGTH = 8;

/** Computes digests with a secret. */
export class AuditKeys {
  /** Tells with which secret a chain was made; it tells nothing about the secret. */
  readonly id: string;
  readonly #arguments: KeyedDigest;
  readonly #chain: KeyedDigest;
  readonly #head: KeyedDigest;

  constructor(secret: string) {
    const derive = (purpose: string): KeyedDigest =>
      new KeyedDigest(createHmac('sha256', secret).update(`sigil audit ${purpose}`).digest());
    this.#arguments = derive('arguments');
    this.#chain = derive('chain');
    this.#head = derive('head');
    this.id = derive('id').of('').slice(0, KEY_ID_LENGTH);
  }

  /** The same for equal JSON, regardless of the order of its members. */
  ofArguments(value: unknown): string {
    return this.#arguments.of(canonicalJson(value));
  }

  /** @param text of a record, up to its hash */
  ofRecord(text: string | Uint8Array): string {
    return this.#chain.of(text);
  }

  /** Proves that a hash was that of the newest record. */
  ofHead(text: string): string {
    return this.#head.of(text);
  }
}

/**
 * @param value parsed JSON
 * @see https://www.rfc-editor.org/rfc/rfc8785
 */
export function canonicalJson(value: unknown): string {
  // Arguments of a program in the same process may hold values that are not JSON.
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return listText(value);
  // Its members are JSON, too. Names are sorted by UTF-16 code units.
  const members = value as Readonly<Record<string, unknown>>;
  let text = '';
  for (const name of Object.keys(members).sort())
    text += `${text === '' ? '{' : ','}${JSON.stringify(name)}:${canonicalJson(members[name])}`;
  return text === '' ? '{}' : `${text}}`;
}

function listText(items: readonly unknown[]): string {
  let text = '[';
  for (const item of items) text += `${text === '[' ? '' : ','}${canonicalJson(item)}`;
  return `${text}]`;
}
