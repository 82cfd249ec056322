/** What the instances of a server share. An implementation runs the suite of `@sigil-mcp/testing/stores`. */
import type { MaybePromise } from '@sigil-mcp/base';
import type { InstanceBus } from './instance-bus';
import type { SessionStore } from './session-store';
import type { StreamStore } from './stream-store';
import type { Rate } from '../limits/token-buckets';
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

/** Returns at once where nothing has to be waited for, and rejects with `StoreAway` where the store cannot be reached. */
export interface RateStore {
  /**
   * Takes one of what a key may have by a rate, all of which may come at once, and then each as time brings it.
   * @param key with the same rate in each call; what has the whole of it again is forgotten
   * @returns 0 if there was one, else the milliseconds until there will be
   */
  take(key: string, rate: Rate): MaybePromise<number>;
}

/** The stores of one server, all of its instances using the same. */
export interface Stores {
  readonly sessions: SessionStore;
  readonly streams: StreamStore;
  readonly bus: InstanceBus;
  readonly rates: RateStore;
  /**
   * Sentences about what an operator should fix of the store, said once when the server starts, such as a policy that may throw
   * sessions away; none if left out. Never rejects for a store that does not let itself be asked. Called before anything else.
   * @param server the name of the server that uses the stores from now on
   */
  check?(server: string): MaybePromise<readonly string[]>;
  /**
   * Closes the resources that the stores themselves have opened, once no instance has joined or follows any more. It may be called again,
   * and later use opens them again, so that servers of one process can share their stores.
   */
  close(): MaybePromise<void>;
}
