/** Who is told when something changes: sessions that were opened, subscriptions that asked. */
import type { ChangeNotification, ServerCapabilities } from '@sigil-mcp/protocol';
import type { Caller } from '../context/caller';
import type { EntryKind } from '../context/entry-facts';
import type { EntryChange, Registry } from '../registry/registry';
import { dependsOnCaller, isShownByRights, stillHasRights } from '../registry/visibility';
import type { RunningCalls } from '../calls/running-calls';
import { ListAudience, PendingChanges } from './list-audience';

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

/** How clients are told that a list has changed. */
type ListChange = (typeof LIST_CHANGES)[EntryKind];

/** An entry by which a list has changed, for those who know it by its name alone. */
export type NamedEntry = readonly [kind: EntryKind, key: string];

/** Whether a caller is told of a change. */
export type Audience = (caller: Caller) => boolean;

/** A change that all instances of a server are told of. */
export interface Announcement {
  readonly change: ChangeNotification;
  /** The entries by which a list has changed that not everybody sees; undefined where everybody is told. */
  readonly entries?: readonly NamedEntry[] | undefined;
}

/** Tells all instances, this one included. Those here are told what `audience` says; the others only have the announcement. */
export type Announce = (announcement: Announcement, audience: Audience) => void;

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
  /** What changed in this turn, by the notification that tells of it. */
  readonly #pending = new Map<ListChange, PendingChanges>();
  readonly #forget: () => void;
  /** Clients that have said their last word. */
  readonly #ended = new WeakSet<RunningCalls>();
  #isClosed = false;
  /** Tells those who listen here, where nobody else is told. */
  #announce: Announce = ({ change }, audience) => this.tell(change, audience);

  /**
   * Changes of a registry within one turn of the event loop are told as one.
   * @param lists what clients are told of, as the server advertises it
   */
  constructor(
    private readonly registry: Registry,
    private readonly lists: readonly ListChange[] = [],
  ) {
    this.#forget = registry.onChange((kind, change) => {
      if (this.#pending.size === 0) setImmediate(() => this.#announceLists());
      const method = LIST_CHANGES[kind];
      const pending = this.#pending.get(method) ?? new PendingChanges();
      this.#pending.set(method, pending);
      pending.add(change);
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

  /** From now on, what changes here is handed to those who tell all instances of the server. */
  announceWith(announce: Announce): void {
    this.#announce = announce;
  }

  /** The contents of a resource have changed: all who listen are told, wherever they are. */
  announce(uri: string): void {
    const change = { method: 'notifications/resources/updated', uri } as const;
    this.#announce({ change }, this.audienceOf({ change }));
  }

  /** Tells the listeners of this process of a change. */
  tell(change: ChangeNotification, audience: Audience, position?: string): void {
    for (const listener of [...this.#listeners]) if (audience(listener.caller)) listener.hear(change, position);
  }

  /** Who is told of what any instance has announced. Of an entry that is not known here everybody may hear. */
  audienceOf({ change, entries }: Announcement): Audience {
    if ('uri' in change) return this.#audienceOfResource(change.uri);
    const known = entries?.map(([kind, key]) => this.registry.find(kind, key));
    if (!known) return () => true;
    return (caller) => known.some((entry) => entry === undefined || isShownByRights(entry, caller) !== false);
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

  /** Of a resource that not everybody may hear of. */
  #audienceOfResource(uri: string): Audience {
    const entry = this.registry.findResource(uri)?.entry;
    if (!entry || !(this.registry.hasPublic || dependsOnCaller(entry))) return () => true;
    return (caller) => stillHasRights(entry, caller);
  }

  #announceLists(): void {
    const pending = [...this.#pending];
    this.#pending.clear();
    for (const [method, changes] of pending) {
      const audience = new ListAudience(changes, this.registry.hasPublic);
      const entries = audience.isEverybody ? undefined : changes.changes.flatMap(nameOf);
      this.#announce({ change: { method }, entries }, (caller) => audience.has(caller));
    }
  }
}

function nameOf({ before, after }: EntryChange): NamedEntry[] {
  const entry = after ?? before;
  return entry ? [[entry.kind, entry.key]] : [];
}
