/** The options for tokens that are accepted because of their signature. */
import type { TokenOptions } from './token-options';
import { oauthError } from './errors';

/** The options of `jwt`. */
export interface JwtOptions extends TokenOptions {
  /** The issuers whose tokens are accepted, exactly as in `iss`: the URL of an authorization server, or of several. */
  readonly issuer: string | readonly string[];
  /** Accepted signature algorithms; all of RSA, of elliptic curves and of EdDSA if left out. */
  readonly algorithms?: readonly string[];
  /**
   * The `typ` that the header must have, such as `at+jwt`. If left out, `at+jwt`, `JWT` and no `typ` at all are
   * accepted, because many issuers set none.
   */
  readonly typ?: string;
  /** Milliseconds between two fetches of keys that are caused by tokens with unknown keys; 30,000 if left out. */
  readonly keyCooldown?: number;
  /** Milliseconds after which keys are fetched again, while the current ones stay in use; 600,000 if left out. */
  readonly keyMaxAge?: number;
}

/** Signatures that only the issuer can make. With a shared secret, or with a public key used as one, others could make them, too. */
const SIGNATURES = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

/** The issuers of the options. Throws a `SigilError` if the list is empty, or if one is not a URL. */
export function issuersOf({ issuer }: JwtOptions): readonly string[] {
  const issuers = [issuer].flat();
  const wrong = issuers.find((each) => !URL.canParse(each));
  if (issuers.length === 0 || wrong !== undefined)
    throw oauthError('SIGIL_JWT_OPTION', { option: 'issuer', value: JSON.stringify(wrong ?? issuers) });
  return issuers;
}

/** The algorithms of the options. Throws a `SigilError` for one that is not a signature with a private key of the issuer. */
export function algorithmsOf({ algorithms = SIGNATURES }: JwtOptions): string[] {
  const wrong = algorithms.find((each) => !SIGNATURES.includes(each));
  if (algorithms.length === 0 || wrong !== undefined)
    throw oauthError('SIGIL_JWT_OPTION', { option: 'algorithms', value: JSON.stringify(wrong ?? algorithms) });
  return [...algorithms];
}
