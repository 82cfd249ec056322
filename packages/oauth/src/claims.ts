/** What the claims of a verified token say of its caller, in the words of RFC 9068 and of those who had theirs before it. */
import { Caller, type CallerInit } from '@sigil-mcp/core';
import type { JWTPayload } from 'jose';
import { badToken } from './refusals';
import { toleranceOf, type TokenOptions } from './token-options';

/** Claims that only an ID token has: it says to a client who signed in, and opens nothing. */
const OF_ID_TOKENS = ['at_hash', 'c_hash'];

/**
 * Refuses what is signed and still no token to come in with.
 * @throws Denial with 401
 */
export function checkClaims(claims: JWTPayload): void {
  // Bound to a key that its sender did not prove to have: as a bearer token it may be stolen.
  if (claims['cnf'] !== undefined) throw badToken('is bound to a key, and was sent without a proof of it');
  if (OF_ID_TOKENS.some((name) => claims[name] !== undefined) || claims['typ'] === 'ID')
    throw badToken('is an ID token, and no access token');
}

/** The caller of a good token. Throws a `Denial` with 401 for claims that name nobody; what the author's function throws it throws, too. */
export function makeCaller(claims: JWTPayload, options: TokenOptions): Caller {
  return new Caller({ ...callerOf(claims), expiresAt: endOf(claims, options), ...options.caller?.(claims) });
}

/** When a token is over, in milliseconds since 1970; undefined for one that does not say. */
export function endOf({ exp }: JWTPayload, options: TokenOptions): number | undefined {
  return exp === undefined ? undefined : exp * 1000 + toleranceOf(options);
}

function callerOf(claims: JWTPayload): CallerInit {
  const { sub, iss } = claims;
  const clientId = textOf(claims['client_id']) ?? textOf(claims['azp']) ?? textOf(claims['appid']);
  // What is signed may be of any type.
  const named: unknown = sub;
  if (named !== undefined && typeof named !== 'string') throw badToken('has a subject that is no text');
  const id = sub ?? clientId;
  if (id === undefined || id === '') throw badToken('names neither a subject nor a client');
  const isClient = id === clientId || claims['idtyp'] === 'app' || claims['gty'] === 'client-credentials';
  return {
    id,
    kind: isClient ? 'client' : 'user',
    clientId,
    issuer: iss,
    scopes: [...new Set([...wordsOf(claims['scope']), ...wordsOf(claims['scp'])])],
    roles: wordsOf(claims['roles']),
    claims,
  };
}

function textOf(claim: unknown): string | undefined {
  return typeof claim === 'string' && claim !== '' ? claim : undefined;
}

/** A list of words: an array of them, or one text with spaces in between. */
function wordsOf(claim: unknown): readonly string[] {
  if (typeof claim === 'string') return claim.split(' ').filter((word) => word !== '');
  return Array.isArray(claim) ? claim.filter((word) => typeof word === 'string') : [];
}
