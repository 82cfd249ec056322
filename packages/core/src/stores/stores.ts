/** What the instances of a server share. An implementation runs the suite of `@sigil-mcp/testing/stores`. */
import type { MaybePromise } from '@sigil-mcp/base';
import { Denial } from '../errors/denial';
import type { Rate } from '../limits/token-buckets';

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

// The port for sessions that every instance of a server can find: each is one text under its id.

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

// The events of sessions' streams, so that a client can resume at any instance. One instance, the owner, writes a stream; any instance
// may read it, follow it, and end it once its owner is gone.

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

// The bus between the instances of a server: changes for all of them, messages for one or for all.

/** An announced change, and its position among all of them. */
export interface Change {
  readonly text: string;
  /** The argument of `changesAfter`: letters, digits, `-` and `_`, at most 64 of them. */
  readonly position: string;
}

/** The callbacks of an instance; none of them may throw. */
export interface BusListener {
  /** A message to this instance, or to all. Each is delivered once; those to one, and those to all, each in the order of sending. */
  message(text: string): void;
  /**
   * A change that any instance announced, this one included: each once, in the same order for all instances.
   * @param position its position, for `changesAfter` on any instance
   */
  change(text: string, position: string): void;
  /**
   * Messages were lost: more were sent than are kept before this instance could read them. Left out if it has no way to recover.
   * @param count how many; undefined if unknown
   */
  lost?(count: number | undefined): void;
  /** Changes were lost, because the store was unreachable for too long or was emptied: everything may have changed. */
  missed(): void;
}

/** Methods are synchronous if there is nothing to wait for, and reject with `StoreAway` if the store cannot be reached. */
export interface InstanceBus {
  /**
   * This instance is alive and receives messages from now on. Later failures are retried automatically.
   * @param instance a unique id that was never used before, of letters, digits, `-` and `_`
   * @returns a function that leaves the bus: the instance is not alive from then on
   */
  join(instance: string, listener: BusListener): MaybePromise<() => MaybePromise<void>>;
  /** Announces a change to all instances. */
  announce(change: string): MaybePromise<void>;
  /** Sends a message to an instance; false if it is not alive, so the message will never arrive. */
  send(instance: string, message: string): MaybePromise<boolean>;
  /** Sends a message to all instances that are alive, this one included. */
  broadcast(message: string): MaybePromise<void>;
  /** Whether an instance is alive: false soon after it died, and for a while if it was paused for longer than that. */
  isAlive(instance: string): MaybePromise<boolean>;
  /**
   * Replaces a text that all instances share, in one step. It is kept for at least as long as sessions are.
   * @param name of letters, digits and `-`
   * @returns the text before; undefined if it did not exist
   */
  swap(name: string, text: string): MaybePromise<string | undefined>;
  /** The position of the last change, also if there was no change yet: later changes come after it. */
  position(): MaybePromise<string>;
  /**
   * The changes after a position, the oldest first.
   * @param position of any instance; may be any text that a client sent
   * @returns undefined if some of them are no longer kept, if that is uncertain, or if the position is not valid
   */
  changesAfter(position: string): MaybePromise<readonly Change[] | undefined>;
  /** The changes of resources, for those instances that have subscribers. Left out: `announce` notifies all instances of them. */
  readonly topics?: TopicBus | undefined;
}

// The bus for changes of single topics, such as the resource with a URI: only the instances that follow a topic are notified of them.

/** Methods are synchronous if there is nothing to wait for, and reject with `StoreAway` if the store cannot be reached. */
export interface TopicBus {
  /**
   * Announces a change to the instances that follow its topic. It stands for all earlier changes of the topic.
   * @param topic any text
   */
  announce(topic: string, change: string): MaybePromise<void>;
  /**
   * Follows a topic, from a moment before this call on: each change is reported at least once, or a later one of the same topic is. Failures
   * are retried.
   * @param hear must not throw
   * @returns a function that stops it
   */
  follow(topic: string, hear: (change: string) => void): () => void;
  /** The current position, of at most 20 letters and digits: later changes of all topics come after it. */
  position(): MaybePromise<string>;
  /** The current position, or one shortly before it. Empty until `position` was called. */
  readonly recent: string;
  /**
   * A position that is some time ago: all followers have been notified of all changes before it. Each reading returns
   * another one. Empty until `position` was called.
   */
  readonly settled: string;
  /**
   * The last change of each of these topics, if it came after a position, or may have.
   * @param position of any instance; may be any text that a client sent
   * @returns undefined if they are no longer kept, or if the position is not valid
   */
  changesAfter(position: string, topics: readonly string[]): MaybePromise<readonly string[] | undefined>;
}
