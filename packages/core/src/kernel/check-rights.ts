/** Whether a caller may send a request at all, before anything of it runs. */
import { MissingScopes } from '../errors/missing-rights';
import { checkWithoutToken } from '../registry/visibility';
import type { KernelCall } from './compiled-method';

/** Refuses callers without a token unless the entry is public. Missing scopes are refused after the guards, and not revealed before. */
export function checkRights(call: KernelCall): void {
  const { caller } = call.exchange;
  if (caller.kind === 'anonymous') checkWithoutToken(call.entry, caller);
  const scopes = call.entry?.policy.scopes ?? [];
  // The error is made only when it is needed: the time that it takes could reveal an entry that guards hide.
  if (scopes.length > 0 && !caller.hasScopes(...scopes)) call.findRefusal = () => new MissingScopes(scopes);
}
