/** The only error of a store. */
import { Denial } from '../errors/denial';

/** Seconds after which a client may try again. */
const RETRY_AFTER = 2;

/**
 * A store cannot be reached, or takes too long: 503 over HTTP, and to be tried again. Whether what was to be done has been done is
 * not known. What exactly went wrong is the `cause`, and not for clients.
 */
export class StoreAway extends Denial {
  constructor(cause?: unknown) {
    super('The store of this server is unreachable. Try again later.', {
      error: 'internal-error',
      status: 503,
      retryAfter: RETRY_AFTER,
    });
    this.cause = cause;
  }
}
