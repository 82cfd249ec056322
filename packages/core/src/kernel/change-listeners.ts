/** Notifies clients of changes: open sessions and subscriptions. */
import { afterTurn, systemClock, type Clock } from '@sigil-mcp/base';
import type { ChangeNotification, ExtensionNotification, ServerCapabilities } from '@sigil-mcp/protocol';
import { subscriptionsOf, type FollowSubscription } from '../calls/conversation';
import type { RunningCalls } from '../calls/running-calls';
import type { Caller } from '../context/caller';
import type { EntryKind } from '../context/entry-facts';
import { ALL_KINDS, rulesOf } from '../kinds/all-kinds';
import type { ListChange } from '../kinds/entry-kind-rules';
import { dependsOnCaller, isShownByRights, stillHasRights } from '../registry/entry';
import type { EntryChange, Registry } from '../registry/registry';
import { normalUri } from '../values/normal-uri';
import { outsideRequests } from '../values/outside-requests';
import { ListAudience, PendingChanges } from './list-audience';

/** Receives the changes that may concern a client, and passes on those that it is notified of. */
export interface ChangeListener {
  /**
   * Handles one change: of a resource that its client is subscribed to, of a list, or of an extension.
   * @param position its position among the changes of all instances; undefined for a server without other instances
   */
  hear(change: ChangeNotification, position?: string): void;
  /**
   * No more changes will follow: the server closes, or the client has disconnected.
   * @param reason a sentence, if there is another reason
   */
  end?(reason?: string): void;
  /**
   * Reports each resource that its client is subscribed to, at once, and each change of them from now on.
   * @returns a function that stops it
   */
  followSubscriptions(follower: FollowSubscription): () => void;
  /** The lists of whose changes it is notified; all of them if left out. */
  readonly lists?: ReadonlySet<ListChange>;
  /**
   * The caller that is notified, with its current rights. A caller that has lost the right to a resource gets no more changes of it, nor of
   * lists that look unchanged to it.
   */
  readonly caller: Caller;
  /** The running calls of the client, for a listener that ends when the client disconnects; otherwise left out. */
  readonly client?: RunningCalls;
}

/** A changed entry of a list, for instances that know it by its name only. */
export type NamedEntry = readonly [kind: EntryKind, key: string];

/** Whether a caller is notified of a change. */
export type Audience = (caller: Caller) => boolean;

/** A change of which all instances of a server are notified. */
export interface Announcement {
  readonly change: ChangeNotification;
  /** The changed entries of a list, if some callers do not see them; undefined if all callers are notified. */
  readonly entries?: readonly NamedEntry[] | undefined;
}

/** Notifies all instances, this one included. Listeners here are filtered by `audience`; the other instances only get the announcement. */
type Announce = (announcement: Announcement, audience: Audience) => void;

/** The changes of lists that a server announces. */
export function listChangesOf(capabilities: ServerCapabilities): ListChange[] {
  const announced = ALL_KINDS.filter(({ capability }) => capabilities[capability]?.listChanged);
  return [...new Set(announced.map(({ listChange }) => listChange))];
}

/** The listeners of one server. */
export class ChangeListeners {
  /** All of them, each with the function that stops following its subscriptions. */
  readonly #listeners = new Map<ChangeListener, () => void>();
  /** Those that are notified of the changes of all lists. */
  readonly #ofAllLists = new Set<ChangeListener>();
  /** The others, by their lists. */
  readonly #byList = new ListenerIndex<ChangeListener>();
  /** By the normal form of the URIs of the resources that they are subscribed to. */
  readonly #byResource = new ListenerIndex<ChangeListener>();
  /** The changes of this turn, by their notification. */
  readonly #pending = new Map<ListChange, PendingChanges>();
  readonly #forget: () => void;
  /** A change is often made in the request of one client, and the others are notified outside of it. */
  readonly #outside = outsideRequests();
  /** Clients that have disconnected. */
  readonly #ended = new WeakSet<RunningCalls>();
  #isClosed = false;
  /** Notifies the listeners of this process, if there are no other instances. */
  #announce: Announce = ({ change }, audience) => this.tell(change, audience);

  /**
   * Changes of a registry within one turn of the event loop are announced together.
   * @param lists the changes that the server advertises
   */
  constructor(
    private readonly registry: Registry,
    private readonly lists: readonly ListChange[] = [],
    clock: Clock = systemClock,
  ) {
    this.#forget = registry.onChange((kind, changed) => {
      const change = listedPart(changed);
      if (!change) return;
      if (this.#pending.size === 0) this.#outside(() => afterTurn(clock, () => this.#announceLists()));
      const method = rulesOf({ kind }).listChange;
      const pending = this.#pending.get(method) ?? new PendingChanges();
      this.#pending.set(method, pending);
      pending.add(change);
    });
  }

  /** The number of listeners. */
  get size(): number {
    return this.#listeners.size;
  }

  /**
   * Adds a listener. If it is added too late, after `close` or `endOf` its client, it is ended at once.
   * @returns a function that removes the listener without ending it
   */
  add(listener: ChangeListener): () => void {
    if (this.#isClosed || (listener.client && this.#ended.has(listener.client))) {
      listener.end?.();
      return () => undefined;
    }
    const stop = listener.followSubscriptions((uri, isSubscribed) => {
      if (isSubscribed) this.#byResource.add(normalUri(uri), listener);
      else this.#byResource.delete(normalUri(uri), listener);
    });
    this.#listeners.set(listener, stop);
    for (const list of listener.lists ?? []) this.#byList.add(list, listener);
    if (!listener.lists) this.#ofAllLists.add(listener);
    return () => this.#remove(listener);
  }

  #remove(listener: ChangeListener): void {
    const stop = this.#listeners.get(listener);
    if (!stop) return;
    this.#listeners.delete(listener);
    stop();
    for (const uri of subscriptionsOf(listener)) this.#byResource.delete(normalUri(uri), listener);
    for (const list of listener.lists ?? []) this.#byList.delete(list, listener);
    this.#ofAllLists.delete(listener);
  }

  /** From now on, changes are passed to a function that announces them to all instances of the server. */
  announceWith(announce: Announce): void {
    this.#announce = announce;
  }

  /** From now on, a function follows each resource with subscribers here; undefined to follow none. */
  followWith(follow: FollowSubject | undefined): void {
    this.#byResource.followWith(follow && ((uri) => this.#outside(() => follow(uri))));
  }

  /** Whether a resource has subscribers here. */
  hasSubscribers(uri: string): boolean {
    return this.#byResource.has(normalUri(uri));
  }

  /** The contents of a resource have changed: notifies the listeners of all instances. */
  announce(uri: string): void {
    const change = { method: 'notifications/resources/updated', uri } as const;
    this.#outside(() => this.#announce({ change }, this.audienceOf({ change })));
  }

  /** A list has changed, for all callers: notifies the listeners of all instances, if the server advertises such changes. */
  announceList(method: ListChange): void {
    if (this.lists.includes(method)) this.#outside(() => this.#announce({ change: { method } }, () => true));
  }

  /** An extension announces something: notifies the listeners of all instances. */
  announceOf(change: ExtensionNotification): void {
    this.#outside(() => this.#announce({ change }, this.audienceOf({ change })));
  }

  /** Notifies the listeners of this process of a change. It costs nothing for the others. */
  tell(change: ChangeNotification, audience: Audience, position?: string): void {
    this.#outside(() => {
      for (const listener of this.#hearing(change)) if (audience(listener.caller)) listener.hear(change, position);
    });
  }

  /** The listeners that a change may concern; listeners that are added or removed meanwhile do not affect it. */
  #hearing(change: ChangeNotification): readonly ChangeListener[] {
    if (change.method === 'extension') return [...this.#listeners.keys()];
    if (change.method === 'notifications/resources/updated') return this.#byResource.of(normalUri(change.uri));
    return [...this.#ofAllLists, ...this.#byList.of(change.method)];
  }

  /** The audience of a change that any instance has announced. A change of an entry that is unknown here goes to all callers. */
  audienceOf({ change, entries }: Announcement): Audience {
    if (change.method === 'extension') return audienceOfPrincipal(change.principal);
    if ('uri' in change) return this.#audienceOfResource(change.uri);
    const known = entries?.map(([kind, key]) => this.registry.find(kind, key));
    if (!known) return () => true;
    return (caller) => known.some((entry) => entry === undefined || isShownByRights(entry, caller) !== false);
  }

  /** Notifies one listener, or all of them, that everything may have changed. */
  tellAll(only?: Pick<ChangeListener, 'hear' | 'followSubscriptions'>): void {
    for (const listener of only ? [only] : [...this.#listeners.keys()]) {
      for (const method of this.lists) listener.hear({ method });
      for (const uri of subscriptionsOf(listener)) listener.hear({ method: 'notifications/resources/updated', uri });
    }
  }

  /** Ends all current listeners that can be ended; others may be added later. */
  endAll(reason: string): void {
    for (const listener of [...this.#listeners.keys()]) {
      if (!listener.end) continue;
      this.#remove(listener);
      listener.end(reason);
    }
  }

  /** Ends the listeners that name these running calls as their client's, and those that will be added later. */
  endOf(client: RunningCalls): void {
    this.#ended.add(client);
    for (const listener of [...this.#listeners.keys()]) {
      if (listener.client !== client) continue;
      this.#remove(listener);
      listener.end?.();
    }
  }

  /** Ends all listeners, and those that are added later. */
  close(): void {
    this.#isClosed = true;
    this.#forget();
    const listeners = [...this.#listeners.keys()];
    for (const listener of listeners) this.#remove(listener);
    for (const listener of listeners) listener.end?.();
  }

  /** The audience of a resource's changes; some callers may not know of it. */
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

function audienceOfPrincipal(principal: string | undefined): Audience {
  return (caller) => principal === undefined || caller.principal === principal;
}

/** A change as lists show it: an entry that becomes unlisted is removed from them. Undefined if they show nothing of it. */
function listedPart({ before, after }: EntryChange): EntryChange | undefined {
  const [was, is] = [before, after].map((entry) => (entry?.isUnlisted ? undefined : entry));
  return was || is ? { before: was, after: is } : undefined;
}

function nameOf({ before, after }: EntryChange): NamedEntry[] {
  const entry = after ?? before;
  return entry ? [[entry.kind, entry.key]] : [];
}

// Finds the listeners of one subject, such as the URI of a resource, without asking the others.

/** Begins to follow a subject. Returns a function that stops it. */
type FollowSubject = (subject: string) => () => void;

/** Subjects -> their listeners. Most subjects have one, which is stored without a set of its own. */
class ListenerIndex<Listener extends object> {
  readonly #listeners = new Map<string, Listener | Set<Listener>>();
  #follow: FollowSubject | undefined;
  /** What stops following each subject. */
  readonly #stops = new Map<string, () => void>();

  /** Follows each subject that has listeners, from now on; without a function it stops following them. */
  followWith(follow: FollowSubject | undefined): void {
    for (const stop of this.#stops.values()) stop();
    this.#stops.clear();
    this.#follow = follow;
    for (const subject of this.#listeners.keys()) this.#begin(subject);
  }

  /** Whether a subject has listeners. */
  has(subject: string): boolean {
    return this.#listeners.has(subject);
  }

  add(subject: string, listener: Listener): void {
    const known = this.#listeners.get(subject);
    if (known instanceof Set) known.add(listener);
    else if (known === undefined) {
      this.#listeners.set(subject, listener);
      this.#begin(subject);
    } else if (known !== listener) this.#listeners.set(subject, new Set([known, listener]));
  }

  delete(subject: string, listener: Listener): void {
    const known = this.#listeners.get(subject);
    if (known instanceof Set) known.delete(listener);
    if (known === listener || (known instanceof Set && known.size === 0)) this.#forget(subject);
  }

  /** The listeners of a subject, in the order in which they were added. */
  of(subject: string): readonly Listener[] {
    const known = this.#listeners.get(subject);
    if (known === undefined) return [];
    return known instanceof Set ? [...known] : [known];
  }

  #begin(subject: string): void {
    if (this.#follow) this.#stops.set(subject, this.#follow(subject));
  }

  #forget(subject: string): void {
    this.#listeners.delete(subject);
    this.#stops.get(subject)?.();
    this.#stops.delete(subject);
  }
}
