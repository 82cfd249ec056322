/**
 * The events of sessions' streams, so that a client can resume at any instance. One instance, the owner, writes a stream; any instance
 * may read it, follow it, and end it once its owner is gone.
 */
import type { MaybePromise } from '@sigil-mcp/base';

/** Names a stream. Both parts consist of letters, digits, `-` and `_`. */
export interface StreamName {
  readonly session: string;
  readonly stream: string;
}

/** A message of a stream. */
export interface StreamEvent {
  /** Counted from 1 on each stream, without gaps. */
  readonly place: number;
  readonly data: string;
}

/** A part of a stream. */
export interface StreamPart {
  /** The owner that opened it. */
  readonly owner: string;
  /** In their order. */
  readonly events: readonly StreamEvent[];
  /** The place of the last event that was read, to continue from; the end has a place of its own. */
  readonly last: number;
  /** Whether events between the requested place and the first of these are no longer kept. */
  readonly hasGap: boolean;
  /** Whether the stream has ended with these events: no event will follow. */
  readonly isOver: boolean;
}

/** How much is kept of streams. */
export interface StreamLimits {
  /** Events of one stream, approximately: the oldest are dropped first, the last one never. */
  readonly events: number;
  /** Milliseconds for which a stream is kept after it was last opened or written; a whole number. */
  readonly keepFor: number;
}

/** How much an endpoint lets its clients keep. The oldest events are dropped first. */
export interface EventLimits {
  /** Events of one stream. */
  readonly streamEvents: number;
  /** Bytes of the events of one session; its newest event is kept in any case. */
  readonly sessionEvents: number;
  /** Bytes of all events. */
  readonly events: number;
}

/** Methods are synchronous if there is nothing to wait for, and reject with `StoreAway` if the store cannot be reached. */
export interface StreamStore {
  /**
   * Begins a stream, or renews it, so that a stream without new events is kept.
   * @param owner the instance that writes it, with all that others must know about it
   * @returns false if another owner has opened it, or if it has ended
   */
  open(name: StreamName, owner: string): MaybePromise<boolean>;
  /**
   * Adds events after a place. Only the owner calls this; it knows how many events it has written, and waits for one call before the next.
   * Events that an earlier try has stored already are not added again, so the call can be repeated after `StoreAway`. If the store has
   * lost events before the place, there is a gap, and no event takes another's place.
   * @param after the place of the last event that is known to be stored; 0 at the beginning
   * @param isLast whether the stream ends with these events; the list may then be empty
   * @returns false if the stream has ended (perhaps by an earlier try of this owner), or is no longer kept: it takes no more events, but
   *   stored ones can be read
   */
  append(name: StreamName, after: number, events: readonly string[], isLast?: boolean): MaybePromise<boolean>;
  /**
   * Keeps a stream that consists of one event and has ended with it, at once: a response may already be on its way. Left out by a store that
   * has to be waited for, or that may fail: there, such a stream is opened and written as any other.
   */
  addWhole?(name: StreamName, data: string): void;
  /**
   * Ends a stream, with or without a last event, for instances that are not its owner. Of all concurrent calls exactly one returns true.
   * @returns false if it has ended already, or is no longer kept
   */
  end(name: StreamName, data?: string): MaybePromise<boolean>;
  /**
   * Reads the events after a place.
   * @param after 0 for the beginning
   * @param most events; if that many are returned, read again from the last of them
   * @returns undefined for a stream that is not kept, or a place that it has never reached
   */
  read(name: StreamName, after: number, most: number): MaybePromise<StreamPart | undefined>;
  /**
   * Calls back after events and after the end, from any writer, and also if such a call may have been lost. There may be calls
   * without a cause: read the stream to see what has happened.
   * @returns a function that ends the calls
   */
  follow(name: StreamName, wake: () => void): MaybePromise<() => void>;
  /** Deletes a stream that no client will resume. */
  forget(name: StreamName): MaybePromise<void>;
  /**
   * Keeps no more than this from now on. Left out by a store that counts nothing: there, each instance counts what it has written, and has
   * the oldest streams forgotten.
   */
  limit?(limits: EventLimits): void;
  /** Bytes of memory of this process that it takes now. Left out by a store that keeps its events elsewhere. */
  readonly held?: number;
  /** Drops its oldest events, until they take so many bytes less. Left out by a store that keeps its events elsewhere. */
  shrink?(bytes: number): void;
}
