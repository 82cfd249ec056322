/** The callers that are notified of a changed list: those whose view of it has changed. */
import type { Caller } from '../context/caller';
import { dependsOnCaller, isShownByRights, rightsOf, type Entry } from '../registry/entry';
import { looksLike, type EntryChange } from '../registry/registry';

/** Changes of a list that are recorded one by one; beyond that all callers are notified. */
const MOST = 1000;

/** Pending changes of one list. If all callers see some of them alike, one represents them all, because entries may be large. */
export class PendingChanges {
  readonly changes: EntryChange[] = [];
  readonly #kept = new Set<boolean>();
  /** Whether there were too many to record. */
  isOverfull = false;

  add(change: EntryChange): void {
    const isPublic = isPublicForAll(change);
    if (isPublic !== undefined && this.#kept.has(isPublic)) return;
    if (isPublic !== undefined) this.#kept.add(isPublic);
    if (this.changes.length < MOST) this.changes.push(change);
    else this.isOverfull = true;
  }
}

/** Whether the entries of a change are public, if neither guards nor scopes hide them; undefined if either may, or if the two differ. */
function isPublicForAll({ before, after }: EntryChange): boolean | undefined {
  const one = after ?? before;
  if (!one || [before, after].some((entry) => entry && dependsOnCaller(entry))) return undefined;
  return before && after && before.policy.isPublic !== after.policy.isPublic ? undefined : one.policy.isPublic;
}

/** The callers whose view of a list is affected by some changes. */
export class ListAudience {
  readonly #changes: readonly EntryChange[];
  /** Whether all callers are notified. */
  readonly isEverybody: boolean;
  /** Rights -> whether callers with these rights are notified: there are many callers, but few different rights. */
  readonly #known = new Map<string, boolean>();

  /** @param hasPublic whether there may be callers without a token, who see public entries only */
  constructor({ changes, isOverfull }: PendingChanges, hasPublic: boolean) {
    this.#changes = changes;
    const isForAll = (entry: Entry): boolean => !dependsOnCaller(entry) && (entry.policy.isPublic || !hasPublic);
    this.isEverybody =
      isOverfull || changes.some(({ before, after }) => (!before || isForAll(before)) && (!after || isForAll(after)));
  }

  /** Whether a caller is notified. A guard that decides by more than rights cannot be called without a request, so the caller is. */
  has(caller: Caller): boolean {
    if (this.isEverybody) return true;
    const rights = rightsOf(caller);
    let isTold = this.#known.get(rights);
    if (isTold === undefined) {
      isTold = this.#changes.some((change) => isSeen(change, caller));
      this.#known.set(rights, isTold);
    }
    return isTold;
  }
}

function isSeen({ before, after }: EntryChange, caller: Caller): boolean {
  const [was, is] = [before, after].map((entry) => entry !== undefined && isShownByRights(entry, caller));
  if (was === undefined || is === undefined) return true;
  return was !== is || (was && before !== undefined && after !== undefined && !looksLike(before, after));
}
