/** What an author says of the tokens that are good because of their signature. */
import { sigilError } from '@sigil-mcp/core/adapter';
import type { TokenOptions } from './token-options';

/** What `jwt` takes. */
export interface JwtOptions extends TokenOptions {
  /** Whose tokens are good, exactly as they stand in `iss`: the URL of an authorization server, or of several. */
  readonly issuer: string | readonly string[];
  /** Signatures that count; all of RSA, of elliptic curves and of EdDSA if left out. */
  readonly algorithms?: readonly string[];
  /** The `typ` that the header has to have, such as `at+jwt`; any that is not another kind's if left out, because many issuers set none. */
  readonly typ?: string;
  /** Milliseconds between two fetches of keys that tokens with unknown ones cause; 30,000 if left out. */
  readonly keyCooldown?: number;
  /** Milliseconds after which keys are fetched again, while those that are there go on; 600,000 if left out. */
  readonly keyMaxAge?: number;
}

/** Signatures that only their issuer can make. With a shared secret, or with a public key taken for one, others could, too. */
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

/** The issuers of the options. Throws a `SigilError` where there is none, or one that is no URL. */
export function issuersOf({ issuer }: JwtOptions): readonly string[] {
  const issuers = [issuer].flat();
  const wrong = issuers.find((each) => !URL.canParse(each));
  if (issuers.length === 0 || wrong !== undefined)
    throw sigilError('SIGIL_JWT_OPTION', { option: 'issuer', value: JSON.stringify(wrong ?? issuers) });
  return issuers;
}

/** The algorithms of the options. Throws a `SigilError` for one that is no signature by a key of the issuer's own. */
export function algorithmsOf({ algorithms = SIGNATURES }: JwtOptions): string[] {
  const wrong = algorithms.find((each) => !SIGNATURES.includes(each));
  if (algorithms.length === 0 || wrong !== undefined)
    throw sigilError('SIGIL_JWT_OPTION', { option: 'algorithms', value: JSON.stringify(wrong ?? algorithms) });
  return [...algorithms];
}
