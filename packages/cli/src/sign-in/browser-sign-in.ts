/** Signs in with the browser: authorization code flow with PKCE, through the official client. */
import { isObject } from '@sigil-mcp/base';
import { CliFailure, noServer, reasonOf } from '../failure';
import type { OAuthProvider, OfficialClient } from '../official-client';
import type { CommandCredentials } from './credentials';
import { RedirectListener } from './redirect-listener';

/** The requirements of a server: the parameters of its challenge. */
export interface SignInDemand {
  readonly scope?: string | undefined;
  readonly resourceMetadataUrl?: URL | undefined;
}

/** The options of a sign-in. */
export interface BrowserSignInOptions {
  readonly official: OfficialClient;
  readonly credentials: CommandCredentials;
  /** The MCP endpoint. */
  readonly url: URL;
  readonly fetch: typeof fetch;
  /** Shows an address to the user, and opens it. Throws if the user refuses. */
  readonly visit: (address: URL) => Promise<void>;
  readonly signal: AbortSignal;
}

/**
 * Gets a token: with a refresh token if its scopes are enough, or else with the browser.
 * @throws CliFailure if the user refuses, or the authorization server or the local listener fails
 */
export async function signIn(challenge: SignInDemand, options: BrowserSignInOptions): Promise<void> {
  const { official, credentials, url: serverUrl, signal } = options;
  const { state } = credentials;
  const scope = official.computeScopeUnion(state.scope, challenge.scope);
  const isWider =
    state.tokens !== undefined && official.isStrictScopeSuperset(scope, state.tokens.scope ?? state.scope);
  const { resourceMetadataUrl } = challenge;
  const asked = {
    ...{ serverUrl, fetchFn: options.fetch },
    ...(scope !== undefined && { scope }),
    ...(resourceMetadataUrl && { resourceMetadataUrl }),
  };
  const listener = await RedirectListener.open(credentials.callbackPort);
  try {
    const provider = providerOf(listener, options);
    const outcome = await official.auth(provider, { ...asked, forceReauthorization: isWider });
    state.scope = scope;
    if (outcome === 'AUTHORIZED') return;
    const answer = await Promise.race([listener.answer, aborted(signal)]);
    const code = answer.get('code');
    if (code === null) throw noServer('SIGIL_CLI_SIGN_IN_REFUSED', { reason: answer.get('error') ?? 'no code' });
    const iss = answer.get('iss');
    await official.auth(provider, { ...asked, authorizationCode: code, ...(iss !== null && { iss }) });
  } catch (error) {
    throw explain(error, options);
  } finally {
    listener.close();
  }
}

/** The settings of the official client, and the storage for its results. */
function providerOf(listener: RedirectListener, { credentials, visit }: BrowserSignInOptions): OAuthProvider {
  const { state, clientId } = credentials;
  return {
    redirectUrl: listener.url,
    clientMetadata: {
      client_name: 'sigil',
      redirect_uris: [listener.url],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    state: () => listener.state,
    clientInformation: () => (clientId === undefined ? state.client : { client_id: clientId }),
    saveClientInformation: (client) => void (state.client = client),
    tokens: () => state.tokens,
    saveTokens: (tokens) => void (state.tokens = tokens),
    saveCodeVerifier: (verifier) => void (state.codeVerifier = verifier),
    codeVerifier: () => state.codeVerifier ?? '',
    discoveryState: () => state.discovery,
    saveDiscoveryState: (discovery) => void (state.discovery = discovery),
    redirectToAuthorization: visit,
  };
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason as Error);
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}

function explain(error: unknown, { official, signal, credentials, url }: BrowserSignInOptions): unknown {
  if (signal.aborted) return signal.reason;
  if (error instanceof CliFailure) return error;
  const reason = lackOf(error) ?? reasonOf(error);
  // If the server does not support registration, the client throws a plain Error.
  const isUnregistered = error instanceof official.RegistrationRejectedError || /does not support dynamic/.test(reason);
  if (isUnregistered && credentials.clientId === undefined)
    return noServer('SIGIL_CLI_UNREGISTERED', { url: url.href, reason });
  return noServer('SIGIL_CLI_SIGN_IN_FAILED', { url: url.href, reason });
}

/** The invalid members of metadata: the official client throws all errors of its schema as JSON of many lines. */
function lackOf(error: unknown): string | undefined {
  const issues: unknown = isObject(error) ? error['issues'] : undefined;
  if (!Array.isArray(issues)) return undefined;
  const members = issues.map((issue: unknown) =>
    isObject(issue) && Array.isArray(issue['path']) ? issue['path'].join('.') : '',
  );
  return `the metadata of its authorization server have no valid ${[...new Set(members)].join(', ')}.`;
}
