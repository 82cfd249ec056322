/** What a caller may do with an entry and what decided it, for tools that explain it. No handler runs. */
import { hasNoToken } from '../context/caller';
import type { EntryFacts } from '../context/entry-facts';
import type { Access, Guard, Verdict } from '../context/call';
import { Denial } from '../errors/denial';
import { RolesGuard } from '../guards/roles';
import { isShownTo, type Entry } from './entry';

/**
 * How a call would begin. `allowed`: the handler would run. `hidden`: as if the entry did not exist. `denied`: with the message of a guard.
 * `scopes`: 403, with the scopes that are missing. `token`: 401. `failed`: a guard has thrown.
 */
export type CallStart = 'allowed' | 'hidden' | 'denied' | 'scopes' | 'token' | 'failed';

/** What one caller may do with one entry. */
export interface Judgement {
  readonly entry: EntryFacts;
  /** Whether lists show it. */
  readonly isListed: boolean;
  readonly call: CallStart;
  /** The guard that decided; undefined if none did. */
  readonly guard: string | undefined;
  /** Of the denial, or of the error that the guard has thrown. */
  readonly message: string | undefined;
  /** Scopes that the caller needs and does not have. */
  readonly missing: readonly string[];
  /** All guards of the entry, in the order in which they are asked. */
  readonly guards: readonly string[];
  /** Those that look at calls, too, and were not asked, because there is no call. */
  readonly asksLater: readonly string[];
}

/** Judges an entry for a caller in the order of a call: the token, the guards, the scopes. */
export async function judge(entry: Entry, access: Access): Promise<Judgement> {
  const { guards, policy, face, isUnlisted } = entry;
  const { caller } = access;
  const known = {
    entry: face,
    isListed: false,
    guard: undefined,
    message: undefined,
    missing: [],
    guards: guards.map(nameOfGuard),
    asksLater: guards.filter((guard) => guard.allowsCall !== undefined).map(nameOfGuard),
  };
  if (hasNoToken(caller) && !policy.isPublic) return { ...known, call: 'token' };
  for (const guard of guards) {
    const refusal = await refusalOf(guard, access, face);
    if (refusal) return { ...known, ...refusal, guard: nameOfGuard(guard) };
  }
  const missing = policy.scopes.filter((scope) => !caller.hasScopes(scope));
  const isListed = isShownTo(entry, caller) && !isUnlisted;
  return { ...known, isListed, missing, call: missing.length === 0 ? 'allowed' : 'scopes' };
}

/** The name of a guard: that of its class, or the call that has made it. */
function nameOfGuard(guard: Guard): string {
  return guard instanceof RolesGuard ? `Roles(${guard.roles.join(', ')})` : guard.constructor.name;
}

async function refusalOf(
  guard: Guard,
  access: Access,
  face: EntryFacts,
): Promise<Pick<Judgement, 'call' | 'message'> | undefined> {
  try {
    const verdict: Verdict = await guard.allows(access, face);
    if (verdict === true) return undefined;
    return verdict instanceof Denial
      ? { call: 'denied', message: verdict.message }
      : { call: 'hidden', message: undefined };
  } catch (error) {
    return { call: 'failed', message: error instanceof Error ? error.message : String(error) };
  }
}
