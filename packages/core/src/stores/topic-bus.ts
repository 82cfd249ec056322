/** The bus for changes of single topics, such as the resource with a URI: only the instances that follow a topic are notified of them. */
import type { MaybePromise } from '@sigil-mcp/base';

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
