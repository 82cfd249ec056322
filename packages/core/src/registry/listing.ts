/** Pages of a list as they are answered: written once for all callers, or filtered for one where guards stand. */
import type { CacheHints } from '@sigil-mcp/protocol';
import type { Access } from '../context/guard';
import { isPromise, type MaybePromise } from '../values/maybe-promise';
import type { EntryPage } from './collection';
import type { Entry } from './entry';
import type { Definitions, EntryKind } from '../context/entry-facts';
import type { Registry } from './registry';

/** A page as the kernel may write it, and write it once if it is the same for everybody. */
export interface ListedPage<K extends EntryKind> {
  readonly definitions: readonly Definitions[K][];
  readonly nextCursor?: string;
  readonly cache: CacheHints;
}

/** Lists one kind of entry. */
export class Listing<K extends EntryKind, R extends object> {
  readonly #pages = new Map<string | undefined, R>();
  /** Cursors that this list gave out. Others may be well-formed too, but caching their pages would let a client fill the memory. */
  readonly #issued = new Set<string | undefined>([undefined]);

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
    registry.onChange((changed) => {
      if (changed !== kind) return;
      this.#pages.clear();
      this.#issued.clear();
      this.#issued.add(undefined);
    });
  }

  /** One page for one caller: the same object for all callers, as long as the list is the same and no guard has a say. */
  page(cursor: string | undefined, access: Access): MaybePromise<R> {
    const known = this.#pages.get(cursor);
    if (known) return known;
    const page = this.registry.page(this.kind, cursor);
    if (this.#isGuarded()) return this.#pageFor(access, page);
    const result = Object.freeze(this.shape({ ...definitionsOf(page, page.entries), cache: this.hints }));
    if (this.#issued.has(cursor)) {
      this.#pages.set(cursor, result);
      this.#issued.add(page.nextCursor);
    }
    return result;
  }

  /** One guarded entry anywhere makes every page private: all pages of a list have one scope. */
  #isGuarded(): boolean {
    for (const entry of this.registry.entries(this.kind)) if (entry.guards.length > 0) return true;
    return false;
  }

  async #pageFor(access: Access, page: EntryPage<K>): Promise<R> {
    const visible = await visiblePage(page, access);
    return this.shape({ ...visible, cache: { ttlMs: this.hints.ttlMs, cacheScope: 'private' } });
  }
}

/** What a page holds for one caller: the entries that no guard hides. */
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

/** Whether every guard lets the caller see an entry. */
export async function isVisible(entry: Entry, access: Access): Promise<boolean> {
  for (const guard of entry.guards) {
    const verdict = guard.allows(access, entry);
    if ((isPromise(verdict) ? await verdict : verdict) !== true) return false;
  }
  return true;
}
