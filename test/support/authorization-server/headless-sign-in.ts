/** What a person and a browser do while an official client waits for them. */
import type {
  OAuthClientInformationMixed,
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';

const REDIRECT = 'http://127.0.0.1:53682/callback';

/** Goes where an authorization server sends it, with its cookies, until it would come back to the client. */
export async function signIn(start: URL): Promise<URLSearchParams> {
  const cookies = new Map<string, string>();
  let url = start;
  for (let steps = 0; steps < 10; steps += 1) {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
    for (const each of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(each) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (location === null) throw new Error(`${url.href} answered with ${response.status}: ${await response.text()}`);
    url = new URL(location, url);
    if (url.href.startsWith(REDIRECT)) return url.searchParams;
  }
  throw new Error('The authorization server leads in circles.');
}

/** What an application keeps of its user, in memory. */
export class HeadlessUser implements OAuthClientProvider {
  /** Every set of tokens that was kept, in their order. */
  readonly kept: StoredOAuthTokens[] = [];
  /** Where the user was sent to, in their order. */
  readonly sentTo: URL[] = [];
  /** What came back with the user. */
  callback: URLSearchParams | undefined;
  readonly redirectUrl = REDIRECT;
  #client: OAuthClientInformationMixed | undefined;
  #discovered: OAuthDiscoveryState | undefined;
  #verifier = '';

  get clientMetadata(): OAuthClientMetadata {
    return {
      client_name: 'Headless',
      redirect_uris: [REDIRECT],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
    };
  }

  clientInformation(): OAuthClientInformationMixed | undefined {
    return this.#client;
  }

  saveClientInformation(client: OAuthClientInformationMixed): void {
    this.#client = client;
  }

  tokens(): StoredOAuthTokens | undefined {
    return this.kept.at(-1);
  }

  saveTokens(tokens: StoredOAuthTokens): void {
    this.kept.push(tokens);
  }

  async redirectToAuthorization(url: URL): Promise<void> {
    this.sentTo.push(url);
    this.callback = await signIn(url);
  }

  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.#discovered = state;
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovered;
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#verifier;
  }
}

/** Chooses a user on the page of a development issuer, as a browser sends it. @returns where the browser is sent then */
export async function choosePerson(start: URL, person: string): Promise<URL> {
  const page = await (await fetch(start)).text();
  expect(page).toContain('Who are you?');
  expect(page).toContain(`value="${person}"`);
  const [, action = ''] = /<form method="post" action="([^"]+)">/.exec(page) ?? [];
  const url = new URL(action.replaceAll('&amp;', '&'), start);
  const body = new URLSearchParams({ person });
  const sent = await fetch(url, { method: 'POST', body, redirect: 'manual', headers: { origin: start.origin } });
  return new URL(sent.headers.get('location') ?? '');
}

/** A user of a development issuer. */
export class ChoosingUser extends HeadlessUser {
  constructor(private readonly person: string) {
    super();
  }

  override async redirectToAuthorization(url: URL): Promise<void> {
    this.sentTo.push(url);
    this.callback = (await choosePerson(url, this.person)).searchParams;
  }
}
