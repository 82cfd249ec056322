/** Who sees an entry, and who may use it: the one answer for lists, completions and subscriptions; calls have theirs compiled. */
import { isStranger, type Caller } from '../context/caller';
import type { Access, Guard } from '../context/guard';
import { MissingScopes, MissingToken } from '../errors/missing-rights';
import { sigilError } from '../errors/sigil-error';
import { isPromise } from '../values/maybe-promise';
import type { Entry } from './entry';

/** Whether it says of itself that callers differ in what they may do with it. */
export function dependsOnCaller({ guards, policy }: Entry): boolean {
  return guards.length > 0 || policy.scopes.length > 0;
}

/** A text that is the same for callers to whom the same is shown, guards apart that look at more than rights. */
export function rightsOf(caller: Caller): string {
  return isStranger(caller) ? 'stranger' : caller.rights;
}

/** Whether lists may show an entry to a caller, as far as that is known without asking guards. */
export function isShownTo({ policy }: Entry, caller: Caller): boolean {
  if (isStranger(caller)) return policy.isPublic;
  return policy.isListed || caller.hasScopes(...policy.scopes);
}

/**
 * The guards that have to be asked each time whether lists show an entry to a caller, because they look at more than rights; undefined where
 * its rights hide it.
 */
export function guardsToAsk(entry: Entry, access: Access): readonly Guard[] | undefined {
  if (!isShownTo(entry, access.caller)) return undefined;
  const asked: Guard[] = [];
  for (const guard of entry.guards) {
    const verdict = guard.dependsOn === 'rights' ? guard.allows(access, entry) : undefined;
    // One that takes its time does not keep its word, and is asked like others.
    if (verdict === undefined || isPromise(verdict)) asked.push(guard);
    else if (verdict !== true) return undefined;
  }
  return asked;
}

/** Whether lists show an entry to all who have the rights of a caller, or to none of them; undefined where only a guard can know. */
export function isShownByRights(entry: Entry, caller: Caller): boolean | undefined {
  try {
    const asked = guardsToAsk(entry, bareAccess(caller));
    if (asked === undefined) return false;
    return asked.length === 0 || undefined;
  } catch {
    // It looks at more than it says. Whoever lists is told what it throws.
    return undefined;
  }
}

/** Whether lists show an entry to a caller: one that lacks only scopes is shown, because the caller can ask for them. */
export async function isVisible(entry: Entry, access: Access): Promise<boolean> {
  return isShownTo(entry, access.caller) && letsThrough(entry, access);
}

/** Whether a caller may have what is behind an entry, without a word about why not. */
export async function isUsable(entry: Entry, access: Access): Promise<boolean> {
  return hasRights(entry, access.caller) && letsThrough(entry, access);
}

/**
 * Whether the guards of an entry let a caller through, who then has to have its scopes.
 * @throws MissingScopes, but only to those whom the guards let through
 */
export async function admits(entry: Entry, access: Access): Promise<boolean> {
  if (!(await letsThrough(entry, access))) return false;
  if (hasRights(entry, access.caller)) return true;
  throw new MissingScopes(entry.policy.scopes);
}

/**
 * Whether a caller who was let through once still has the rights for it: of scopes and roles, and of guards that depend on them.
 * Other guards cannot be asked, because there is no request.
 */
export function stillHasRights(entry: Entry, caller: Caller): boolean {
  const access = bareAccess(caller);
  const guards = entry.guards.filter(({ dependsOn }) => dependsOn === 'rights');
  return hasRights(entry, caller) && guards.every((guard) => guard.allows(access, entry) === true);
}

/** Lets a stranger go on to what is public; throws `MissingToken` for all else, be it there or not. */
export function checkStranger(entry: Entry | undefined, caller: Caller): void {
  if (!isStranger(caller) || entry?.policy.isPublic) return;
  // Of what a guard may hide nothing is told, not even that it is there.
  const isKnown = entry !== undefined && entry.guards.length === 0 && entry.policy.isListed;
  throw new MissingToken(isKnown ? entry.policy.scopes : []);
}

/** Whether every guard of an entry knows the caller; its scopes are another matter. */
export async function letsThrough(entry: Entry, access: Access): Promise<boolean> {
  for (const guard of entry.guards) {
    const verdict = guard.allows(access, entry);
    if ((isPromise(verdict) ? await verdict : verdict) !== true) return false;
  }
  return true;
}

function hasRights({ policy }: Entry, caller: Caller): boolean {
  return isStranger(caller) ? policy.isPublic : caller.hasScopes(...policy.scopes);
}

/** A caller and nothing else. */
function bareAccess(caller: Caller): Access {
  const client = { name: undefined, version: undefined, capabilities: {} };
  const get = () => Promise.reject(sigilError('SIGIL_INTERNAL', { what: 'rights are looked at without a call' }));
  return { caller, headers: {}, client, get };
}
