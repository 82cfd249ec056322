/**
 * Pages of a list that differs between callers. The part that rights decide is computed once for all callers with the same rights; the
 * visible part is written once for each set of entries. So a page costs about as much as a page that is the same for all callers.
 */
import type { EntryKind } from '../context/entry-facts';
import type { Access, Guard, Verdict } from '../context/guard';
import { BoundedMap } from '../values/bounded-map';
import { isPromise, type MaybePromise } from '@sigil-mcp/base';
import type { EntryPage } from './collection';
import type { Entry } from './entry';
import { guardsToAsk, rightsOf } from './visibility';

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
export interface PageWish<K extends EntryKind> {
  readonly cursor: string | undefined;
  /** Whether the list issued the cursor; pages of other cursors are not cached. */
  readonly isIssued: boolean;
  /** Whether the list is unchanged since the page was read: pages of an older list are not cached. */
  readonly isCurrent: () => boolean;
  /** Finds the page; throws for a cursor that is not valid. */
  readonly find: () => EntryPage<K>;
}

/** The pages of one list. */
export class FilteredPages<K extends EntryKind, R extends object> {
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
