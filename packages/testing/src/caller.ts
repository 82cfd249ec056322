/** Whom guards and handlers see when a test connects to a server object; no password or token is involved. */
import type { AuthenticatedUser, RequestHeaders } from '@sigil-mcp/core';

/** An id, or as much of a user as a test needs. */
export type TestUser = string | (Pick<AuthenticatedUser, 'id'> & Partial<AuthenticatedUser>);

/** The caller as a test describes it. */
export interface CallerOptions {
  /** The user that `context.user` has; nobody if this and `scopes` are left out. */
  readonly user?: TestUser;
  /** The scopes of the user, in the place of those in `user`. */
  readonly scopes?: readonly string[];
  /** Headers that are sent with each HTTP request, such as a token; what `context.headers` has where the target is a server object. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The caller, as a transport reports it. */
export interface TestCaller {
  readonly headers: RequestHeaders;
  readonly user: AuthenticatedUser | undefined;
}

/** The caller that a test describes, with what it left out filled in. */
export function callerOf({ user, scopes, headers = {} }: CallerOptions): TestCaller {
  const lowered = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return { headers: Object.fromEntries(lowered) as RequestHeaders, user: userOf(user, scopes) };
}

function userOf(user: TestUser | undefined, scopes: readonly string[] | undefined): AuthenticatedUser | undefined {
  if (user === undefined && scopes === undefined) return undefined;
  const known = typeof user === 'string' ? { id: user } : (user ?? { id: 'test-user' });
  return { claims: {}, ...known, scopes: scopes ?? ('scopes' in known ? known.scopes : undefined) ?? [] };
}
