/** Who may see and call what. */
import type { Caller } from './caller';
import type { ClientFacts, RequestHeaders } from './mcp-context';
import type { Denial } from '../errors/denial';
import type { EntryFacts } from './entry-facts';
import type { Token } from '../container/provider';
import type { Call } from './call';
import type { MaybePromise } from '../values/maybe-promise';

/** Somebody at the door of an entry: who lists or calls it, and with what. */
export interface Access {
  /** Of the kind `anonymous` where nobody was authenticated. */
  readonly caller: Caller;
  readonly headers: RequestHeaders;
  /** What the client says of itself; never a base for security decisions. */
  readonly client: ClientFacts;
  /** What a provider provides, made for this call or shared, as `context.get` gives it. */
  get<T>(token: Token<T>): Promise<T>;
}

/** `true`: go on. `false`: the entry answers as if it did not exist. A denial: the caller is told why. */
export type Verdict = boolean | Denial;

/**
 * Decides who may see and call entries. Built by the container; stands on the server, a class or a method.
 * @example
 * class Members implements Guard {
 *   allows({ caller }: Access): Verdict {
 *     return caller.isAuthenticated;
 *   }
 * }
 */
export interface Guard {
  /**
   * `rights` says that `allows` looks at nothing but the kind, the scopes and the roles of the caller, and answers at once. Lists then
   * ask it once for all callers who have the same; if left out, each time.
   */
  readonly dependsOn?: 'rights';
  /**
   * Whether the caller may know of an entry: asked for every call of it and, to filter them, for every list, completion and
   * subscription.
   */
  allows(access: Access, entry: EntryFacts): MaybePromise<Verdict>;
  /**
   * Whether a call may go on: asked for calls only, once `allows` of all guards let the caller through, before arguments are read. So
   * nothing that it answers tells of an entry which another guard hides.
   */
  allowsCall?(call: Call): MaybePromise<Verdict>;
}
