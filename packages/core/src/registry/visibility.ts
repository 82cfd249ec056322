/** Who sees an entry, and who may use it: one implementation for lists, completions and subscriptions; that of calls is compiled. */
import { hasNoToken, type Caller } from '../context/caller';
import type { Access, Guard } from '../context/guard';
import { MissingScopes, MissingToken } from '../errors/denial';
import { sigilError } from '../errors/catalogue';
import { isPromise } from '@sigil-mcp/base';
import type { Entry } from './entry';

/** Whether the entry itself has different rules for different callers. */
export function dependsOnCaller({ guards, policy }: Entry): boolean {
  return guards.length > 0 || policy.scopes.length > 0;
}

/** A text that is the same for callers that see the same, apart from guards that depend on more than rights. */
export function rightsOf(caller: Caller): string {
  return hasNoToken(caller) ? 'without token' : caller.rights;
}

/** Whether lists may show an entry to a caller, without calling guards. */
export function isShownTo({ policy }: Entry, caller: Caller): boolean {
  if (hasNoToken(caller)) return policy.isPublic;
  return policy.isListed || caller.hasScopes(...policy.scopes);
}

/**
 * The guards that must be called each time to decide whether lists show an entry to a caller, because they depend on more than rights;
 * undefined if the caller's rights hide it.
 */
export function guardsToAsk(entry: Entry, access: Access): readonly Guard[] | undefined {
  if (!isShownTo(entry, access.caller)) return undefined;
  const asked: Guard[] = [];
  for (const guard of entry.guards) {
    const verdict = guard.dependsOn === 'rights' ? guard.allows(access, entry.face) : undefined;
    // A guard that returns a promise breaks its declaration, and is called each time like others.
    if (verdict === undefined || isPromise(verdict)) asked.push(guard);
    else if (verdict !== true) return undefined;
  }
  return asked;
}

/** Whether lists show an entry to all callers with the same rights, or to none; undefined if only a guard can decide. */
export function isShownByRights(entry: Entry, caller: Caller): boolean | undefined {
  try {
    const asked = guardsToAsk(entry, bareAccess(caller));
    if (asked === undefined) return false;
    return asked.length === 0 || undefined;
  } catch {
    // The guard depends on more than it declares. The caller of the list receives the error.
    return undefined;
  }
}

/** Whether lists show an entry to a caller: one that lacks only scopes is shown, because the caller can ask for them. */
export async function isVisible(entry: Entry, access: Access): Promise<boolean> {
  return isShownTo(entry, access.caller) && letsThrough(entry, access);
}

/** Whether a caller may use an entry, without a reason why not. */
export async function isUsable(entry: Entry, access: Access): Promise<boolean> {
  return hasRights(entry, access.caller) && letsThrough(entry, access);
}

/**
 * Whether the guards of an entry let a caller through, who then needs its scopes.
 * @throws MissingScopes, but only to callers that the guards let through
 */
export async function admits(entry: Entry, access: Access): Promise<boolean> {
  if (!(await letsThrough(entry, access))) return false;
  if (hasRights(entry, access.caller)) return true;
  throw new MissingScopes(entry.policy.scopes);
}

/**
 * Whether a caller that was let through before still has the rights: scopes, roles, and guards that depend on them. Other guards cannot
 * be called, because there is no request.
 */
export function stillHasRights(entry: Entry, caller: Caller): boolean {
  const access = bareAccess(caller);
  const guards = entry.guards.filter(({ dependsOn }) => dependsOn === 'rights');
  return hasRights(entry, caller) && guards.every((guard) => guard.allows(access, entry.face) === true);
}

/** Lets a caller without a token use public entries; throws `MissingToken` for all others, whether or not they exist. */
export function checkWithoutToken(entry: Entry | undefined, caller: Caller): void {
  if (!hasNoToken(caller) || entry?.policy.isPublic) return;
  // An entry that a guard may hide is not revealed, not even its existence.
  const isKnown = entry !== undefined && entry.guards.length === 0 && entry.policy.isListed;
  throw new MissingToken(isKnown ? entry.policy.scopes : []);
}

/** Whether every guard of an entry admits the caller; its scopes are checked elsewhere. */
export async function letsThrough(entry: Entry, access: Access): Promise<boolean> {
  for (const guard of entry.guards) {
    const verdict = guard.allows(access, entry.face);
    if ((isPromise(verdict) ? await verdict : verdict) !== true) return false;
  }
  return true;
}

function hasRights({ policy }: Entry, caller: Caller): boolean {
  return hasNoToken(caller) ? policy.isPublic : caller.hasScopes(...policy.scopes);
}

/** The access of a caller without a request. */
function bareAccess(caller: Caller): Access {
  const client = { name: undefined, version: undefined, capabilities: {} };
  const get = () => Promise.reject(sigilError('SIGIL_INTERNAL', { what: 'rights are looked at without a call' }));
  return { caller, headers: {}, client, get };
}
