/** The keys that are derived from the secret of the operator: one for each purpose, so that no digest can stand for another. */
import { createHmac } from 'node:crypto';
import { canonicalJson } from '../text/canonical-json';
import { KeyedDigest } from './keyed-digest';

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
