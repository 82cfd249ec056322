/**
 * Checks signatures synchronously with Node. WebCrypto would use a thread for each, which costs more than an RSA signature.
 * @see https://www.rfc-editor.org/rfc/rfc7518#section-3.1
 */
import { constants, KeyObject, verify, type VerifyKeyObjectInput } from 'node:crypto';
import type { CryptoKey } from 'jose';
import { badToken } from './refusals';

/** The public key of one algorithm. */
export interface SignatureKey {
  /** Undefined if the algorithm implies it. */
  readonly hash: string | undefined;
  readonly key: VerifyKeyObjectInput;
}

type Manner = Omit<VerifyKeyObjectInput, 'key'>;

/** How the algorithms of each family sign; the digits that follow are those of the hash. */
const MANNERS: Readonly<Record<string, Manner>> = {
  RS: { padding: constants.RSA_PKCS1_PADDING },
  PS: { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST },
  ES: { dsaEncoding: 'ieee-p1363' },
  Ed: {},
};

/** The minimum of RFC 7518 for RSA: shorter keys were broken. */
const FEWEST_BITS = 2048;

/**
 * Prepares a key for an algorithm that it was imported for.
 * @throws Denial with 401 for a key that is too short
 */
export function signatureKeyOf(algorithm: string, imported: CryptoKey): SignatureKey {
  const key = KeyObject.from(imported);
  const { modulusLength = FEWEST_BITS } = key.asymmetricKeyDetails ?? {};
  if (modulusLength < FEWEST_BITS) throw badToken('is signed with a key that is too short');
  const [, family = '', bits] = /^(RS|PS|ES|Ed)(\d{3})?/.exec(algorithm) ?? [];
  return { hash: bits === undefined ? undefined : `sha${bits}`, key: { key, ...MANNERS[family] } };
}

/** Whether a text was signed with the private part of a key. */
export function isSigned(text: string, signature: string, { hash, key }: SignatureKey): boolean {
  // Node skips characters that base64url does not have, so that one signature could be written in many ways.
  if (!/^[\w-]+$/.test(signature)) return false;
  return verify(hash, Buffer.from(text, 'latin1'), key, Buffer.from(signature, 'base64url'));
}
