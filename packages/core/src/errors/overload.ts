/** Refusals of requests that exceed a limit. */
import { Denial } from './denial';

/**
 * The answer to what would make the server hold too much: 503 over HTTP, and to be sent again later.
 * @param limit the option that sets the limit, such as `limits.calls`
 * @param sentence says what the limit is, and names it
 */
export function overload(limit: string, sentence: string): Denial {
  return new Denial(sentence, { error: 'internal-error', status: 503, retryAfter: 1, limit });
}
