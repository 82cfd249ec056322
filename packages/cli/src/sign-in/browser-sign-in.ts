/** Signs in with the browser: authorization code flow with PKCE, through the official client. */
import { isObject } from '@sigil-mcp/base';
import { CliFailure, noServer, reasonOf, codeOf, failure } from '../failure';
import type { OAuthProvider, OfficialClient } from '../official-client';
import type { CommandCredentials } from './credentials';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const PATH = '/callback';

const HOST = '127.0.0.1';

/** Waits for one redirect of an authorization server (RFC 8252, section 7.3). */
export class RedirectListener {
  /** Ties the answer to the request (RFC 6749, section 10.12). */
  readonly state = randomBytes(16).toString('base64url');
  /** The parameters of the redirect, unchanged. */
  readonly answer: Promise<URLSearchParams>;
  #answered: (answer: URLSearchParams) => void = () => undefined;

  private constructor(private readonly server: Server) {
    this.answer = new Promise((resolve) => (this.#answered = resolve));
    server.on('request', (request, response) => {
      // A request target may be an invalid URL, such as `//`.
      const asked = URL.canParse(request.url ?? '', this.url) ? (request.url ?? '') : '/';
      const { pathname, searchParams } = new URL(asked, this.url);
      const isOurs = pathname === PATH && request.method === 'GET' && searchParams.get('state') === this.state;
      const words = searchParams.has('code') ? 'You are signed in.' : 'You are not signed in.';
      response.writeHead(isOurs ? 200 : 404, {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': "default-src 'none'",
        connection: 'close',
      });
      response.end(page(isOurs ? `${words} Close this page, and go back to the terminal.` : 'Nothing is here.'));
      if (isOurs) this.#answered(searchParams);
    });
  }

  /** @param port 0 for any free port @throws CliFailure if the port cannot be used */
  static async open(port: number): Promise<RedirectListener> {
    const server = createServer();
    try {
      await once(server.listen(port, HOST), 'listening');
    } catch (error) {
      throw failure('SIGIL_CLI_CALLBACK_PORT', { port, reason: codeOf(error) ?? String(error) });
    }
    return new RedirectListener(server);
  }

  /** The redirect URI. */
  get url(): string {
    return `http://${HOST}:${(this.server.address() as AddressInfo).port}${PATH}`;
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}

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

/** A page for the browser, without any text of a server. */
function page(words: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>sigil</title><p>${words}</p></html>`;
}
