/** Who is told when something changes: sessions that were opened, subscriptions that asked. */
import type { ChangeNotification } from '@sigil-mcp/protocol';
import type { Caller } from '../context/caller';
import type { EntryKind } from '../context/entry-facts';
import type { EntryChange, Registry } from '../registry/registry';
import type { Entry } from '../registry/entry';
import { dependsOnCaller, stillHasRights } from '../registry/visibility';
import type { RunningCalls } from '../calls/running-calls';
import { ListAudience } from './list-audience';

type ResourceChange = Extract<ChangeNotification, { readonly uri: string }>;

/** Hears of every change and passes on what its client wants. */
export interface ChangeListener {
  /** Takes one change, whatever its client wants. */
  hear(change: ChangeNotification): void;
  /** Nothing more will be told: the server closes, or the client has said its last word. */
  end?(): void;
  /** Who is told, as known by now: whoever has lost the rights to a resource hears no more of it, nor of lists that look as before. */
  readonly caller: Caller;
  /** The running calls of the client, for a listener that is over when the client has said its last word; else left out. */
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
  /** What changed in this turn, by the notification that tells of it. */
  readonly #pending = new Map<(typeof LIST_CHANGES)[EntryKind], EntryChange[]>();
  readonly #forget: () => void;
  /** Clients that have said their last word. */
  readonly #ended = new WeakSet<RunningCalls>();
  #isClosed = false;

  /** Changes of a registry within one turn of the event loop are told as one. */
  constructor(private readonly registry: Registry) {
    this.#forget = registry.onChange((kind, change) => {
      if (this.#pending.size === 0) setImmediate(() => this.#tellListChanges());
      const method = LIST_CHANGES[kind];
      const changes = this.#pending.get(method);
      if (changes) changes.push(change);
      else this.#pending.set(method, [change]);
    });
  }

  /** How many listen. */
  get size(): number {
    return this.#listeners.size;
  }

  /**
   * Adds a listener. One that comes too late, after `close` or `endOf` its client, is ended at once.
   * @returns a function that removes the listener without ending it
   */
  add(listener: ChangeListener): () => void {
    if (this.#isClosed || (listener.client && this.#ended.has(listener.client))) {
      listener.end?.();
      return () => undefined;
    }
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Tells all listeners of a change of a resource. */
  tell(change: ResourceChange): void {
    const guarded = this.#findGuarded(change.uri);
    this.#tell(change, (caller) => !guarded || stillHasRights(guarded, caller));
  }

  /** Ends the listeners that name these running calls as their client's, and those that will. */
  endOf(client: RunningCalls): void {
    this.#ended.add(client);
    for (const listener of [...this.#listeners]) {
      if (listener.client !== client) continue;
      this.#listeners.delete(listener);
      listener.end?.();
    }
  }

  /** Ends all listeners, and those that come later. */
  close(): void {
    this.#isClosed = true;
    this.#forget();
    const listeners = [...this.#listeners];
    this.#listeners.clear();
    for (const listener of listeners) listener.end?.();
  }

  /** The resource that not everybody may hear of; undefined for any other. */
  #findGuarded(uri: string): Entry | undefined {
    const entry = this.registry.findResource(uri)?.entry;
    return entry && (this.registry.hasPublic || dependsOnCaller(entry)) ? entry : undefined;
  }

  #tellListChanges(): void {
    const pending = [...this.#pending];
    this.#pending.clear();
    for (const [method, changes] of pending) {
      const audience = new ListAudience(changes, this.registry.hasPublic);
      this.#tell({ method }, (caller) => audience.has(caller));
    }
  }

  #tell(change: ChangeNotification, isFor: (caller: Caller) => boolean): void {
    for (const listener of [...this.#listeners]) if (isFor(listener.caller)) listener.hear(change);
  }
}
