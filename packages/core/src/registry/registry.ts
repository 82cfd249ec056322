/** Everything a server offers: found by name or URI, listed in pages, changed at run time by announcement. */
import { EventEmitter } from 'node:events';
import { isDeepStrictEqual } from 'node:util';
import type { EntryFacts, EntryKind } from '../context/entry-facts';
import { normalUri } from '../values/normal-uri';
import type { Entry } from './entry';
import { readCursor, writeCursor } from './listed-cursors';
import type { UriVariables } from './uri-templates/parse-uri-template';

/** A resource or a template that answers for a URI. */
interface ResourceMatch {
  readonly entry: Entry<'resource'> | Entry<'resource-template'>;
  /** Variables of the template; empty for a resource. */
  readonly variables: UriVariables;
}

type Collections = { [K in EntryKind]?: Collection<K> };

/** A change of one entry of a list: an added entry has no `before`, a removed one no `after`. */
export interface EntryChange {
  readonly before?: Entry | undefined;
  readonly after?: Entry | undefined;
}

/** Called when the list of a kind has changed. */
type RegistryChange = (kind: EntryKind, change: EntryChange) => void;

/** Holds the entries of one server. */
export class Registry {
  /** A collection for each kind, made when the kind is first asked for. */
  readonly #collections: Collections = {};
  readonly #changes = new EventEmitter<{ change: [EntryKind, EntryChange] }>();
  /** Undefined until it is needed. */
  #hasPublic: boolean | undefined;
  /** Old name -> tool; undefined until it is needed. */
  #aliases: ReadonlyMap<string, Entry<'tool'>> | undefined;
  /** The normal form of a URI -> resource; undefined until it is needed. */
  #normal: ReadonlyMap<string, Entry<'resource'>> | undefined;

  /** @param pageSize entries per page of a list */
  constructor(readonly pageSize: number) {}

  /** All entries of a kind, disabled ones included: they may come back at any time. */
  all<K extends EntryKind>(kind: K): IterableIterator<Entry<K>> {
    return this.#of(kind).all();
  }

  /** The enabled entries of a kind, in the order of their list. */
  entries<K extends EntryKind>(kind: K): IterableIterator<Entry<K>> {
    return this.#of(kind).values();
  }

  /** The enabled entries of a kind, each with its place in the list. */
  placed<K extends EntryKind>(kind: K): Iterable<PositionedEntry<K>> {
    return this.#of(kind).placed();
  }

  /** How many places the list of a kind ever gave out: every place in it is below this number. */
  places(kind: EntryKind): number {
    return this.#of(kind).places;
  }

  /** Whether there is an enabled entry that callers without a token may use. */
  get hasPublic(): boolean {
    return (this.#hasPublic ??= Object.values(this.#collections).some((entries) =>
      [...entries.values()].some(({ policy }) => policy.isPublic),
    ));
  }

  /** The enabled entry of a kind and key. */
  find<K extends EntryKind>(kind: K, key: string): Entry<K> | undefined {
    return this.#of(kind).find(key);
  }

  /** The enabled tool that has replaced another one of this name. */
  findReplaced(name: string): Entry<'tool'> | undefined {
    this.#aliases ??= new Map([...this.entries('tool')].flatMap(({ aliases }) => [...(aliases ?? [])]));
    return this.#aliases.get(name);
  }

  /**
   * What answers for a URI: a resource before the templates, an earlier template before a later one. Of resources that RFC 3986 calls
   * equal, it is the one that is written like it, or else the first.
   */
  findResource(uri: string): ResourceMatch | undefined {
    const entry = this.find('resource', uri) ?? this.#findEqual(uri);
    if (entry) return { entry, variables: {} };
    for (const template of this.entries('resource-template')) {
      const variables = template.template?.match(uri);
      if (variables) return { entry: template, variables };
    }
    return undefined;
  }

  #findEqual(uri: string): Entry<'resource'> | undefined {
    this.#normal ??= new Map([...this.entries('resource')].reverse().map((entry) => [normalUri(entry.key), entry]));
    return this.#normal.get(normalUri(uri));
  }

  /** The page of a list after a cursor, or the first. Throws `invalid-params` for a cursor that this server did not write for this kind. */
  page<K extends EntryKind>(kind: K, cursor: string | undefined): EntryPage<K> {
    return this.#of(kind).page(cursor);
  }

  /** Adds an entry, and announces it. The caller has made sure that its key is free. */
  add(entry: Entry): void {
    this.#of(entry.kind).add(entry);
    this.#announce(entry.kind, { after: entry });
  }

  /** Replaces the entry of the same kind and key; announced only where lists show the difference. */
  replace(entry: Entry): void {
    const before = this.#of(entry.kind).replace(entry);
    this.#aliases = undefined;
    this.#normal = undefined;
    if (before && !isListedLike(before, entry)) this.#announce(entry.kind, { before, after: entry });
  }

  /** Enables or disables an entry. A disabled one is neither found nor listed, and keeps its place. */
  setEnabled(kind: EntryKind, key: string, enabled: boolean): void {
    const before = this.find(kind, key);
    if (this.#of(kind).setEnabled(key, enabled)) this.#announce(kind, { before, after: this.find(kind, key) });
  }

  /** Removes an entry, and announces that where it was listed. */
  remove(kind: EntryKind, key: string): void {
    const before = this.find(kind, key);
    if (this.#of(kind).remove(key)) this.#announce(kind, { before });
  }

  /** Calls back at every change, until the returned function is called. */
  onChange(listener: RegistryChange): () => void {
    this.#changes.on('change', listener);
    return () => void this.#changes.off('change', listener);
  }

  #announce(kind: EntryKind, change: EntryChange): void {
    this.#hasPublic = undefined;
    this.#aliases = undefined;
    this.#normal = undefined;
    this.#changes.emit('change', kind, change);
  }

  #of<K extends EntryKind>(kind: K): Collection<K> {
    const collections: { [P in K]?: Collection<P> } = this.#collections;
    return (collections[kind] ??= new Collection(kind, this.pageSize));
  }
}

/** Whether no list tells two entries apart: in its words, in who may see it, or in what it lists itself. */
function isListedLike(one: Entry, other: Entry): boolean {
  return (
    one.isUnlisted === other.isUnlisted &&
    looksLike(one, other) &&
    isDeepStrictEqual(one.policy, other.policy) &&
    isSameGuards(one.guards, other.guards)
  );
}

/** Whether a caller that sees two entries cannot distinguish them. */
export function looksLike(one: Entry, other: Entry): boolean {
  return one.list?.origin === other.list?.origin && isDeepStrictEqual(one.definition, other.definition);
}

function isSameGuards(some: Entry['guards'], others: Entry['guards']): boolean {
  return some.length === others.length && some.every((guard, index) => guard === others[index]);
}

// The entries of one kind, in the order in which they were added, in pages.

/** Part of a list. */
export interface EntryPage<K extends EntryKind> {
  readonly entries: readonly Entry<K>[];
  /** Absent on the last page. */
  readonly nextCursor?: string;
}

/** An entry, and its place in its list. */
interface PositionedEntry<K extends EntryKind> {
  readonly place: number;
  readonly entry: Entry<K>;
}

/** Found by key, listed in a stable order. A disabled entry keeps its place, but is neither found nor listed. */
class Collection<K extends EntryKind> {
  readonly #places = new Map<string, number>();
  /** In the order of their places, disabled ones included. */
  readonly #all = new Map<string, Entry<K>>();
  /** In the same order, without the disabled ones: used by calls and lists. */
  #entries = new Map<string, Entry<K>>();
  #nextPlace = 0;

  constructor(
    private readonly kind: K,
    private readonly pageSize: number,
  ) {}

  /** All entries, disabled ones included. */
  all(): IterableIterator<Entry<K>> {
    return this.#all.values();
  }

  /** The enabled entries. Their order is guaranteed: clients cache prompts by it. */
  values(): IterableIterator<Entry<K>> {
    return this.#entries.values();
  }

  /** The enabled entries, each with its place in the list, which stays the same for as long as the entry exists. */
  *placed(): Generator<PositionedEntry<K>> {
    for (const entry of this.#entries.values()) yield { place: this.#placeOf(entry.key), entry };
  }

  /** How many places the list has ever assigned: every place in it is below this number. */
  get places(): number {
    return this.#nextPlace;
  }

  /** The enabled entry of a key. */
  find(key: string): Entry<K> | undefined {
    return this.#entries.get(key);
  }

  /** Adds an entry at the end of the list. Its key must be free. */
  add(entry: Entry<K>): void {
    this.#places.set(entry.key, this.#nextPlace++);
    this.#all.set(entry.key, entry);
    this.#entries.set(entry.key, entry);
  }

  /**
   * Replaces the entry with the same key, which must exist.
   * @returns the previous entry; undefined if it is disabled
   */
  replace(entry: Entry<K>): Entry<K> | undefined {
    const before = this.#entries.get(entry.key);
    this.#all.set(entry.key, entry);
    if (before) this.#entries.set(entry.key, entry);
    return before;
  }

  /** Enables or disables the entry of a key. @returns whether the list has changed */
  setEnabled(key: string, enabled: boolean): boolean {
    if (!this.#all.has(key) || this.#entries.has(key) === enabled) return false;
    if (enabled) {
      // A map lists the entry that was set last at its end.
      const isListed = ([other]: [string, unknown]): boolean => other === key || this.#entries.has(other);
      this.#entries = new Map([...this.#all].filter(isListed));
    } else this.#entries.delete(key);
    return true;
  }

  /** Removes the entry of a key. @returns whether the list has changed */
  remove(key: string): boolean {
    this.#places.delete(key);
    this.#all.delete(key);
    return this.#entries.delete(key);
  }

  /** The page after a cursor, without entries that are unlisted; throws `invalid-params` for a cursor that does not belong to this collection. */
  page(cursor: string | undefined): EntryPage<K> {
    const after = cursor === undefined ? -1 : readCursor(this.kind, cursor, this.#nextPlace);
    const rest = [...this.#entries.values()].filter(({ key, isUnlisted }) => !isUnlisted && this.#placeOf(key) > after);
    const entries = rest.slice(0, this.pageSize);
    const last = entries.at(-1);
    if (rest.length <= entries.length || !last) return { entries };
    return { entries, nextCursor: writeCursor(this.kind, this.#placeOf(last.key)) };
  }

  #placeOf(key: string): number {
    return this.#places.get(key) ?? -1;
  }
}

// The entries of a registry as extensions hold them: facts about them, and nothing that calls or changes them.

/** Reads the registry. */
export class EntryFaces {
  readonly #registry: Pick<Registry, 'all' | 'entries' | 'find'>;

  constructor(registry: Pick<Registry, 'all' | 'entries' | 'find'>) {
    this.#registry = registry;
  }

  /** The enabled entries of a kind, in the order of their lists. */
  *entries<K extends EntryKind>(kind: K): Iterable<EntryFacts<K>> {
    for (const { face } of this.#registry.entries(kind)) yield face;
  }

  /** All entries of a kind, disabled ones included. */
  *all<K extends EntryKind>(kind: K): Iterable<EntryFacts<K>> {
    for (const { face } of this.#registry.all(kind)) yield face;
  }

  /** The enabled entry of a kind and key. */
  find<K extends EntryKind>(kind: K, key: string): EntryFacts<K> | undefined {
    return this.#registry.find(kind, key)?.face;
  }
}
