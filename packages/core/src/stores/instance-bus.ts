/** What the instances of a server tell each other: changes to all of them, messages to one. */
import type { MaybePromise } from '../values/maybe-promise';

/** What an instance hears; none of these may throw. */
export interface BusListener {
  /** A message to this instance: each once, in the order in which they were sent. */
  message(text: string): void;
  /** A change that any instance announced, this one included: each once, in one order for all. */
  change(text: string): void;
  /** Changes were lost, because the store was away for too long or was emptied: everything may have changed. */
  missed(): void;
}

/** Methods return at once where nothing has to be waited for, and reject with `StoreAway` where the store cannot be reached. */
export interface InstanceBus {
  /**
   * This instance is alive and hears what is said from now on. What goes wrong later mends itself.
   * @param instance an id that no other has or had, of letters, digits, `-` and `_`
   * @returns a function with which it leaves: it is not alive from then on
   */
  join(instance: string, listener: BusListener): MaybePromise<() => MaybePromise<void>>;
  /** Tells all instances of a change. */
  announce(change: string): MaybePromise<void>;
  /** Sends a message to an instance; false where it is not alive, and nobody will ever get it. */
  send(instance: string, message: string): MaybePromise<boolean>;
  /** Whether an instance is alive: false soon after it died, and for a while where it was paused for longer than that. */
  isAlive(instance: string): MaybePromise<boolean>;
}
