/** Decides who may see and call entries. */
import type { Caller } from './caller';
import type { ClientFacts, RequestHeaders } from './mcp-context';
import type { Denial } from '../errors/denial';
import type { EntryFacts } from './entry-facts';
import type { Token } from '../container/provider';
import type { Call } from './call';
import type { MaybePromise } from '@sigil-mcp/base';

/** An attempt to use an entry: who lists or calls it, and with what. */
export interface Access {
  /** Of the kind `anonymous` if no caller was authenticated. */
  readonly caller: Caller;
  readonly headers: RequestHeaders;
  /** The client's description of itself; never a basis for security decisions. */
  readonly client: ClientFacts;
  /** The value of a provider, made for this call or shared, as `context.get` returns it. */
  get<T>(token: Token<T>): Promise<T>;
}

/** `true`: continue. `false`: the entry answers as if it did not exist. A denial: the caller receives its message. */
export type Verdict = boolean | Denial;

/**
 * Decides who may see and call entries. Built by the container; declared on the server, a class or a method.
 * @example
 * class Members implements Guard {
 *   allows({ caller }: Access): Verdict {
 *     return caller.isAuthenticated;
 *   }
 * }
 */
export interface Guard {
  /**
   * Whether calls are decided by `allowsCall` in addition to `allows`, or `instead` of it if the guard has one: for a guard that needs the arguments where there
   * are some, or that must not be asked twice because it counts. In addition if left out.
   */
  readonly asksCalls?: 'instead';
  /**
   * `rights` declares that `allows` depends only on the kind, the scopes and the roles of the caller, and returns no promise. Lists then
   * call it once for all callers with the same rights; if left out, each time.
   */
  readonly dependsOn?: 'rights';
  /**
   * Whether the caller may know of an entry: called for every call of it and, to filter them, for every list, completion and
   * subscription.
   */
  allows(access: Access, entry: EntryFacts): MaybePromise<Verdict>;
  /**
   * Whether a call may continue: called for calls only, once `allows` of all guards let the caller through, before arguments are read. So
   * its answer never reveals an entry that another guard hides.
   */
  allowsCall?(call: Call): MaybePromise<Verdict>;
}
