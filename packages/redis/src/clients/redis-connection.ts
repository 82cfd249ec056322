/** What is asked of a client of Redis, of any library. */

/** A connection that sends commands. */
export interface RedisConnection {
  /** Whether a command would be sent now. */
  readonly isReady: boolean;
  /**
   * Sends a command; rejects as the client does.
   * @param key the first of its keys, by which a cluster finds the node
   * @param words the command and its arguments
   */
  command(key: string, words: readonly string[]): Promise<unknown>;
  /** Breaks the connection off and opens another, which may lead to another server: what waits on it fails. Never throws. */
  renew(): void;
  /** Opens a connection of its own for what is published. */
  openSubscriber(events: SubscriberEvents): RedisSubscriber;
}

/** A connection that hears what is published. */
export interface RedisSubscriber {
  /** Resolves with the first connection; rejects where the client has given up: another one is to be opened then. */
  readonly opened: Promise<unknown>;
  /** Whether a command would be sent now, and not be kept for later. */
  readonly isReady: boolean;
  /** Hears a channel from now on; also said again, after a connection broke. */
  subscribe(channel: string): Promise<unknown>;
  unsubscribe(channel: string): Promise<unknown>;
  /** Gives the connection back, also while it is being opened. */
  close(): void;
}

/** What a subscriber tells its owner. */
export interface SubscriberEvents {
  /** Something was published on a channel. */
  heard(channel: string): void;
  /** There is a new connection: what was published in between was not heard. */
  ready(): void;
}
