/** The port to a Redis client of any library. */

/** A connection that sends commands. */
export interface RedisConnection {
  /** Whether a command would be sent immediately. */
  readonly isReady: boolean;
  /** Whether it leads to a cluster, whose nodes have a part of the keys each. */
  readonly isCluster: boolean;
  /** Whether it can subscribe to thousands of channels. */
  readonly hasManyChannels: boolean;
  /**
   * How messages are published on a channel with a slot in its name. `SPUBLISH`, in a cluster: at the node of the slot only, so that other
   * nodes have no work. `PUBLISH`: at all nodes.
   */
  readonly publishing: Publishing;
  /**
   * Sends a command; rejects as the client does.
   * @param key the first of its keys, which a cluster uses to find the node
   * @param words the command and its arguments
   */
  command(key: string, words: readonly string[]): Promise<unknown>;
  /** Closes the connection and opens another, which may lead to another server; pending commands fail. Never throws. */
  renew(): void;
  /** Opens a separate connection for published messages. */
  openSubscriber(events: SubscriberEvents): RedisSubscriber;
}

/** The command that publishes. */
export type Publishing = 'SPUBLISH' | 'PUBLISH';

/** Whether a key or a channel names its slot. */
export function hasSlot(name: string): boolean {
  const start = name.indexOf('{');
  return start >= 0 && name.indexOf('}', start + 1) > start + 1;
}

/** A connection that receives published messages. */
export interface RedisSubscriber {
  /** Resolves with the first connection; rejects if the client has given up: then open another one. */
  readonly opened: Promise<unknown>;
  /** Whether a command would be sent immediately, not queued. */
  readonly isReady: boolean;
  /** Subscribes to a channel in the way in which it is published; called again after a connection broke. */
  subscribe(channel: string): Promise<unknown>;
  unsubscribe(channel: string): Promise<unknown>;
  /** Closes the connection, also while it is being opened. */
  close(): void;
}

/** The events of a subscriber. */
export interface SubscriberEvents {
  /** A message was published on a channel. */
  heard(channel: string, message: string): void;
  /** There is a new connection: messages that were published in between were lost. */
  ready(): void;
}
