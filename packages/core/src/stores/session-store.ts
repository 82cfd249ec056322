/** The port for sessions that every instance of a server can find: each is one text under its id. */
import type { MaybePromise } from '@sigil-mcp/base';

/** The outcome of a replacement: `changed` if the record is another one by now. */
export type Replacement = 'replaced' | 'changed' | 'over';

/** What an instance finds when it begins to work for a session. */
export interface SessionState {
  /** Its record; undefined if it has ended. */
  readonly record: string | undefined;
  /** The notes about it that are still stored, in any order. */
  readonly notes: readonly string[];
}

/**
 * The instances that work for sessions: a call of the session runs there, or a stream of it is resumed there. Only they are notified of
 * what happens to it. An instance whose work takes no time does not have to join. Methods behave as those of `SessionStore`.
 */
export interface SessionWorkers {
  /**
   * An instance works for a session: from now on `of` and `note` return it, until it leaves. Does nothing for a session that has ended.
   * @param keepFor milliseconds after which it has left, unless it joins again; a whole number
   * @returns the session, in the same step: what happened before is in it, and later changes find the instance
   */
  join(session: string, instance: string, keepFor: number): MaybePromise<SessionState>;
  /** An instance does not work for a session any more. */
  leave(session: string, instance: string): MaybePromise<void>;
  /** The instances that work for a session, also after it has ended; perhaps a few that have left. */
  of(session: string): MaybePromise<readonly string[]>;
  /**
   * Stores a note for instances that join soon, and returns those that have joined before, in one step. Of many notes of a session the
   * oldest may be deleted.
   * @param keepFor milliseconds for which it is stored; a whole number
   */
  note(session: string, text: string, keepFor: number): MaybePromise<readonly string[]>;
}

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
  /** Left out by a store that does not know who works for a session: all instances are then notified of what happens to it. */
  readonly workers?: SessionWorkers;
}
