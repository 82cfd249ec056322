/** Who is told when something changes: sessions that were opened, subscriptions that asked. */
import type { ChangeNotification, ServerCapabilities } from '@sigil-mcp/protocol';
import type { Caller } from '../context/caller';
import type { EntryKind } from '../context/entry-facts';
import type { Registry } from '../registry/registry';
import type { Entry } from '../registry/entry';
import { dependsOnCaller, stillHasRights } from '../registry/visibility';
import type { RunningCalls } from '../calls/running-calls';

/** Hears of every change and passes on what its client wants. */
export interface ChangeListener {
  /**
   * Takes one change, whatever its client wants.
   * @param position where it stands among the changes of all instances; undefined for a server that is alone
   */
  hear(change: ChangeNotification, position?: string): void;
  /**
   * Nothing more will be told: the server closes, or the client has said its last word.
   * @param reason a sentence, where there is another one
   */
  end?(reason?: string): void;
  /** The resources that its client wants to hear of. */
  subscribed(): readonly string[];
  /** Who is told, as known by now: whoever has lost the rights to a resource hears no more of it. */
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

/** How clients are told that a list has changed. */
type ListChange = (typeof LIST_CHANGES)[EntryKind];

/** The changes of lists that a server tells of. */
export function listChangesOf({ tools, prompts, resources }: ServerCapabilities): ListChange[] {
  return [
    ...(tools?.listChanged ? [LIST_CHANGES.tool] : []),
    ...(prompts?.listChanged ? [LIST_CHANGES.prompt] : []),
    ...(resources?.listChanged ? [LIST_CHANGES.resource] : []),
  ];
}

/** The listeners of one server. */
export class ChangeListeners {
  readonly #listeners = new Set<ChangeListener>();
  readonly #pending = new Set<ListChange>();
  readonly #forget: () => void;
  /** Clients that have said their last word. */
  readonly #ended = new WeakSet<RunningCalls>();
  #isClosed = false;
  #announce: ((change: ChangeNotification) => void) | undefined;

  /**
   * Changes of a registry within one turn of the event loop are told as one.
   * @param lists what clients are told of, as the server advertises it
   */
  constructor(
    private readonly registry: Registry,
    private readonly lists: readonly ListChange[] = [],
  ) {
    this.#forget = registry.onChange((kind) => {
      if (this.#pending.size === 0) setImmediate(() => this.#tellListChanges());
      this.#pending.add(LIST_CHANGES[kind]);
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

  /** From now on, what changes here is handed to those who tell all instances of the server, this one included. */
  announceWith(announce: (change: ChangeNotification) => void): void {
    this.#announce = announce;
  }

  /** Something has changed here: all who listen are told, wherever they are. */
  announce(change: ChangeNotification): void {
    if (this.#announce) this.#announce(change);
    else this.tell(change);
  }

  /** Tells the listeners of this process of a change. */
  tell(change: ChangeNotification, position?: string): void {
    for (const listener of this.#listenersOf(change)) listener.hear(change, position);
  }

  /** Whether a listener may hear of a change. */
  mayHear(change: ChangeNotification, { caller }: Pick<ChangeListener, 'caller'>): boolean {
    const guarded = 'uri' in change ? this.#findGuarded(change.uri) : undefined;
    return !guarded || stillHasRights(guarded, caller);
  }

  /** Tells one listener, or all of them, that everything may have changed. */
  tellAll(only?: ChangeListener): void {
    for (const listener of only ? [only] : [...this.#listeners]) {
      for (const method of this.lists) listener.hear({ method });
      for (const uri of listener.subscribed()) listener.hear({ method: 'notifications/resources/updated', uri });
    }
  }

  /** Ends all that can be ended now; others may come later. */
  endAll(reason: string): void {
    for (const listener of [...this.#listeners]) {
      if (!listener.end) continue;
      this.#listeners.delete(listener);
      listener.end(reason);
    }
  }

  #listenersOf(change: ChangeNotification): ChangeListener[] {
    const guarded = 'uri' in change ? this.#findGuarded(change.uri) : undefined;
    return [...this.#listeners].filter(({ caller }) => !guarded || stillHasRights(guarded, caller));
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
    const changes = [...this.#pending];
    this.#pending.clear();
    for (const method of changes) this.announce({ method });
  }
}
