/** The changes that this instance and others announce to each other, and the positions from which clients continue. */
import { andThen, isObject, isPromise, parseJson, unawaited, type MaybePromise } from '@sigil-mcp/base';
import type { ChangeNotification, ExtensionNotification } from '@sigil-mcp/protocol';
import type { Announcement, Audience, ChangeListeners, NamedEntry } from '../kernel/change-listeners';
import { isEntryKind } from '../kinds/entry-kind-rules';
import type { Logger } from '../logging/logger';
import type { InstanceBus } from '../stores/stores';
import { BoundedMap } from '../values/bounded-map';
import { normalUri } from '../values/normal-uri';
import { isListChange } from './release-watch';

/** The dependencies of the changes. */
interface InstanceChangesInit {
  /** The id of this instance. */
  readonly instance: string;
  readonly bus: InstanceBus;
  readonly listeners: ChangeListeners;
  readonly logger: Logger;
}

/** A change that a client has missed. */
export interface MissedChange {
  readonly change: ChangeNotification;
  /** Who is notified of it. */
  readonly audience: Audience;
  /** Undefined for a change from which a client cannot continue: others come after it that are as old. */
  readonly position: string | undefined;
}

/** A missed change as it was announced. */
interface MissedText {
  readonly text: string;
  readonly position: string | undefined;
}

/** Own changes that are remembered until the bus delivers them; for an older one the audience is derived from its entries. */
const MOST_ANNOUNCED = 1000;
/** Audiences of the newest own changes that are kept for clients that come back: they hold entries that may be gone. */
const MOST_AUDIENCES = 8;

/**
 * With a bus that has topics, a change of a resource is announced to the instances that have subscribers. A position then has two parts:
 * the one of the bus, and the one of the topics after the last `_`.
 */
export class InstanceChanges {
  readonly #bus: InstanceBus;
  readonly #listeners: ChangeListeners;
  /** The audience of each change that this instance announced and has not received back: an entry may be gone by then. */
  readonly #announced = new BoundedMap<number, Audience>(MOST_ANNOUNCED);
  /** The audiences of own changes that were received back, by their positions: clients may ask for them later. */
  readonly #audiences = new BoundedMap<string, Audience>(MOST_AUDIENCES);
  #lastNumber = 0;
  #received: string | undefined;

  constructor(private readonly init: InstanceChangesInit) {
    this.#bus = init.bus;
    this.#listeners = init.listeners;
  }

  /** The place of the last change of the bus that was received here; undefined before this instance has joined. */
  get received(): string | undefined {
    return this.#received;
  }

  /** The position of the last change that was received here; undefined before this instance has joined. */
  get latest(): string | undefined {
    const { topics } = this.#bus;
    return this.#received === undefined || !topics ? this.#received : `${this.#received}_${topics.recent}`;
  }

  /** The instance has joined. */
  begin(): MaybePromise<void> {
    return andThen(this.#bus.position(), (position) => {
      this.#received ??= position;
      return andThen(this.#bus.topics?.position(), () => undefined);
    });
  }

  /** Announces the changes of the listeners, and follows the resources that they are subscribed to. */
  serve(): void {
    const { topics } = this.#bus;
    this.#listeners.announceWith((announcement, audience) => this.#announce(announcement, audience));
    if (topics) this.#listeners.followWith((uri) => topics.follow(uri, (text) => this.#hearTopic(text)));
  }

  /** Follows no resources any more. */
  close(): void {
    this.#listeners.followWith(undefined);
  }

  /** Changes were lost, perhaps own ones that will not come back: all clients are notified of everything, so none of them is awaited. */
  miss(): void {
    this.#announced.clear();
    this.#listeners.tellAll();
  }

  /** Handles a change of the bus. */
  hear(text: string, place: string): void {
    this.#received = place;
    const announcement = readAnnouncement(text);
    if (!announcement) return;
    const own = this.#takeOwn(announcement);
    if (own) this.#audiences.set(place, own);
    this.#listeners.tell(announcement.change, own ?? this.#listeners.audienceOf(announcement), this.#positionAt(place));
  }

  #hearTopic(text: string): void {
    const announcement = readAnnouncement(text);
    if (!announcement || this.#received === undefined) return;
    const audience = this.#takeOwn(announcement) ?? this.#listeners.audienceOf(announcement);
    this.#listeners.tell(announcement.change, audience, this.#positionAt(this.#received));
  }

  /** Takes the audience of an own change that comes back; undefined for the changes of others. */
  #takeOwn({ from, number }: { readonly from: unknown; readonly number: unknown }): Audience | undefined {
    if (from !== this.init.instance || typeof number !== 'number') return undefined;
    const own = this.#announced.get(number);
    this.#announced.delete(number);
    return own;
  }

  /** If the store is unreachable, at least the clients of this instance are notified. */
  #announce(announcement: Announcement, audience: Audience): void {
    const { change } = announcement;
    const number = this.#lastNumber++;
    const text = writeAnnouncement(announcement, this.init.instance, number);
    const uri = this.#topicOf(change);
    // A change of which nobody is notified here does not come back.
    if (uri === undefined || this.#listeners.hasSubscribers(uri)) this.#announced.set(number, audience);
    const announced = uri === undefined ? this.#bus.announce(text) : this.#bus.topics?.announce(uri, text);
    if (!isPromise(announced)) return;
    unawaited(announced, (error) => {
      this.init.logger.warn(
        { err: error, change },
        'A change could not be announced: other instances are not notified',
      );
      if (this.#announced.delete(number)) this.#listeners.tell(change, audience);
    });
  }

  /** The current position: later changes come after it. Rejects with `StoreAway`. */
  position(): MaybePromise<string> {
    const { topics } = this.#bus;
    return andThen(this.#bus.position(), (place) =>
      topics ? andThen(topics.position(), (time) => `${place}_${time}`) : place,
    );
  }

  /** The place in the bus of a position; undefined for the change of a topic, which has none of its own. */
  placeOf(change: ChangeNotification, position: string): string | undefined {
    if (!this.#bus.topics) return position;
    return this.#topicOf(change) === undefined ? this.#partsOf(position)[0] : undefined;
  }

  /** The places of the changes of the bus between two of them, without the first. Empty if they are not known. Rejects with `StoreAway`. */
  async placesBetween(from: string | undefined, position: string): Promise<readonly string[]> {
    if (from === undefined || from === this.#partsOf(position)[0]) return [];
    const changes = (await this.#bus.changesAfter(from)) ?? [];
    return changes.map((change) => change.position);
  }

  /**
   * The changes after a position, those of the bus first. Rejects with `StoreAway`.
   * @param position of any instance; may be any text that a client sent
   * @param uris the resources whose changes are wanted
   * @returns undefined if some of them are no longer kept, if that is uncertain, or if the position is not valid
   */
  async after(position: string, uris: readonly string[]): Promise<readonly MissedChange[] | undefined> {
    const [place, time] = this.#partsOf(position);
    const { topics } = this.#bus;
    const [changes, last] = await Promise.all([
      this.#bus.changesAfter(place),
      topics && uris.length > 0
        ? topics.changesAfter(
            time,
            uris.map((uri) => normalUri(uri)),
          )
        : [],
    ]);
    if (!changes || !last) return undefined;
    const at = (each: string): string => (topics ? `${each}_${time}` : each);
    const end = this.#endOf(changes.at(-1)?.position ?? place, time);
    const missed: MissedText[] = changes.map((each) => ({ text: each.text, position: at(each.position) }));
    last.forEach((text, index) => missed.push({ text, position: index === last.length - 1 ? end : undefined }));
    return missed.flatMap((each) => this.#read(each));
  }

  /**
   * The position after all missed changes: the client has the changes of topics only at the end. Each event has another position, so it has
   * to be later than the one from which the client continues; otherwise undefined.
   */
  #endOf(place: string, time: string): string | undefined {
    const settled = this.#bus.topics?.settled ?? '';
    return Number(settled) > Number(time) ? `${place}_${settled}` : undefined;
  }

  /** A change of the bus or of a topic, and who is notified of it; empty if it is not valid. */
  #read({ text, position }: MissedText): MissedChange[] {
    const announcement = readAnnouncement(text);
    if (!announcement) return [];
    const { change } = announcement;
    const place = position === undefined ? undefined : this.placeOf(change, position);
    const own = place === undefined ? undefined : this.#audiences.get(place);
    return [{ change, audience: own ?? this.#listeners.audienceOf(announcement), position }];
  }

  #positionAt(place: string): string {
    const { topics } = this.#bus;
    return topics ? `${place}_${topics.settled}` : place;
  }

  #partsOf(position: string): readonly [place: string, time: string] {
    const end = this.#bus.topics ? position.lastIndexOf('_') : -1;
    return end < 0 ? [position, ''] : [position.slice(0, end), position.slice(end + 1)];
  }

  /** The URI of the resource that has changed, if its changes have a topic. */
  #topicOf(change: ChangeNotification): string | undefined {
    return this.#bus.topics && change.method === 'notifications/resources/updated' ? normalUri(change.uri) : undefined;
  }
}

// The text format in which the instances of a server announce changes to each other.

/** The most entries that are named: if more have changed at once, all clients are notified. */
const MOST_ENTRIES = 100;

/** Writes an announcement, with a number by which its sender recognizes it. */
function writeAnnouncement({ change, entries }: Announcement, from: string, number: number): string {
  const named = entries && entries.length <= MOST_ENTRIES ? entries : undefined;
  return JSON.stringify({ from, number, ...change, entries: named });
}

/** An announcement as it was read, and its sender. */
interface ReadAnnouncement extends Announcement {
  readonly from: unknown;
  readonly number: unknown;
}

/** Reads an announcement; undefined if it is not valid, as the announcement of another version of a server may be. */
export function readAnnouncement(text: string): ReadAnnouncement | undefined {
  const said = parseJson(text);
  if (!isObject(said)) return undefined;
  const { method, uri, from, number } = said;
  if (isListChange(method)) return { change: { method }, entries: entriesOf(said['entries']), from, number };
  if (method === 'notifications/resources/updated')
    return typeof uri === 'string' ? { change: { method, uri }, from, number } : undefined;
  const change = readExtensionNotification(said);
  return change && { change, from, number };
}

/** Undefined also for a format that this version does not know: then all clients are notified. */
function entriesOf(value: unknown): readonly NamedEntry[] | undefined {
  return Array.isArray(value) && value.every(isNamedEntry) ? value : undefined;
}

function isNamedEntry(value: unknown): value is NamedEntry {
  return Array.isArray(value) && isEntryKind(value[0]) && typeof value[1] === 'string';
}

/** Reads one; undefined for any other value. */
function readExtensionNotification(read: Readonly<Record<string, unknown>>): ExtensionNotification | undefined {
  const { method, extension, notification, params, principal, subject } = read;
  if (method !== 'extension' || typeof extension !== 'string' || typeof notification !== 'string') return undefined;
  if (typeof params !== 'object' || params === null) return undefined;
  return {
    method,
    extension,
    notification,
    params,
    principal: typeof principal === 'string' ? principal : undefined,
    subject: typeof subject === 'string' ? subject : undefined,
  };
}
