/** Whether a caller may send a request at all, before anything of it runs. */
import { MissingScopes } from '../errors/missing-rights';
import { checkWithoutToken } from '../registry/visibility';
import type { EntryFacts } from '../context/entry-facts';
import { rulesOf } from '../kinds/all-kinds';
import { checkKnown } from '../pipeline/compile-call';
import type { Registry } from '../registry/registry';
import { andThen, type MaybePromise } from '@sigil-mcp/base';
import type { KernelCall } from './compiled-method';

/** Refuses callers without a token unless the entry is public. Missing scopes are refused after the guards, and not revealed before. */
export function checkRights(call: KernelCall): void {
  const { caller } = call.exchange;
  if (caller.kind === 'anonymous') checkWithoutToken(call.entry, caller);
  const scopes = call.entry?.policy.scopes ?? [];
  // The error is made only when it is needed: the time that it takes could reveal an entry that guards hide.
  if (scopes.length > 0 && !caller.hasScopes(...scopes)) call.findRefusal = () => new MissingScopes(scopes);
}

/**
 * Refuses callers who could not call an entry that a request turns out to be about: with the refusal that a call would have. `allowsCall`
 * of guards is not asked, because the request is not a call of the entry.
 */
export function checkEntry(call: KernelCall, facts: EntryFacts, registry: Pick<Registry, 'find'>): MaybePromise<void> {
  const entry = registry.find(facts.kind, facts.key);
  // It was removed or disabled.
  if (!entry) throw rulesOf(facts).unknown(facts.key, '');
  call.entry = entry;
  checkRights(call);
  return andThen(checkKnown(entry.guards, entry.policy.scopes, () => undefined)(call), () => undefined);
}
