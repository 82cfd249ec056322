/** What the instances of a server tell each other: changes to all of them, messages to one or to all. */
import type { MaybePromise } from '../values/maybe-promise';

/** A change that was announced, and its place among all of them. */
export interface Change {
  readonly text: string;
  /** What `changesAfter` takes: letters, digits, `-` and `_`, at most 64 of them. */
  readonly position: string;
}

/** What an instance hears; none of these may throw. */
export interface BusListener {
  /** A message to this instance, or to all of them: each once; of those to one and of those to all each in the order they were sent. */
  message(text: string): void;
  /**
   * A change that any instance announced, this one included: each once, in one order for all.
   * @param position where it stands: `changesAfter` takes it, on any instance
   */
  change(text: string, position: string): void;
  /**
   * Messages were lost: more were said than are kept before this instance could read them. Left out by those who have nothing to make up.
   * @param count how many; undefined where that is not known
   */
  lost?(count: number | undefined): void;
  /** Changes were lost, because the store was away for too long or was emptied: everything may have changed. */
  missed(): void;
}

/** Methods return at once where nothing has to be waited for, and reject with `StoreAway` where the store cannot be reached. */
export interface InstanceBus {
  /**
   * This instance is alive and hears what is said from now on. What goes wrong later fixes itself.
   * @param instance an id that no other has or had, of letters, digits, `-` and `_`
   * @returns a function with which it leaves: it is not alive from then on
   */
  join(instance: string, listener: BusListener): MaybePromise<() => MaybePromise<void>>;
  /** Tells all instances of a change. */
  announce(change: string): MaybePromise<void>;
  /** Sends a message to an instance; false where it is not alive, and nobody will ever get it. */
  send(instance: string, message: string): MaybePromise<boolean>;
  /** Sends a message to all instances that are alive, this one included. */
  broadcast(message: string): MaybePromise<void>;
  /** Whether an instance is alive: false soon after it died, and for a while where it was paused for longer than that. */
  isAlive(instance: string): MaybePromise<boolean>;
  /** Where the last change stands, also where there was none yet: what is announced later comes after it. */
  position(): MaybePromise<string>;
  /**
   * What was announced after a position, the oldest first.
   * @param position of any instance; whatever a client sent as one, too
   * @returns undefined where some of it is kept no more or that is not sure, or the position is none
   */
  changesAfter(position: string): MaybePromise<readonly Change[] | undefined>;
}
