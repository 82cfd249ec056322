/** `@Scopes` and `@Public`: the scopes that a caller needs for a class or a method. */
import { addClassOrMemberFact, factKind } from '@sigil-mcp/base/facts';

/** The options of scopes. */
export interface ScopesOptions {
  /**
   * Whether lists show the entry to callers who lack some of the scopes, so that they can ask their user for more; true if left
   * out.
   */
  readonly listed?: boolean;
}

/** Scopes, and optionally options after them. */
export type ScopeList = readonly (string | ScopesOptions)[];

/** Written by `@Scopes` and `@Public`. */
export type PolicyFact = { readonly scopes: ScopeList } | { readonly public: true };

/** The policy of a class or a method. */
export const POLICY = factKind<PolicyFact>('policy');

/**
 * Declares the scopes that a caller's token must have. The scopes of the server, the module, the class and the method add up. A caller
 * that lacks one receives the names of all of them: with 403 and a challenge over HTTP, with an error elsewhere. Completers, lists and
 * subscriptions follow their entry. Over stdio, the user who started the process has every scope, unless the transport limits them.
 * @param scopes as the authorization server knows them, one text for each, and optionally `{ listed: false }` after them
 * @example
 * ```@Tool('Adds a note') @Scopes('notes:write') add(note: Note, caller: Caller) { ... }```
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization
 */
export function Scopes(
  ...scopes: readonly [string, ...(string | ScopesOptions)[]]
): ClassDecorator & MethodDecorator & PropertyDecorator {
  return (target: object, member?: string | symbol): void => addClassOrMemberFact(POLICY, target, member, { scopes });
}

/**
 * Opens a class or a method of a server with `auth` to callers without a token; they are of the kind `anonymous`. An invalid token is
 * refused anyway. The decorator nearest to the entry counts: a method with `@Public` of a class with `@Scopes` is open. Guards are
 * called as usual.
 * @example
 * ```@Tool('Says what this server is for') @Public() about() { ... }```
 */
export function Public(): ClassDecorator & MethodDecorator & PropertyDecorator {
  return (target: object, member?: string | symbol): void =>
    addClassOrMemberFact(POLICY, target, member, { public: true });
}
