/**
 * Pages of a list that is not the same for every caller. What a caller's rights decide is looked at once for all callers who have the same;
 * what is seen is written once for each set of entries, so that a page costs what one costs that is the same for everybody.
 */
import type { EntryKind } from '../context/entry-facts';
import type { Access, Guard, Verdict } from '../context/guard';
import { BoundedMap } from '../values/bounded-map';
import { isPromise, type MaybePromise } from '../values/maybe-promise';
import type { EntryPage } from './collection';
import type { Entry } from './entry';
import { guardsToAsk, rightsOf } from './visibility';

/** Views that are kept of one list; each is a list of references. */
const MOST_VIEWS = 500;
/** Pages that are kept of one list; each may have a long text. */
const MOST_PAGES = 50;

/** An entry that the rights of a caller do not hide. */
interface Candidate<K extends EntryKind> {
  readonly entry: Entry<K>;
  /** Its place on the page. */
  readonly index: number;
  /** Guards that look at more than rights, to be asked each time. */
  readonly asked: readonly Guard[];
}

/** What callers with the same rights may see of a page. */
interface View<K extends EntryKind> {
  readonly page: EntryPage<K>;
  readonly candidates: readonly Candidate<K>[];
  /** Those of them about which somebody has to be asked each time. */
  readonly open: readonly Candidate<K>[];
  /** What the page is known by on which all of the candidates are. */
  readonly key: string;
}

/** What somebody sees of a page. */
type Seen<K extends EntryKind> = Pick<View<K>, 'candidates' | 'key'>;

/** Which page of which list is wanted. */
export interface PageWish<K extends EntryKind> {
  readonly cursor: string | undefined;
  /** Whether the list gave the cursor out; what is seen under others is not kept. */
  readonly isIssued: boolean;
  /** Whether the list is still the one that the page is of: what is seen of an older one is not kept. */
  readonly isCurrent: () => boolean;
  /** Finds the page; throws for a cursor that is none. */
  readonly find: () => EntryPage<K>;
}

/** The pages of one list. */
export class FilteredPages<K extends EntryKind, R extends object> {
  readonly #views = new BoundedMap<string, View<K>>(MOST_VIEWS);
  readonly #pages = new BoundedMap<string, R>(MOST_PAGES);

  /** @param write gives the page with these entries on it */
  constructor(private readonly write: (page: EntryPage<K>, visible: readonly Entry<K>[]) => R) {}

  /** Forgets everything: the list is another one now. */
  clear(): void {
    this.#views.clear();
    this.#pages.clear();
  }

  /** A page for one caller: the same object for all who see the same. */
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

  #viewOf(wish: PageWish<K>, access: Access): View<K> {
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

  #pageOf({ isIssued, isCurrent }: PageWish<K>, { page }: View<K>, { candidates, key }: Seen<K>): R {
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

/** What is the same for all who see the same entries of a page. */
function keyOf<K extends EntryKind>(
  { cursor = '' }: PageWish<K>,
  { entries }: EntryPage<K>,
  candidates: readonly Candidate<K>[],
): string {
  return `${cursor} ${bitsOf(candidates, entries.length)}`;
}

/** The entry, unless rights hide it: then none. */
function candidatesOf<K extends EntryKind>(entry: Entry<K>, index: number, access: Access): Candidate<K>[] {
  const asked = guardsToAsk(entry, access);
  return asked ? [{ entry, index, asked }] : [];
}

/** Whether the guards that are asked each time let a caller see an entry. Never throws: others are asked at the same time. */
function verdictOn<K extends EntryKind>({ entry, asked }: Candidate<K>, access: Access): MaybePromise<boolean> {
  for (const [index, guard] of asked.entries()) {
    const verdict = ask(guard, entry, access);
    if (isPromise(verdict)) return followOn(verdict, { entry, index, asked: asked.slice(index + 1) }, access);
    if (verdict !== true) return false;
  }
  return true;
}

/** What a guard says; a promise that rejects where it throws. */
function ask(guard: Guard, entry: Entry, access: Access): MaybePromise<Verdict> {
  try {
    return guard.allows(access, entry);
  } catch (error) {
    return fail(error);
  }
}

async function fail(error: unknown): Promise<never> {
  await Promise.resolve();
  throw error;
}

/** All verdicts, or what one of them failed with. */
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
