/** All messages of a client, in order, and listeners for the next one. */
import type { Traffic } from '@sigil-mcp/client/wire';

/** Records messages. */
export class TrafficLog {
  readonly entries: Traffic[] = [];
  readonly #watchers = new Set<() => void>();
  #tokens = 0;
  #isClosed = false;

  /** Whether no more messages will come. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** A progress token that no other call of this client has. */
  nextProgressToken(): string {
    return `progress-${(this.#tokens += 1)}`;
  }

  /** Records a message; the listeners look at those of the server. */
  add(entry: Traffic): void {
    this.entries.push(entry);
    if (entry.from === 'server') this.#look();
  }

  /** Tells the listeners that no more messages will come. */
  close(): void {
    this.#isClosed = true;
    this.#look();
  }

  /**
   * Calls a listener after each message of the server, and when the client is closed.
   * @returns a function that removes the listener
   */
  watch(look: () => void): () => void {
    this.#watchers.add(look);
    return () => void this.#watchers.delete(look);
  }

  #look(): void {
    for (const look of [...this.#watchers]) look();
  }
}
