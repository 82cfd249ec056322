/** Who is told when something changes: sessions that were opened, subscriptions that asked. */
import type { ChangeNotification } from '@sigil-mcp/protocol';
import type { EntryKind } from '../context/entry-facts';
import type { Registry } from '../registry/registry';
import type { RunningCalls } from '../calls/running-calls';

/** Hears of every change and passes on what its client wants. */
export interface ChangeListener {
  hear(change: ChangeNotification): void;
  /** Nothing more will be told: the server closes, or the client has said its last word. */
  end?(): void;
  /** Set for what is over when a client has said its last word: the running calls it belongs to. */
  readonly client?: RunningCalls;
}

const LIST_CHANGES = {
  tool: 'notifications/tools/list_changed',
  prompt: 'notifications/prompts/list_changed',
  resource: 'notifications/resources/list_changed',
  'resource-template': 'notifications/resources/list_changed',
} as const satisfies Record<EntryKind, ChangeNotification['method']>;

/** The listeners of one server. */
export class ChangeListeners {
  readonly #listeners = new Set<ChangeListener>();
  readonly #pending = new Set<(typeof LIST_CHANGES)[EntryKind]>();
  readonly #forget: () => void;
  /** Clients that have said their last word. */
  readonly #ended = new WeakSet<RunningCalls>();
  #isClosed = false;

  /** Changes of a registry within one turn of the event loop are told as one. */
  constructor(registry: Registry) {
    this.#forget = registry.onChange((kind) => {
      if (this.#pending.size === 0) setImmediate(() => this.#tellListChanges());
      this.#pending.add(LIST_CHANGES[kind]);
    });
  }

  get size(): number {
    return this.#listeners.size;
  }

  /** @returns a function that ends the listening; what comes too late ends at once */
  add(listener: ChangeListener): () => void {
    if (this.#isClosed || (listener.client && this.#ended.has(listener.client))) {
      listener.end?.();
      return () => undefined;
    }
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  tell(change: ChangeNotification): void {
    for (const listener of [...this.#listeners]) listener.hear(change);
  }

  /** Ends what belongs to one client. */
  endOf(client: RunningCalls): void {
    this.#ended.add(client);
    for (const listener of [...this.#listeners]) {
      if (listener.client !== client) continue;
      this.#listeners.delete(listener);
      listener.end?.();
    }
  }

  /** Ends all listening. */
  close(): void {
    this.#isClosed = true;
    this.#forget();
    const listeners = [...this.#listeners];
    this.#listeners.clear();
    for (const listener of listeners) listener.end?.();
  }

  #tellListChanges(): void {
    const changes = [...this.#pending];
    this.#pending.clear();
    for (const method of changes) this.tell({ method });
  }
}
