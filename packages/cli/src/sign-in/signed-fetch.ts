/** A `fetch` that authenticates: with the current token, and if the server requires another one, after a sign-in. */
import { challengeOf } from '@sigil-mcp/client/internal';
import type { SignInDemand } from './browser-sign-in';
import type { CommandCredentials } from './credentials';

/** The options of the wrapper. */
export interface SignedFetchOptions {
  readonly credentials: CommandCredentials;
  /** The server that the token is for; requests to other servers do not get it. */
  readonly url: URL;
  /** Signs in; undefined if that is not possible. */
  readonly signIn: ((challenge: SignInDemand) => Promise<void>) | undefined;
}

/** Wraps `fetch`. An `Authorization` header from `--header` takes precedence. */
export function signedFetch(next: typeof fetch, options: SignedFetchOptions): typeof fetch {
  const { credentials, url } = options;
  let signingIn: Promise<void> | undefined;
  const signIn = (challenge: SignInDemand): Promise<void> =>
    (signingIn ??= (options.signIn?.(challenge) ?? Promise.resolve()).finally(() => (signingIn = undefined)));

  return async (input, init) => {
    const headers = new Headers(init?.headers);
    const isOurs = new URL(input instanceof Request ? input.url : input).origin === url.origin;
    if (!isOurs || headers.has('authorization')) return next(input, init);
    for (let tries = 0; ; tries++) {
      await signingIn;
      const { token } = credentials;
      if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
      const response = await next(input, { ...init, headers });
      const challenge = tries > 1 || !options.signIn || credentials.isGiven ? undefined : demandOf(response);
      if (!challenge) return response;
      await response.body?.cancel();
      // Another request may have signed in meanwhile.
      if (token === credentials.token) await signIn(challenge);
    }
  };
}

/** The challenge of a response; undefined if a sign-in would change nothing. */
export function demandOf(response: Response): SignInDemand | undefined {
  const challenge = challengeOf(response);
  if (challenge?.scheme?.toLowerCase() !== 'bearer') return undefined;
  const { error, scope, resourceMetadata: url = '' } = challenge;
  if (response.status !== 401 && error !== 'insufficient_scope') return undefined;
  return { scope, ...(URL.canParse(url) && { resourceMetadataUrl: new URL(url) }) };
}
