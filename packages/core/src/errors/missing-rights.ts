/** Why a caller may not use what could be had with other rights: the only refusals that say what would open it. */
import { Denial } from './denial';

/** The caller lacks scopes. */
export class MissingScopes extends Denial {
  /** @param scopes all that the operation needs, also those that the caller has */
  constructor(readonly scopes: readonly string[]) {
    super(`It needs the ${scopes.length === 1 ? 'scope' : 'scopes'} ${scopes.join(' ')}.`, {
      status: 403,
      data: { error: 'insufficient_scope', scope: scopes.join(' ') },
    });
  }
}

/** The caller is nobody in particular, and only what is public is open to such. */
export class MissingToken extends Denial {
  /** @param scopes that a caller with a token needs for it, as far as a stranger may know */
  constructor(readonly scopes: readonly string[]) {
    super('A token is needed for this: Authorization: Bearer.', { status: 401 });
  }
}
