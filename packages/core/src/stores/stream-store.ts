/**
 * What the streams of sessions have sent, so that a client can go on at any instance. One instance writes a stream, its owner;
 * any may read it, follow it, and end it once its owner is gone.
 */
import type { MaybePromise } from '../values/maybe-promise';

/** Names a stream. Both parts are of letters, digits, `-` and `_`. */
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

/** What is read of a stream. */
export interface StreamPart {
  /** What it was opened with. */
  readonly owner: string;
  /** In their order. */
  readonly events: readonly StreamEvent[];
  /** The place of what was read last, to go on from; the end has a place of its own. */
  readonly last: number;
  /** Whether events between the place that was asked for and the first of these are kept no more. */
  readonly hasGap: boolean;
  /** Whether the stream has ended with these events: nothing will follow. */
  readonly isOver: boolean;
}

/** How much is kept of streams. */
export interface StreamLimits {
  /** Events of one stream, about: the oldest go first, the last one never. */
  readonly events: number;
  /** Milliseconds for which a stream is kept after it was last opened or written; a whole number. */
  readonly keepFor: number;
}

/** Methods return at once where nothing has to be waited for, and reject with `StoreAway` where the store cannot be reached. */
export interface StreamStore {
  /**
   * Begins a stream, or says again that it is wanted, so that one on which nothing is said is kept.
   * @param owner who writes it, and all that others have to know of it
   * @returns false where somebody else has opened it, or it has ended
   */
  open(name: StreamName, owner: string): MaybePromise<boolean>;
  /**
   * Adds events behind a place, for the owner alone, who knows how many it has written and waits for one call before the next.
   * What already stands there from an earlier try (whose outcome was not known) is not added again, so that it can be repeated
   * after `StoreAway`. Where the store has lost what stood up to the place there is a gap, and no event has another's place.
   * @param after the place of the last event that is known to stand there; 0 at the beginning
   * @param isLast whether the stream ends with these (which may be none)
   * @returns false where somebody has ended the stream (perhaps this owner, in an earlier try), or it is kept no more: nobody may
   *   write it; what stands there is read
   */
  append(name: StreamName, after: number, events: readonly string[], isLast?: boolean): MaybePromise<boolean>;
  /**
   * Ends a stream, with a last event or without, for those who are not its owner. Of all who do so exactly one is told true.
   * @returns false where it has ended already, or is kept no more
   */
  end(name: StreamName, data?: string): MaybePromise<boolean>;
  /**
   * Reads what follows a place.
   * @param after 0 for the beginning
   * @param most events; whoever gets as many reads again from the last of them
   * @returns undefined for a stream that is not kept, or a place that it has never reached
   */
  read(name: StreamName, after: number, most: number): MaybePromise<StreamPart | undefined>;
  /**
   * Calls back after events and the end, whoever wrote them, and where such a call may have been lost. There may be calls
   * without a cause: what has happened is read.
   * @returns a function that ends the calls
   */
  follow(name: StreamName, wake: () => void): MaybePromise<() => void>;
  /** Forgets a stream that nobody will come back to. */
  forget(name: StreamName): MaybePromise<void>;
}
