/** The errors that a client receives if its token is not accepted. */
import { Denial } from '@sigil-mcp/core';
import { errors } from 'jose';

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
