/** What a test says of a token, and the claims that it then has. */
import { randomUUID } from 'node:crypto';

/** A token, as far as a test cares; what it leaves out is that of a good one. */
export interface TokenOptions {
  /** Whose it is; `test-user` if left out. */
  readonly sub?: string;
  /** The client that it was issued to; `test-client` if left out. */
  readonly clientId?: string;
  /** Whom it was issued for; the audience of the issuer if left out. */
  readonly aud?: string | readonly string[];
  /** What it allows; nothing if left out. */
  readonly scope?: string | readonly string[];
  /** Milliseconds that it lives, whole seconds of them; 60,000 if left out. One that has expired lives less than none. */
  readonly expiresIn?: number;
  /** Further claims, or others in the place of the usual ones, which stay if left out; undefined leaves one out. */
  readonly claims?: Readonly<Record<string, unknown>>;
  /**
   * How it is signed: by one of the issuer's algorithms, its first if left out. As attackers do: `none`, or `HS256` with the public key
   * for a secret.
   */
  readonly alg?: string;
  /** The key that it names; the one that it is signed with if left out. */
  readonly kid?: string;
  /** The kind that its header names; `at+jwt` if left out. */
  readonly typ?: string;
  /** A random text in place of a signed one, about which the issuer has to be asked; false if left out. */
  readonly opaque?: boolean;
}

/** The claims of RFC 9068. */
export type Claims = Readonly<Record<string, unknown>>;

/** What a token claims. */
export function claimsOf(options: TokenOptions, issuer: string, audience: TokenOptions['aud']): Claims {
  const { sub = 'test-user', clientId = 'test-client', aud = audience, scope, expiresIn = 60_000, claims } = options;
  const now = Math.floor(Date.now() / 1000);
  const usual = {
    iss: issuer,
    sub,
    client_id: clientId,
    aud,
    scope: typeof scope === 'object' ? scope.join(' ') : scope,
    iat: now,
    exp: now + Math.floor(expiresIn / 1000),
    jti: randomUUID(),
  };
  return Object.fromEntries(Object.entries({ ...usual, ...claims }).filter(([, value]) => value !== undefined));
}
