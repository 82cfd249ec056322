/** Who is told that a list has changed: those for whom it has. Of what comes and goes unseen nobody hears. */
import type { Caller } from '../context/caller';
import type { Entry } from '../registry/entry';
import { looksLike, type EntryChange } from '../registry/registry';
import { dependsOnCaller, isShownByRights, rightsOf } from '../registry/visibility';

/** The callers whose list some changes touch. */
export class ListAudience {
  /** Whether all callers are told. */
  readonly isEverybody: boolean;
  /** Rights -> whether callers who have them are told: they are many, and their rights few. */
  readonly #known = new Map<string, boolean>();

  /** @param hasPublic whether there may be callers without a token, who see nothing but what is public */
  constructor(
    private readonly changes: readonly EntryChange[],
    hasPublic: boolean,
  ) {
    const isForAll = (entry: Entry): boolean => !dependsOnCaller(entry) && (entry.policy.isPublic || !hasPublic);
    this.isEverybody = changes.some(
      ({ before, after }) => (!before || isForAll(before)) && (!after || isForAll(after)),
    );
  }

  /** Whether a caller is told. One whom a guard may let in that looks at more than rights is: it cannot be asked without a request. */
  has(caller: Caller): boolean {
    if (this.isEverybody) return true;
    const rights = rightsOf(caller);
    let isTold = this.#known.get(rights);
    if (isTold === undefined) {
      isTold = this.changes.some((change) => isSeen(change, caller));
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
