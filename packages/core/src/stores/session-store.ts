/** The port for sessions that every instance of a server can find: each is one text under its id. */
import type { MaybePromise } from '@sigil-mcp/base';

/** The outcome of a replacement: `changed` if the record is another one by now. */
export type Replacement = 'replaced' | 'changed' | 'over';

/**
 * Sessions have no owner: the instance that gets a request reads the record, and continues from there. Methods are synchronous if
 * there is nothing to wait for, and reject with `StoreAway` if the store cannot be reached.
 */
export interface SessionStore {
  /**
   * Writes a new session. Wait for it before its client receives the id.
   * @param id a text that cannot be guessed, and is not used yet
   * @param idleTime milliseconds without a use after which it ends; a whole number
   */
  open(id: string, record: string, idleTime: number): MaybePromise<void>;
  /** Reads a session and restarts its idle time, in one step; undefined if it has ended or was never opened. */
  use(id: string, idleTime: number): MaybePromise<string | undefined>;
  /** Replaces a record, if it is still the one that was read; its idle time goes on. Of two concurrent calls, one returns `changed`. */
  replace(id: string, read: string, record: string): MaybePromise<Replacement>;
  /** Ends a session everywhere; false if it did not exist. Of several callers that end it, exactly one gets true. */
  end(id: string): MaybePromise<boolean>;
  /**
   * A process needs the room of a session that it does not work for, or has not worked for it for its idle time. A store of this process
   * alone ends the session. Left out by a store that keeps it for other instances: they, and this one, can read it again.
   */
  release?(id: string): void;
}
