/** Where sessions are found by every instance of a server: each is one text under its id. */
import type { MaybePromise } from '../values/maybe-promise';

/** What became of a record that was to be replaced: `changed` where another one stands there by now. */
export type Replacement = 'replaced' | 'changed' | 'over';

/**
 * Sessions have no owner: whoever gets a request reads the record, and goes on from there. Methods return at once where nothing
 * has to be waited for, and reject with `StoreAway` where the store cannot be reached.
 */
export interface SessionStore {
  /**
   * Writes a new session. To be waited for before its client hears of it.
   * @param id cannot be guessed, and is not a session's yet
   * @param idleTime milliseconds without a use after which it is over; a whole number
   */
  open(id: string, record: string, idleTime: number): MaybePromise<void>;
  /** Reads a session and begins its idle time anew, in one step; undefined for one that is over or was never opened. */
  use(id: string, idleTime: number): MaybePromise<string | undefined>;
  /** Replaces a record, if it is still the one that was read; its idle time goes on. Of two who do so at once one is told `changed`. */
  replace(id: string, read: string, record: string): MaybePromise<Replacement>;
  /** Ends a session everywhere; false where there was none, so that of many who end it one knows that it was. */
  end(id: string): MaybePromise<boolean>;
}
