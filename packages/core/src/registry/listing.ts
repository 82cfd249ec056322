/** Pages of a list as they are answered: written once for all callers, or once for all that see the same entries. */
import { isPromise, type MaybePromise } from '@sigil-mcp/base';
import type { CacheHints } from '@sigil-mcp/protocol';
import type { Access, Guard, Verdict } from '../context/call';
import { hasNoToken } from '../context/caller';
import type { Definitions, EntryKind } from '../context/entry-facts';
import { keepResult } from '../output/results';
import { BoundedMap } from '../values/bounded-map';
import type { EntryPage, Registry } from './registry';
import { dependsOnCaller, guardsToAsk, isVisible, rightsOf, type Entry } from './entry';

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

// Pages of a list that differs between callers. The part that rights decide is computed once for all callers with the same rights; the
// visible part is written once for each set of entries. So a page costs about as much as a page that is the same for all callers.

/** Cached views of one list; each is a list of references. */
const MOST_VIEWS = 500;
/** Cached pages of one list; each may have a long text. */
const MOST_PAGES = 50;

/** An entry that the rights of a caller do not hide. */
interface Candidate<K extends EntryKind> {
  readonly entry: Entry<K>;
  /** Its place on the page. */
  readonly index: number;
  /** Guards that depend on more than rights, to be called each time. */
  readonly asked: readonly Guard[];
}

/** The entries of a page that callers with the same rights may see. */
interface VisiblePage<K extends EntryKind> {
  readonly page: EntryPage<K>;
  readonly candidates: readonly Candidate<K>[];
  /** Those candidates for which guards must be called each time. */
  readonly open: readonly Candidate<K>[];
  /** The cache key of the page that has all of the candidates. */
  readonly key: string;
}

/** The entries of a page that one caller sees. */
type VisibleEntries<K extends EntryKind> = Pick<VisiblePage<K>, 'candidates' | 'key'>;

/** Identifies a page of a list. */
interface PageWish<K extends EntryKind> {
  readonly cursor: string | undefined;
  /** Whether the list issued the cursor; pages of other cursors are not cached. */
  readonly isIssued: boolean;
  /** Whether the list is unchanged since the page was read: pages of an older list are not cached. */
  readonly isCurrent: () => boolean;
  /** Finds the page; throws for a cursor that is not valid. */
  readonly find: () => EntryPage<K>;
}

/** The pages of one list. */
class FilteredPages<K extends EntryKind, R extends object> {
  readonly #views = new BoundedMap<string, VisiblePage<K>>(MOST_VIEWS);
  readonly #pages = new BoundedMap<string, R>(MOST_PAGES);

  /** @param write returns the page with these entries */
  constructor(private readonly write: (page: EntryPage<K>, visible: readonly Entry<K>[]) => R) {}

  /** Clears the cache: the list has changed. */
  clear(): void {
    this.#views.clear();
    this.#pages.clear();
  }

  /** A page for one caller: the same object for all callers that see the same entries. */
  page(wish: PageWish<K>, access: Access): MaybePromise<R> {
    const view = this.#viewOf(wish, access);
    if (view.open.length === 0) return this.#pageOf(wish, view, view);
    const verdicts = view.open.map((candidate) => verdictOn(candidate, access));
    const settle = (allowed: readonly boolean[]): R => {
      const hidden = new Set(view.open.filter((_, index) => !allowed[index]));
      if (hidden.size === 0) return this.#pageOf(wish, view, view);
      const candidates = view.candidates.filter((one) => !hidden.has(one));
      return this.#pageOf(wish, view, { candidates, key: keyOf(wish, view.page, candidates) });
    };
    const known = verdicts.filter((verdict) => typeof verdict === 'boolean');
    return known.length === verdicts.length ? settle(known) : settleAll(verdicts).then(settle);
  }

  #viewOf(wish: PageWish<K>, access: Access): VisiblePage<K> {
    const { cursor = '', isIssued, find } = wish;
    const key = `${cursor} ${rightsOf(access.caller)}`;
    const known = isIssued ? this.#views.get(key) : undefined;
    if (known) return known;
    const page = find();
    const candidates = page.entries.flatMap((entry, index) => candidatesOf(entry, index, access));
    const open = candidates.filter(({ asked }) => asked.length > 0);
    const view = { page, candidates, open, key: keyOf(wish, page, candidates) };
    if (isIssued) this.#views.set(key, view);
    return view;
  }

  #pageOf({ isIssued, isCurrent }: PageWish<K>, { page }: VisiblePage<K>, { candidates, key }: VisibleEntries<K>): R {
    const isKept = isIssued && isCurrent();
    const known = isKept ? this.#pages.get(key) : undefined;
    if (known) return known;
    const written = this.write(
      page,
      candidates.map(({ entry }) => entry),
    );
    if (isKept) this.#pages.set(key, written);
    return written;
  }
}

/** A key that is the same for all callers that see the same entries of a page. */
function keyOf<K extends EntryKind>(
  { cursor = '' }: PageWish<K>,
  { entries }: EntryPage<K>,
  candidates: readonly Candidate<K>[],
): string {
  return `${cursor} ${bitsOf(candidates, entries.length)}`;
}

/** The entry as a candidate; empty if rights hide it. */
function candidatesOf<K extends EntryKind>(entry: Entry<K>, index: number, access: Access): Candidate<K>[] {
  const asked = guardsToAsk(entry, access);
  return asked ? [{ entry, index, asked }] : [];
}

/** Whether the guards that are called each time let a caller see an entry. Never throws: others are called at the same time. */
function verdictOn<K extends EntryKind>({ entry, asked }: Candidate<K>, access: Access): MaybePromise<boolean> {
  for (const [index, guard] of asked.entries()) {
    const verdict = ask(guard, entry, access);
    if (isPromise(verdict)) return followOn(verdict, { entry, index, asked: asked.slice(index + 1) }, access);
    if (verdict !== true) return false;
  }
  return true;
}

/** The verdict of a guard; if it throws, a promise that rejects. */
function ask(guard: Guard, entry: Entry, access: Access): MaybePromise<Verdict> {
  try {
    return guard.allows(access, entry.face);
  } catch (error) {
    return fail(error);
  }
}

async function fail(error: unknown): Promise<never> {
  await Promise.resolve();
  throw error;
}

/** All verdicts; rejects with the error of one of them. */
async function settleAll(verdicts: readonly MaybePromise<boolean>[]): Promise<boolean[]> {
  return Promise.all(verdicts.map(async (verdict) => verdict));
}

async function followOn<K extends EntryKind>(
  verdict: Promise<Verdict>,
  rest: Candidate<K>,
  access: Access,
): Promise<boolean> {
  return (await verdict) === true && verdictOn(rest, access);
}

/** A bit for each entry of a page, as text. */
function bitsOf(visible: readonly Candidate<EntryKind>[], length: number): string {
  const bits = Buffer.alloc(Math.ceil(length / 8));
  for (const { index } of visible) bits.writeUInt8(bits.readUInt8(index >> 3) | (1 << (index & 7)), index >> 3);
  return bits.toString('base64url');
}
