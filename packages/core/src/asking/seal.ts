/** Authenticated encryption of short texts, with secrets that can be rotated. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { sigilError } from '../errors/catalogue';

const ALGORITHM = 'aes-256-gcm';
const VERSION = 1;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = 1 + IV_BYTES;

/** Seals with the first of its secrets and opens with any. */
export class Seal {
  readonly #keys: readonly Buffer[];

  /** @param purpose keeps a text that was sealed for one purpose from being opened for another */
  constructor(secrets: readonly string[], purpose: string) {
    this.#keys = secrets.map((secret) => Buffer.from(hkdfSync('sha256', secret, '', purpose, 32)));
  }

  /** The text as base64url. Without the secret it can be neither read nor changed. */
  seal(text: string): string {
    const [key] = this.#keys;
    if (!key) throw sigilError('SIGIL_INTERNAL', { what: 'a seal has no secret' });
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(ALGORITHM, key, iv);
    const sealed = Buffer.concat([Buffer.of(VERSION), iv, cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([sealed, cipher.getAuthTag()]).toString('base64url');
  }

  /** The text that was sealed; undefined for any other input. */
  open(sealed: string): string | undefined {
    const bytes = Buffer.from(sealed, 'base64url');
    // The decoder skips characters that are not base64url; a text with such characters added is not the one that was issued.
    if (bytes.length < HEAD_BYTES + TAG_BYTES || bytes[0] !== VERSION || bytes.toString('base64url') !== sealed)
      return undefined;
    for (const key of this.#keys) {
      const text = openWith(key, bytes);
      if (text !== undefined) return text;
    }
    return undefined;
  }
}

function openWith(key: Buffer, bytes: Buffer): string | undefined {
  const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(1, HEAD_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    const text = decipher.update(bytes.subarray(HEAD_BYTES, -TAG_BYTES));
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  } catch {
    return undefined; // the tag does not match: another secret, or another text
  }
}
