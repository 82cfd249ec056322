/** The tokens of an issuer, for introspection (RFC 7662). */
import { randomUUID } from 'node:crypto';
import type { OptionRule } from '@sigil-mcp/core/internal';

/** The credentials of a client that may ask. */
export interface AskingClient {
  readonly id: string;
  readonly secret: string;
}

/** The tokens of one issuer. */
export class IssuedTokens {
  readonly #claims = new Map<string, Claims>();

  /** @param client that may ask; any client if left out */
  constructor(private readonly client: AskingClient | undefined) {}

  add(token: string, claims: Claims): void {
    this.#claims.set(token, claims);
  }

  remove(token: string): void {
    this.#claims.delete(token);
  }

  /** The answer about a token, by the form that was sent; undefined for a client that may not ask. */
  answer(form: URLSearchParams, authorization: string | undefined): object | undefined {
    if (!this.#mayAsk(form, authorization)) return undefined;
    const claims = this.#claims.get(form.get('token') ?? '');
    const isOver = typeof claims?.['exp'] === 'number' && claims['exp'] * 1000 <= Date.now();
    return claims && !isOver ? { active: true, token_type: 'Bearer', ...claims } : { active: false };
  }

  #mayAsk(form: URLSearchParams, authorization = ''): boolean {
    if (!this.client) return true;
    const { id, secret } = this.client;
    // Each of the two is encoded as in a form before they are joined (RFC 6749, section 2.3.1).
    const basic = `${inForm(id)}:${inForm(secret)}`;
    const isBasic = authorization === `Basic ${Buffer.from(basic).toString('base64')}`;
    return isBasic || (form.get('client_id') === id && form.get('client_secret') === secret);
  }
}

function inForm(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1);
}

// The token that a test asks for, and the claims that follow.

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
type Claims = Readonly<Record<string, unknown>>;

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

/** A user who can sign in at the page of an issuer. */
export interface Person {
  /** The scopes of the user's tokens; none if left out. */
  readonly scopes?: readonly string[];
  /** Further claims of the user's tokens, such as `roles`. */
  readonly claims?: Readonly<Record<string, unknown>>;
}

/** The users of an issuer, by the subject of their tokens, which is also the name on the page. */
export type People = Readonly<Record<string, Person>>;
