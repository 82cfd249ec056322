/** `fetch` that lets itself in: with the token that there is, and where the server wants another, with the one that signing in brings. */
import type { OfficialClient } from '../official-client';
import type { Challenge } from './browser-sign-in';
import type { Credentials } from './credentials';

/** What it is wrapped with. */
export interface SignedFetchOptions {
  readonly official: OfficialClient;
  readonly credentials: Credentials;
  /** The server that the token is for: nobody else gets it. */
  readonly url: URL;
  /** Signs in; undefined where nobody can. */
  readonly signIn: ((challenge: Challenge) => Promise<void>) | undefined;
}

/** Wraps `fetch`. What `--header` says of `Authorization` stands. */
export function signedFetch(next: typeof fetch, options: SignedFetchOptions): typeof fetch {
  const { credentials, official, url } = options;
  let signingIn: Promise<void> | undefined;
  const signIn = (challenge: Challenge): Promise<void> =>
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
      const challenge =
        tries > 1 || !options.signIn || credentials.isGiven ? undefined : challengeOf(response, official);
      if (!challenge) return response;
      await response.body?.cancel();
      // Another request may have signed in meanwhile.
      if (token === credentials.token) await signIn(challenge);
    }
  };
}

/** What the server wants of somebody who is to come in; undefined where signing in would change nothing. */
export function challengeOf(response: Response, official: OfficialClient): Challenge | undefined {
  if (response.status !== 401 && response.status !== 403) return undefined;
  if (!/^bearer\b/i.test(response.headers.get('www-authenticate') ?? '')) return undefined;
  const { error, ...challenge } = official.extractWWWAuthenticateParams(response);
  return response.status === 401 || error === 'insufficient_scope' ? challenge : undefined;
}
