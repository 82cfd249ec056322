/** The token that a test asks for, and the claims that follow. */
import { randomUUID } from 'node:crypto';
import type { OptionRule } from '@sigil-mcp/core/adapter';

/** The members of a token that matter to a test; the others are those of a valid token. */
export interface IssuedTokenOptions {
  /** The subject; `test-user` if left out. */
  readonly sub?: string;
  /** The client that it was issued to; `test-client` if left out. */
  readonly clientId?: string;
  /** The audience; that of the issuer if left out. */
  readonly aud?: string | readonly string[];
  /** The scopes; none if left out. */
  readonly scope?: string | readonly string[];
  /** Its lifetime in milliseconds, in whole seconds; 60,000 if left out. A negative value makes an expired token. */
  readonly expiresIn?: number;
  /** Further claims, or replacements of the usual claims, which stay if left out; undefined removes one. */
  readonly claims?: Readonly<Record<string, unknown>>;
  /**
   * The signature algorithm: one of the issuer's, its first if left out. As attackers do: `none`, or `HS256` with the public key
   * as a secret.
   */
  readonly alg?: string;
  /** The key that it names; the one that it is signed with if left out. */
  readonly kid?: string;
  /** The `typ` of its header; `at+jwt` if left out. */
  readonly typ?: string;
  /** Issues a random text instead of a signed token, so that the issuer must be asked about it; false if left out. */
  readonly opaque?: boolean;
}

/** Of `token` of an issuer. Tests of servers want tokens that are wrong, so that no value is refused. */
export const TOKEN_OPTIONS: Readonly<Record<keyof IssuedTokenOptions, OptionRule | undefined>> = {
  ...{ sub: undefined, clientId: undefined, aud: undefined, scope: undefined, expiresIn: undefined },
  ...{ claims: undefined, alg: undefined, kid: undefined, typ: undefined, opaque: undefined },
};

/** The claims of RFC 9068. */
export type Claims = Readonly<Record<string, unknown>>;

/** The claims of a token. */
export function claimsOf(options: IssuedTokenOptions, issuer: string, audience: IssuedTokenOptions['aud']): Claims {
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
