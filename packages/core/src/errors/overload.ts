/** Refusals of requests that exceed a limit. */
import { Denial } from './denial';

/**
 * The answer to what would make the server hold too much: 503 over HTTP, and to be sent again later.
 * @param what names the limit, in a sentence
 */
export function overload(what: string): Denial {
  return new Denial(what, { error: 'internal-error', status: 503, retryAfter: 1 });
}
