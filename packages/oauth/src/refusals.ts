/** What the client is told where its token is not accepted. */
import { Denial } from '@sigil-mcp/core';
import { errors } from 'jose';

/** Seconds after which keys that could not be had are asked for again. */
export const RETRY_AFTER = 5;

/** Of a token that somebody else issued. */
export const OF_OTHERS = 'is of an issuer whose tokens are not good here';

/** 401: the token is not good, and another one might be. */
export function badToken(why: string): Denial {
  return new Denial(`The token ${why}.`, { status: 401 });
}

/**
 * 503: nobody knows whether the token is good. With 401 every client would send its user to sign in again.
 * @param retryAfter seconds
 */
export function outOfReach(what: string, retryAfter = RETRY_AFTER): Denial {
  const options = { error: 'internal-error', status: 503, retryAfter } as const;
  return new Denial(`${what} out of reach. Try again later.`, options);
}

/** What is wrong with a token, without a word of what is in it. */
export function refuse(error: unknown): never {
  throw error instanceof errors.JOSEError ? badToken(faultOf(error)) : error;
}

function faultOf(error: errors.JOSEError): string {
  if (error instanceof errors.JWTExpired) return 'has expired';
  if (error instanceof errors.JWTClaimValidationFailed) {
    if (error.claim === 'iss') return OF_OTHERS;
    if (error.claim === 'aud') return 'was not issued for this server';
    return error.claim === 'nbf' ? 'is not good yet' : `has a claim that is not good: ${error.claim}`;
  }
  if (error instanceof errors.JOSEAlgNotAllowed) return 'is signed in a way that is not accepted';
  return 'cannot be verified';
}
