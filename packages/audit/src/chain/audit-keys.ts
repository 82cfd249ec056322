/** The keys that are derived from the secret of the operator: one for each purpose, so that no digest can stand for another. */
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { canonicalJson } from '../text/canonical-json';

/** Characters of a digest. */
export const DIGEST_LENGTH = 43;
const KEY_ID_LENGTH = 8;

/** Computes digests with a secret. */
export class AuditKeys {
  /** Tells with which secret a chain was made; it tells nothing about the secret. */
  readonly id: string;
  readonly #arguments: KeyObject;
  readonly #chain: KeyObject;
  readonly #head: KeyObject;

  constructor(secret: string) {
    const derive = (purpose: string): KeyObject =>
      createSecretKey(createHmac('sha256', secret).update(`sigil audit ${purpose}`).digest());
    this.#arguments = derive('arguments');
    this.#chain = derive('chain');
    this.#head = derive('head');
    this.id = digest(derive('id'), '').slice(0, KEY_ID_LENGTH);
  }

  /** The same for equal JSON, regardless of the order of its members. */
  ofArguments(value: unknown): string {
    return digest(this.#arguments, canonicalJson(value));
  }

  /** @param text of a record, up to its hash */
  ofRecord(text: string | Uint8Array): string {
    return digest(this.#chain, text);
  }

  /** Proves that a hash was that of the newest record. */
  ofHead(text: string): string {
    return digest(this.#head, text);
  }
}

function digest(key: KeyObject, text: string | Uint8Array): string {
  return createHmac('sha256', key).update(text).digest('base64url');
}
