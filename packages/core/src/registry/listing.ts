/** Pages of a list as they are answered: written once for all callers, or once for all that see the same entries. */
import type { CacheHints } from '@sigil-mcp/protocol';
import { isPromise, type MaybePromise } from '@sigil-mcp/base';
import { hasNoToken } from '../context/caller';
import type { Access } from '../context/guard';
import { keepResult } from '../output/kept-result';
import type { Definitions, EntryKind } from '../context/entry-facts';
import type { EntryPage } from './collection';
import type { Entry } from './entry';
import { FilteredPages } from './filtered-pages';
import type { Registry } from './registry';
import { dependsOnCaller, isVisible } from './visibility';

/** How often a page is read again because the list changed while guards were called; then the last result is used. */
const MOST_TRIES = 3;

/** A page for the kernel to write; it is written once if it is the same for all callers. */
export interface ListedPage<K extends EntryKind> {
  readonly definitions: readonly Definitions[K][];
  readonly nextCursor?: string;
  readonly cache: CacheHints;
}

/** Lists one kind of entry. */
export class Listing<K extends EntryKind, R extends object> {
  readonly #pages = new Map<string | undefined, R>();
  readonly #filtered: FilteredPages<K, R>;
  /** Cursors that this list issued. Others may be well-formed too, but caching their pages would let a client fill the memory. */
  readonly #issued = new Set<string | undefined>([undefined]);
  /** Whether the visibility of an entry depends on the caller; undefined until it was computed. */
  #isGuarded: boolean | undefined;
  /** How often the list has changed. */
  #changes = 0;

  /**
   * @param hints for pages that are the same for every caller; filtered ones are always private
   * @param shape a page -> the neutral result of the list method
   */
  constructor(
    private readonly registry: Registry,
    private readonly kind: K,
    private readonly hints: CacheHints,
    private readonly shape: (page: ListedPage<K>) => R,
  ) {
    const cache = { ttlMs: hints.ttlMs, cacheScope: 'private' } as const;
    this.#filtered = new FilteredPages((page, visible) => this.#write(page, visible, cache));
    registry.onChange((changed) => {
      if (changed !== kind) return;
      this.#changes += 1;
      this.#pages.clear();
      this.#filtered.clear();
      this.#issued.clear();
      this.#issued.add(undefined);
      this.#isGuarded = undefined;
    });
  }

  /** One page for one caller: the same object for all callers that see the same entries, until the list changes. */
  page(cursor: string | undefined, access: Access): MaybePromise<R> {
    if (this.#isPrivate(access)) return this.#filteredPage(cursor, access, MOST_TRIES);
    const known = this.#pages.get(cursor);
    if (known) return known;
    const isIssued = this.#issued.has(cursor);
    const page = this.#find(cursor, isIssued);
    const result = this.#write(page, page.entries, this.hints);
    if (isIssued) this.#pages.set(cursor, result);
    return result;
  }

  /** Guards may take some time, and the list may change meanwhile: then their verdicts are about an older list. */
  #filteredPage(cursor: string | undefined, access: Access, tries: number): MaybePromise<R> {
    const changes = this.#changes;
    const isIssued = this.#issued.has(cursor);
    const isCurrent = (): boolean => changes === this.#changes;
    const find = (): EntryPage<K> => this.#find(cursor, isIssued);
    const page = this.#filtered.page({ cursor, isIssued, isCurrent, find }, access);
    if (!isPromise(page)) return page;
    return page.then((seen) => (isCurrent() || tries === 1 ? seen : this.#filteredPage(cursor, access, tries - 1)));
  }

  #find(cursor: string | undefined, isIssued: boolean): EntryPage<K> {
    const page = this.registry.page(this.kind, cursor);
    if (isIssued) this.#issued.add(page.nextCursor);
    return page;
  }

  /**
   * Whether callers see different entries. One guarded entry makes every page private, because all pages of a list have one cache scope.
   * So does a public entry of any kind: callers without a token then see nothing else.
   */
  #isPrivate({ caller }: Access): boolean {
    this.#isGuarded ??= [...this.registry.entries(this.kind)].some(
      (entry) => !entry.isUnlisted && dependsOnCaller(entry),
    );
    return this.#isGuarded || this.registry.hasPublic || hasNoToken(caller);
  }

  #write(page: EntryPage<K>, entries: readonly Entry<K>[], cache: CacheHints): R {
    return keepResult(this.shape({ ...definitionsOf(page, entries), cache }));
  }
}

/** The page for one caller: the entries that are visible to it. */
export async function visiblePage<K extends EntryKind>(
  page: EntryPage<K>,
  access: Access,
): Promise<Omit<ListedPage<K>, 'cache'>> {
  const verdicts = await Promise.all(page.entries.map((entry) => isVisible(entry, access)));
  return definitionsOf(
    page,
    page.entries.filter((_, index) => verdicts[index]),
  );
}

function definitionsOf<K extends EntryKind>({ nextCursor }: EntryPage<K>, entries: readonly Entry<K>[]) {
  return { definitions: entries.map(({ definition }) => definition), ...(nextCursor !== undefined && { nextCursor }) };
}
