/** Reads the caller from the claims of a verified token: by RFC 9068, and by older names of some issuers. */
import { errors, type JWTPayload } from 'jose';
import { Caller, Denial, JsonLinesLogger, type CallerInit, type Logger } from '@sigil-mcp/core';
import { toleranceOf, type TokenOptions } from './token-options';

// The errors that a client receives if its token is not accepted.

/** Seconds after which keys that could not be fetched are fetched again. */
export const RETRY_AFTER = 5;

/** The fault of a token from an unknown issuer. */
export const OF_OTHERS = 'is from an issuer that this server does not accept';

/** 401: the token is not valid, but another one might be. */
export function badToken(why: string): Denial {
  return new Denial(`The token ${why}.`, { status: 401 });
}

/**
 * 503: the server cannot check the token now. With 401 every client would send its user to sign in again.
 * @param retryAfter seconds
 */
export function outOfReach(what: string, retryAfter = RETRY_AFTER): Denial {
  const options = { error: 'internal-error', status: 503, retryAfter } as const;
  return new Denial(`${what} out of reach. Try again later.`, options);
}

/** Throws the fault of a token, without any of its content. */
export function refuse(error: unknown): never {
  throw error instanceof errors.JOSEError ? badToken(faultOf(error)) : error;
}

function faultOf(error: errors.JOSEError): string {
  if (error instanceof errors.JWTExpired) return 'has expired';
  if (error instanceof errors.JWTClaimValidationFailed) {
    if (error.claim === 'iss') return OF_OTHERS;
    if (error.claim === 'aud') return 'was not issued for this server';
    return error.claim === 'nbf' ? 'is not valid yet' : `has a missing or invalid claim: ${error.claim}`;
  }
  if (error instanceof errors.JOSEAlgNotAllowed) return 'is signed with an algorithm that this server does not accept';
  return 'cannot be verified';
}

/** Claims that name the client: of RFC 9068, Keycloak and Auth0, Okta, Entra in version 1. */
const CLIENT_CLAIMS = ['client_id', 'azp', 'cid', 'appid'];
/** Issuers that are remembered, so that a family of issuers does not fill the memory. */
const MOST_REPORTED = 1000;

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

/** Reads callers out of the claims of valid tokens. */
export class CallerReader {
  /** Issuers whose tokens without a client were reported. */
  readonly #reported = new Set<string>();
  readonly #clientClaims: readonly string[];
  readonly #logger: Pick<Logger, 'warn'>;

  constructor(private readonly options: TokenOptions) {
    const { clientClaim = CLIENT_CLAIMS, logger = new JsonLinesLogger() } = options;
    this.#clientClaims = [clientClaim].flat();
    this.#logger = logger;
  }

  /**
   * The caller of a valid token. Throws a `Denial` with 401 for claims that name no caller. Errors of the author's function are not
   * caught.
   */
  read(claims: JWTPayload): Caller {
    const { options } = this;
    const read = callerOf(claims, this.#clientClaims);
    const caller = new Caller({ ...read, expiresAt: endOf(claims, options), ...options.caller?.(claims) });
    if (caller.clientId === undefined) this.#report(caller.issuer ?? '');
    return caller;
  }

  /** Everything that counts by principal is wider without a client: all clients of a user are one. */
  #report(issuer: string): void {
    if (this.#reported.has(issuer) || this.#reported.size >= MOST_REPORTED) return;
    this.#reported.add(issuer);
    this.#logger.warn(
      { issuer, claims: this.#clientClaims },
      'Tokens of an issuer name no client, so all clients of a user are one, with the same sessions, tasks and limits: set clientClaim',
    );
  }
}

/** When a token expires, in milliseconds since 1970; undefined for one without `exp`. */
export function endOf({ exp }: JWTPayload, options: TokenOptions): number | undefined {
  return exp === undefined ? undefined : exp * 1000 + toleranceOf(options);
}

function callerOf(claims: JWTPayload, clientClaims: readonly string[]): CallerInit {
  const { sub, iss } = claims;
  const clientId = clientClaims.map((name) => textOf(claims[name])).find((found) => found !== undefined);
  // A signed claim may be of any type.
  const named: unknown = sub;
  if (named !== undefined && typeof named !== 'string') throw badToken('has a subject that is not a string');
  const id = sub ?? clientId;
  if (id === undefined || id === '') throw badToken('names neither a subject nor a client');
  return {
    id,
    kind: id === clientId || isProgram(claims, clientId) ? 'client' : 'user',
    clientId,
    issuer: iss,
    scopes: [...new Set([...wordsOf(claims['scope']), ...wordsOf(claims['scp'])])],
    roles: wordsOf(claims['roles']),
    claims,
  };
}

/** Whether a token is that of a program in its own name, which its subject does not tell: by the marks of single issuers. */
function isProgram(claims: JWTPayload, clientId: string | undefined): boolean {
  const { sub } = claims;
  // Entra: the optional claim; without it, a program is its own object, and nobody has delegated scopes to it.
  if (claims['idtyp'] === 'app') return true;
  if (claims['tid'] !== undefined && sub !== undefined && sub === claims['oid'] && claims['scp'] === undefined)
    return true;
  if (clientId === undefined) return false;
  // Auth0, by its own claims and by those of RFC 9068.
  if (claims['gty'] === 'client-credentials' || sub === `${clientId}@clients`) return true;
  // Keycloak, whose programs have an account. A user may have such a name, but not the address from which a program has signed in.
  const account = `service-account-${clientId.toLowerCase()}`;
  return claims['preferred_username'] === account && claims['clientAddress'] !== undefined;
}

function textOf(claim: unknown): string | undefined {
  return typeof claim === 'string' && claim !== '' ? claim : undefined;
}

/** A list of words: an array of them, or one text with spaces in between. */
function wordsOf(claim: unknown): readonly string[] {
  if (typeof claim === 'string') return claim.split(' ').filter((word) => word !== '');
  return Array.isArray(claim) ? claim.filter((word) => typeof word === 'string') : [];
}
