/** Everything a server offers: found by name or URI, listed in pages, changed at run time by announcement. */
import { EventEmitter } from 'node:events';
import { isDeepStrictEqual } from 'node:util';
import { Collection, type EntryPage, type PositionedEntry } from './collection';
import type { Entry } from './entry';
import type { EntryKind } from '../context/entry-facts';
import { normalUri } from '../values/normal-uri';
import type { UriVariables } from './uri-templates/parse-uri-template';

/** A resource or a template that answers for a URI. */
export interface ResourceMatch {
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
export type RegistryChange = (kind: EntryKind, change: EntryChange) => void;

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
