/** Who is told that a list has changed: those for whom it has. Of what comes and goes unseen nobody hears. */
import type { Caller } from '../context/caller';
import type { Entry } from '../registry/entry';
import { looksLike, type EntryChange } from '../registry/registry';
import { dependsOnCaller, isShownByRights, rightsOf } from '../registry/visibility';

/** Changes of a list that are named one by one; where more wait everybody is told. */
const MOST = 1000;

/** Changes of one list that are yet to be told. Of those that all callers see alike one stands for all: entries may be large. */
export class PendingChanges {
  readonly changes: EntryChange[] = [];
  readonly #kept = new Set<boolean>();
  /** Whether there were too many to name. */
  isOverfull = false;

  add(change: EntryChange): void {
    const isPublic = isPublicForAll(change);
    if (isPublic !== undefined && this.#kept.has(isPublic)) return;
    if (isPublic !== undefined) this.#kept.add(isPublic);
    if (this.changes.length < MOST) this.changes.push(change);
    else this.isOverfull = true;
  }
}

/** Whether the entries of a change are public, where neither guards nor scopes hide them; undefined where something may, or they differ. */
function isPublicForAll({ before, after }: EntryChange): boolean | undefined {
  const one = after ?? before;
  if (!one || [before, after].some((entry) => entry && dependsOnCaller(entry))) return undefined;
  return before && after && before.policy.isPublic !== after.policy.isPublic ? undefined : one.policy.isPublic;
}

/** The callers whose list some changes touch. */
export class ListAudience {
  readonly #changes: readonly EntryChange[];
  /** Whether all callers are told. */
  readonly isEverybody: boolean;
  /** Rights -> whether callers who have them are told: they are many, and their rights few. */
  readonly #known = new Map<string, boolean>();

  /** @param hasPublic whether there may be callers without a token, who see nothing but what is public */
  constructor({ changes, isOverfull }: PendingChanges, hasPublic: boolean) {
    this.#changes = changes;
    const isForAll = (entry: Entry): boolean => !dependsOnCaller(entry) && (entry.policy.isPublic || !hasPublic);
    this.isEverybody =
      isOverfull || changes.some(({ before, after }) => (!before || isForAll(before)) && (!after || isForAll(after)));
  }

  /** Whether a caller is told. One whom a guard may let in that looks at more than rights is: it cannot be asked without a request. */
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
