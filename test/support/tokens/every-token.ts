/** Tokens of every kind, and how a server that wants a good one answers them. */
import type { TestIssuer } from '@sigil-mcp/testing';

/** A row of the table. */
export interface TokenRow {
  readonly title: string;
  /** The header; undefined for none. */
  header(issuer: TestIssuer): string | undefined;
  readonly status: number;
  /** What the challenge says is wrong; undefined where nothing is. */
  readonly error?: 'invalid_token' | 'invalid_request';
  /** For people. */
  readonly why?: string;
}

const bad = (title: string, make: (issuer: TestIssuer) => string, why: string): TokenRow => ({
  title,
  header: (issuer) => `Bearer ${make(issuer)}`,
  status: 401,
  error: 'invalid_token',
  why,
});
const malformed = (title: string, header: string): TokenRow => ({
  title,
  header: () => header,
  status: 400,
  error: 'invalid_request',
});
const soon = (): number => Math.floor(Date.now() / 1000) + 60;

/** Rows for which it does not matter what the token would allow. */
export const REFUSED: readonly TokenRow[] = [
  { title: 'no token', header: () => undefined, status: 401 },
  { title: 'credentials of another scheme', header: () => 'Basic YTpi', status: 401 },
  malformed('a header without a token', 'Bearer'),
  malformed('a header with two tokens', 'Bearer one two'),
  malformed('a header with what is no token', 'Bearer <token>'),
  bad('what is no JWT', () => 'opaque', 'cannot be verified'),
  bad('an expired token', (issuer) => issuer.token({ expiresIn: -1000 }), 'has expired'),
  bad('a token that is not good yet', (issuer) => issuer.token({ claims: { nbf: soon() } }), 'is not valid yet'),
  bad(
    'a token of another issuer',
    (issuer) => issuer.token({ claims: { iss: 'https://evil.example' } }),
    'is from an issuer',
  ),
  bad(
    'a token for another server',
    (issuer) => issuer.token({ aud: 'https://mcp.example.com/other' }),
    'was not issued for',
  ),
  bad('a token without an audience', (issuer) => issuer.token({ claims: { aud: undefined } }), 'was not issued for'),
  bad(
    'a token by another algorithm',
    (issuer) => issuer.token({ alg: 'ES384' }),
    'with an algorithm that this server does not accept',
  ),
  bad(
    'a token without a signature',
    (issuer) => issuer.token({ alg: 'none' }),
    'with an algorithm that this server does not accept',
  ),
  bad(
    'a token by HS256 and the public key',
    (issuer) => issuer.token({ alg: 'HS256' }),
    'with an algorithm that this server does not accept',
  ),
  bad(
    'a token by a key that nobody published',
    (issuer) => issuer.token({ kid: 'another' }),
    'a key that its issuer does not have',
  ),
  bad('an ID token', (issuer) => issuer.token({ typ: 'JWT', claims: { at_hash: 'x', nonce: 'y' } }), 'is an ID token'),
  bad(
    'a token that is bound to a key',
    (issuer) => issuer.token({ claims: { cnf: { jkt: 'x' } } }),
    'is bound to a key',
  ),
];

/** What a good token allows. */
const GRANTED = 'notes:read notes:count';

/** Rows of good tokens that allow so much. */
export const GRANTS: readonly { readonly title: string; readonly scope: string; readonly has: readonly string[] }[] = [
  { title: 'no scope', scope: '', has: [] },
  { title: 'a scope of another kind', scope: 'notes notes:read:all NOTES:READ', has: [] },
  { title: 'one of two scopes', scope: 'notes:read', has: ['notes:read'] },
  { title: 'the other one', scope: 'notes:count', has: ['notes:count'] },
  { title: 'both scopes', scope: GRANTED, has: ['notes:read', 'notes:count'] },
  { title: 'a wider scope', scope: 'notes:admin', has: ['notes:read', 'notes:count'] },
];

/** The row behind which everything works. */
export const GOOD: TokenRow = {
  title: 'a good token',
  header: (issuer) => `Bearer ${issuer.token({ scope: GRANTED })}`,
  status: 200,
};
