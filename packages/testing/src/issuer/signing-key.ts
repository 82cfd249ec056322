/** The keys that an issuer signs with: a key pair for each algorithm. */
import { constants, createHmac, generateKeyPair, sign, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { testingError } from '../errors';

const generate = promisify(generateKeyPair) as (
  type: string,
  options: object,
) => Promise<{ publicKey: KeyObject; privateKey: KeyObject }>;

/** A public key as a set of keys names it (RFC 7517). */
export type PublicJwk = Readonly<Record<string, unknown>> & { readonly kid: string };

/** Signs with one algorithm. */
export interface SigningKey {
  readonly algorithm: string;
  readonly jwk: PublicJwk;
  sign(text: string): string;
}

const CURVES: Readonly<Record<string, string>> = { ES256: 'P-256', ES384: 'P-384', ES512: 'P-521' };
const PSS = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };

/** Makes a key. Rejects with a `SigilError` for an algorithm that it does not know. */
export async function makeSigningKey(algorithm: string, kid: string): Promise<SigningKey> {
  const { publicKey, privateKey } = await makePair(algorithm);
  const digits = /\d{3}$/.exec(algorithm)?.[0];
  const hash = digits === undefined ? undefined : `sha${digits}`;
  const manner = algorithm.startsWith('PS') ? PSS : algorithm.startsWith('ES') ? { dsaEncoding: 'ieee-p1363' } : {};
  const key = { key: privateKey, ...(manner as { dsaEncoding?: 'ieee-p1363' }) };
  return {
    algorithm,
    jwk: { ...publicKey.export({ format: 'jwk' }), kid, alg: algorithm, use: 'sig' },
    sign: (text) => sign(hash, Buffer.from(text), key).toString('base64url'),
  };
}

function makePair(algorithm: string): ReturnType<typeof generate> {
  const curve = CURVES[algorithm];
  if (curve !== undefined) return generate('ec', { namedCurve: curve });
  if (/^[RP]S(256|384|512)$/.test(algorithm)) return generate('rsa', { modulusLength: 2048 });
  if (algorithm === 'EdDSA') return generate('ed25519', {});
  throw testingError('SIGIL_TEST_ISSUER_ALGORITHM', {
    algorithm,
    known: 'RS256, PS256, ES256, EdDSA and their longer kin',
  });
}

/** What an attacker signs with: nothing, or the public key, which everybody knows, taken for a secret. */
export function forgedSignature(algorithm: string, text: string, { jwk }: SigningKey): string {
  if (algorithm === 'none') return '';
  return createHmac(`sha${algorithm.slice(2)}`, JSON.stringify(jwk))
    .update(text)
    .digest('base64url');
}
