/** Adds implied scopes to callers: computed once for each caller, not for each of its calls. */
import { Caller } from '@sigil-mcp/core';
import type { AuthSettings } from '../options/auth-settings';

/** Gives callers the narrower scopes that their scopes imply. */
export class EffectiveScopes {
  readonly #implied: AuthSettings['implied'];
  /** A verifier that caches tokens returns the same callers again. */
  readonly #known = new WeakMap<Caller, Caller>();

  constructor({ implied }: Pick<AuthSettings, 'implied'>) {
    this.#implied = implied;
  }

  /** The caller with all scopes; the same object if there are no additional ones. */
  of(caller: Caller): Caller {
    if (this.#implied.size === 0) return caller;
    const known = this.#known.get(caller);
    if (known) return known;
    const scopes = new Set(caller.scopes.flatMap((scope) => this.#implied.get(scope) ?? [scope]));
    const hasAll = [...scopes].every((scope) => caller.scopes.includes(scope));
    const effective = hasAll ? caller : new Caller({ ...caller, scopes: [...scopes] });
    this.#known.set(caller, effective);
    return effective;
  }
}
