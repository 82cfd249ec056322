/** What the client is told where its token is not accepted. */
import { Denial } from '@sigil-mcp/core';

/** Seconds after which keys that could not be had are asked for again. */
export const RETRY_AFTER = 5;

/** 401: the token is not good, and another one might be. */
export function badToken(why: string): Denial {
  return new Denial(`The token ${why}.`, { status: 401 });
}

/** 503: nobody knows whether the token is good. With 401 every client would send its user to sign in again. */
export function keysOutOfReach(): Denial {
  const options = { error: 'internal-error', status: 503, retryAfter: RETRY_AFTER } as const;
  return new Denial('The keys of the issuer are out of reach. Try again later.', options);
}
