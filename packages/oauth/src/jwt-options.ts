/** What an author says of the tokens that are good. */
import type { CallerInit, Logger } from '@sigil-mcp/core';
import { sigilError } from '@sigil-mcp/core/adapter';

/** What `jwt` takes. */
export interface JwtOptions {
  /** Whose tokens are good, exactly as they stand in `iss`: the URL of an authorization server, or of several. */
  readonly issuer: string | readonly string[];
  /** The URI of the endpoint as clients know it; a token has to be issued for it, or for an `audience`. */
  readonly resource: string;
  /** What else a token may be issued for, where the authorization server knows the server by another name: `api://weather`. */
  readonly audience?: string | readonly string[];
  /** Scopes that a client should ask for first; none are named if left out. */
  readonly scopes?: readonly string[];
  /** All scopes that mean something here; those in `scopes` if left out. */
  readonly scopesSupported?: readonly string[];
  /** What a scope holds beside itself: `{ 'notes:admin': ['notes:read', 'notes:write'] }`; none holds another if left out. */
  readonly implies?: Readonly<Record<string, readonly string[]>>;
  /**
   * What the claims of a good token say of its caller, in place of what they say by the standards: `sub`, `client_id`, `scope`, `scp`,
   * `roles`. What it leaves out stays; what it throws is masked.
   */
  readonly caller?: (claims: Readonly<Record<string, unknown>>) => Partial<CallerInit>;
  /** Signatures that count; all of RSA, of elliptic curves and of EdDSA if left out. */
  readonly algorithms?: readonly string[];
  /** The `typ` that the header has to have, such as `at+jwt`; any that is not another kind's if left out, because many issuers set none. */
  readonly typ?: string;
  /** Milliseconds that the clocks of issuer and server may differ; 5,000 if left out. */
  readonly clockTolerance?: number;
  /** Milliseconds between two fetches of keys that tokens with unknown ones cause; 30,000 if left out. */
  readonly keyCooldown?: number;
  /** Milliseconds after which keys are fetched again, while those that are there go on; 600,000 if left out. */
  readonly keyMaxAge?: number;
  /** Verified tokens that are remembered, by their digests, for five minutes and never longer than they live; 10,000 if left out. */
  readonly remembered?: number;
  /** Hears why keys could not be fetched; lines of JSON on stderr if left out. */
  readonly logger?: Pick<Logger, 'warn'>;
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
