/** The port for rates that all instances of a server share. */
import type { Rate } from '../limits/rate';
import type { MaybePromise } from '@sigil-mcp/base';

/** Returns at once where nothing has to be waited for, and rejects with `StoreAway` where the store cannot be reached. */
export interface RateStore {
  /**
   * Takes one of what a key may have by a rate, all of which may come at once, and then each as time brings it.
   * @param key with the same rate in each call; what has the whole of it again is forgotten
   * @returns 0 if there was one, else the milliseconds until there will be
   */
  take(key: string, rate: Rate): MaybePromise<number>;
}
