/** The bus between the instances of a server: changes for all of them, messages for one or for all. */
import type { MaybePromise } from '@sigil-mcp/base';
import type { TopicBus } from './topic-bus';

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
