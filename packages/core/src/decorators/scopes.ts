/** `@Scopes` and `@Public`: what a caller must have been granted to use what a class or a method offers. */
import { addClassOrMemberFact, factKind } from '../facts/facts';

/** What scopes mean beside calls. */
export interface ScopesOptions {
  /**
   * Whether lists show the entry to callers who lack some of the scopes, so that they can ask their user for more; true if left
   * out.
   */
  readonly listed?: boolean;
}

/** Scopes, and perhaps options behind them. */
export type ScopeList = readonly (string | ScopesOptions)[];

/** Written by `@Scopes` and `@Public`. */
export type PolicyFact = { readonly scopes: ScopeList } | { readonly public: true };

/** What a class or a method wants of its callers. */
export const POLICY = factKind<PolicyFact>('policy');

/**
 * Says which scopes the token of a caller has to have. Those of the server, the module, the class and the method add up. Who lacks
 * one is told all of them: with 403 and a challenge over HTTP, with an error elsewhere. Completers, lists and subscriptions follow their entry.
 * Over stdio, whoever started the process has every scope, unless the transport is told otherwise.
 * @param scopes as the authorization server knows them, one text for each, and perhaps `{ listed: false }` behind them
 * @example
 * ```@Tool('Adds a note') @Scopes('notes:write') add(note: Note, caller: Caller) { ... }```
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization
 */
export function Scopes(...scopes: readonly [string, ...(string | ScopesOptions)[]]): ClassDecorator & MethodDecorator {
  return (target: object, member?: string | symbol): void => addClassOrMemberFact(POLICY, target, member, { scopes });
}

/**
 * Opens a class or a method of a server with `auth` to callers without a token; they are of the kind `anonymous`. A token that is
 * not good is refused all the same. What stands nearest to the entry counts: a method with `@Public` of a class with `@Scopes` is open.
 * Guards are asked as ever.
 * @example
 * ```@Tool('Says what this server is for') @Public() about() { ... }```
 */
export function Public(): ClassDecorator & MethodDecorator {
  return (target: object, member?: string | symbol): void =>
    addClassOrMemberFact(POLICY, target, member, { public: true });
}
