/** Refusals of callers that lack rights: the only refusals that name the missing rights. */
import { Denial } from './denial';

/** The caller lacks scopes. */
export class MissingScopes extends Denial {
  /** @param scopes all that the operation needs, also those that the caller has */
  constructor(readonly scopes: readonly string[]) {
    super(`This request needs the ${scopes.length === 1 ? 'scope' : 'scopes'} ${scopes.join(' ')}.`, {
      status: 403,
      data: { error: 'insufficient_scope', scope: scopes.join(' ') },
    });
  }
}

/** The caller is unknown, and such callers may use public entries only. */
export class MissingToken extends Denial {
  /** @param scopes that a caller with a token needs, as far as an unknown caller may learn them */
  constructor(readonly scopes: readonly string[]) {
    super('This request needs a token. Send it in the header "Authorization: Bearer <token>".', { status: 401 });
  }
}
