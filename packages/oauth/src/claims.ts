/** Reads the caller from the claims of a verified token: by RFC 9068, and by older names of some issuers. */
import { Caller, type CallerInit } from '@sigil-mcp/core';
import type { JWTPayload } from 'jose';
import { badToken } from './refusals';
import { toleranceOf, type TokenOptions } from './token-options';

/** Claims that only an ID token has. Such a token names the user to the client, and gives no access. */
const OF_ID_TOKENS = ['at_hash', 'c_hash'];

/**
 * Refuses a signed token that is not an access token.
 * @throws Denial with 401
 */
export function checkClaims(claims: JWTPayload): void {
  // The token is bound to a key, and its sender did not prove to have that key: it may be stolen.
  if (claims['cnf'] !== undefined) throw badToken('is bound to a key, and was sent without a proof of it');
  if (OF_ID_TOKENS.some((name) => claims[name] !== undefined) || claims['typ'] === 'ID')
    throw badToken('is an ID token, not an access token');
}

/**
 * The caller of a valid token. Throws a `Denial` with 401 for claims that name no caller. Errors of the author's function are not
 * caught.
 */
export function makeCaller(claims: JWTPayload, options: TokenOptions): Caller {
  return new Caller({ ...callerOf(claims), expiresAt: endOf(claims, options), ...options.caller?.(claims) });
}

/** When a token expires, in milliseconds since 1970; undefined for one without `exp`. */
export function endOf({ exp }: JWTPayload, options: TokenOptions): number | undefined {
  return exp === undefined ? undefined : exp * 1000 + toleranceOf(options);
}

function callerOf(claims: JWTPayload): CallerInit {
  const { sub, iss } = claims;
  const clientId = textOf(claims['client_id']) ?? textOf(claims['azp']) ?? textOf(claims['appid']);
  // A signed claim may be of any type.
  const named: unknown = sub;
  if (named !== undefined && typeof named !== 'string') throw badToken('has a subject that is not a string');
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
