/** Who may see and call what. */
import type { AuthenticatedUser, ClientFacts, RequestHeaders } from './mcp-context';
import type { Denial } from '../errors/denial';
import type { EntryFacts } from './entry-facts';
import type { Call } from './call';
import type { MaybePromise } from '../values/maybe-promise';

/** The one who asks. */
export interface Caller {
  readonly user: AuthenticatedUser | undefined;
  readonly headers: RequestHeaders;
  readonly client: ClientFacts;
}

/** `true`: go on. `false`: the entry answers as if it did not exist. A denial: the caller is told why. */
export type Verdict = boolean | Denial;

/** Built by the container; stands on the server, a class or a method. */
export interface Guard {
  /** Asked for every call of an entry and, to filter them, for every list. */
  allows(caller: Caller, entry: EntryFacts): MaybePromise<Verdict>;
  /** Asked for calls only; sees the raw arguments. */
  allowsCall?(call: Call): MaybePromise<Verdict>;
}
