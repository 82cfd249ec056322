/**
 * The sign-in of an issuer: registration of clients (RFC 7591), the authorization code flow with PKCE (RFC 7636) and resource
 * indicators (RFC 8707). Users choose who they are; there are no passwords.
 */
import { createHash, randomUUID } from 'node:crypto';
import type { IssuedTokenOptions, People } from './issued-tokens';
import { problemPage, signInPage } from './sign-in-page';
import type { JsonValue } from '@sigil-mcp/protocol';
import { isObject, parseJson } from '@sigil-mcp/core/internal';

/** No page elsewhere loads an answer, as a script for example. */
const GUARDS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
};

/** An answer. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The addresses to which an issuer sends a browser back: programs on this machine, and no web page. */

const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])$/;

/** VS Code is called back by a page of its own, which opens the application. */
const PAGES_OF_APPLICATIONS: ReadonlySet<string> = new Set(['https://vscode.dev', 'https://insiders.vscode.dev']);

/** Schemes that a browser runs or shows itself. */
const BROWSER_SCHEMES = /^(?:javascript|data|file|blob|vbscript|about|view-source):$/;

/**
 * A registered client.
 *
 * Clients that registered (RFC 7591). The id of a client is its registration, encoded: applications store it, and it has to stay valid
 * when the issuer is started again.
 */
interface RegisteredClient {
  readonly name: string;
  readonly redirects: readonly string[];
}

/** A request to the issuer. */
export interface IssuerRequest {
  readonly method: string;
  readonly url: URL;
  readonly body: string;
}

/** The issuer that users sign in at. */
export interface SignInOptions {
  readonly people: People;
  /** The `iss` of answers. */
  readonly issuer: () => string;
  /** The audience of tokens if a client names no resource, and the only resource that it may name; any if left out. */
  readonly audience: IssuedTokenOptions['aud'];
  readonly issue: (options: IssuedTokenOptions) => string;
}

/** A code that was given to a client. */
interface Grant {
  readonly person: string;
  readonly clientId: string;
  readonly redirect: string;
  readonly challenge: string;
  readonly resource: string | undefined;
  /** Milliseconds of the clock. */
  readonly expires: number;
}

/** Milliseconds for which a code is valid. */
const CODE_LIFE = 60_000;
/** Milliseconds for which a token is valid: a day of work. */
const TOKEN_LIFE = 24 * 60 * 60 * 1000;
/** The number of codes that are kept. */
const MOST_CODES = 100;

/** Answers the requests of a sign-in. */
export class SignIn {
  readonly #codes = new Map<string, Grant>();

  constructor(private readonly options: SignInOptions) {}

  /** Members for the metadata of the issuer (RFC 8414). @param origin of its endpoints */
  metadata(origin: string): object {
    const scopes = Object.values(this.options.people).flatMap(({ scopes: own = [] }) => own);
    return {
      authorization_endpoint: `${origin}/authorize`,
      token_endpoint: `${origin}/token`,
      registration_endpoint: `${origin}/register`,
      grant_types_supported: ['authorization_code'],
      token_endpoint_auth_methods_supported: ['none'],
      authorization_response_iss_parameter_supported: true,
      scopes_supported: [...new Set(scopes)],
    };
  }

  /** The answer to a request; undefined for a path that is not part of the sign-in. */
  answer({ method, url, body }: IssuerRequest): Reply | undefined {
    const form = new URLSearchParams(body);
    switch (`${method} ${url.pathname}`) {
      case 'POST /register':
        return this.#register(body);
      case 'GET /authorize':
        return this.#authorize(url);
      case 'POST /authorize':
        return this.#authorize(url, form.get('person') ?? '');
      case 'POST /token':
        return this.#exchange(form);
      case 'GET /token':
        return this.#tokenOf(url.searchParams);
      default:
        return undefined;
    }
  }

  #register(body: string): Reply {
    const registered = register(parseJson(body));
    return registered ? json(201, registered) : json(400, { error: 'invalid_redirect_uri' });
  }

  /** Shows the page; after the user has chosen, sends the browser back to the client with a code. */
  #authorize({ pathname, search, searchParams: asked }: URL, person?: string): Reply {
    const clientId = asked.get('client_id') ?? '';
    const redirect = asked.get('redirect_uri') ?? '';
    const client = findClient(clientId);
    if (!client) return text(400, problemPage('The client is not registered here. Let it register again.'));
    if (!isLocalRedirect(redirect) || !isRegistered(redirect, client.redirects))
      return text(
        400,
        problemPage('The client did not register this redirect_uri, or it does not lead to this machine.'),
      );
    const resource = asked.get('resource') ?? undefined;
    const error = this.#problemOf(asked, resource);
    if (error !== undefined) return this.#sendBack(redirect, asked, { error });
    const { people } = this.options;
    if (person === undefined)
      return text(200, signInPage({ client: client.name, action: `${pathname}${search}`, people }));
    if (!Object.hasOwn(people, person)) return this.#sendBack(redirect, asked, { error: 'access_denied' });
    const challenge = asked.get('code_challenge') ?? '';
    const expires = Date.now() + CODE_LIFE;
    return this.#sendBack(redirect, asked, {
      code: this.#keep({ person, clientId, redirect, challenge, resource, expires }),
    });
  }

  /** The error of a request, by RFC 6749, section 4.1.2.1, and RFC 8707. */
  #problemOf(asked: URLSearchParams, resource: string | undefined): string | undefined {
    if (asked.get('response_type') !== 'code') return 'unsupported_response_type';
    if (asked.get('code_challenge_method') !== 'S256' || !asked.get('code_challenge')) return 'invalid_request';
    const { audience } = this.options;
    const known = resource === undefined || audience === undefined || [audience].flat().includes(resource);
    return known ? undefined : 'invalid_target';
  }

  #sendBack(redirect: string, asked: URLSearchParams, answer: Readonly<Record<string, string>>): Reply {
    const url = new URL(redirect);
    const state = asked.get('state');
    const members = { ...answer, ...(state !== null && { state }), iss: this.options.issuer() };
    for (const [name, value] of Object.entries(members)) url.searchParams.set(name, value);
    return { status: 302, headers: { location: url.href }, body: '' };
  }

  #keep(grant: Grant): string {
    const code = randomUUID();
    this.#codes.set(code, grant);
    const [oldest] = this.#codes.keys();
    if (this.#codes.size > MOST_CODES && oldest !== undefined) this.#codes.delete(oldest);
    return code;
  }

  #exchange(form: URLSearchParams): Reply {
    if (form.get('grant_type') !== 'authorization_code') return json(400, { error: 'unsupported_grant_type' });
    const code = form.get('code') ?? '';
    const grant = this.#codes.get(code);
    this.#codes.delete(code);
    const verifier = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const fits =
      grant !== undefined &&
      grant.expires > Date.now() &&
      grant.clientId === form.get('client_id') &&
      grant.redirect === form.get('redirect_uri') &&
      grant.challenge === verifier;
    if (!fits) return json(400, { error: 'invalid_grant' });
    const { person, clientId, resource } = grant;
    const { scopes = [] } = this.options.people[person] ?? {};
    const token = this.#issue(person, clientId, resource);
    const expires = { expires_in: TOKEN_LIFE / 1000, scope: scopes.join(' ') };
    return json(200, { access_token: token, token_type: 'Bearer', ...expires });
  }

  /** A token for scripts, as text: a web page cannot read it. With `scope` or `roles`, it is for any name, with these rights alone. */
  #tokenOf(asked: URLSearchParams): Reply {
    const [person, scope, roles] = [asked.get('as') ?? '', asked.get('scope'), asked.get('roles')];
    if (person !== '' && (scope !== null || roles !== null)) {
      const claims = roles === null ? {} : { roles: wordsOf(roles) };
      const rights = { sub: person, clientId: 'script', scope: wordsOf(scope ?? ''), claims };
      return text(200, this.options.issue({ ...rights, expiresIn: TOKEN_LIFE }), 'text/plain');
    }
    if (!Object.hasOwn(this.options.people, person)) return json(404, { error: 'unknown user' });
    return text(200, this.#issue(person, 'script'), 'text/plain');
  }

  /** A token with all scopes of the user: what a user may do is chosen on the page, and not by the client. */
  #issue(person: string, clientId: string, resource?: string): string {
    const { scopes = [], claims = {} } = this.options.people[person] ?? {};
    const aud = resource === undefined ? {} : { aud: resource };
    return this.options.issue({ sub: person, clientId, scope: scopes, claims, expiresIn: TOKEN_LIFE, ...aud });
  }
}

function wordsOf(given: string): readonly string[] {
  return given.split(/[\s,]+/).filter((word) => word !== '');
}

/** The answer to a registration; undefined if it names no address to send the browser back to. */
function register(request: JsonValue | undefined): object | undefined {
  if (!isObject(request) || !Array.isArray(request['redirect_uris'])) return undefined;
  const redirects = request['redirect_uris'].map(String);
  if (!redirects.some(isLocalRedirect) || !redirects.every((each) => URL.canParse(each))) return undefined;
  const name = typeof request['client_name'] === 'string' ? request['client_name'].slice(0, 100) : 'An application';
  const client: RegisteredClient = { name, redirects };
  return {
    ...request,
    client_id: Buffer.from(JSON.stringify(client)).toString('base64url'),
    client_name: name,
    redirect_uris: redirects,
    grant_types: ['authorization_code'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  };
}

/** The client with an id; undefined if it is not one of ours. */
function findClient(id: string): RegisteredClient | undefined {
  const client = parseJson(Buffer.from(id, 'base64url').toString());
  if (!isObject(client) || typeof client['name'] !== 'string' || !Array.isArray(client['redirects'])) return undefined;
  const redirects = client['redirects'].map(String);
  return redirects.every((each) => URL.canParse(each)) ? { name: client['name'], redirects } : undefined;
}

/** Whether an address leads to a program on this machine. */
function isLocalRedirect(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname, origin } = new URL(address);
  if (protocol === 'http:') return LOOPBACK.test(hostname);
  if (protocol === 'https:') return LOOPBACK.test(hostname) || PAGES_OF_APPLICATIONS.has(origin);
  return !BROWSER_SCHEMES.test(protocol);
}

/** Whether an address is one of those that a client registered; on loopback, the port may differ (RFC 8252, section 7.3). */
function isRegistered(address: string, registered: readonly string[]): boolean {
  return registered.some((each) => withoutPort(each) === withoutPort(address));
}

function withoutPort(address: string): string {
  const url = new URL(address);
  if (LOOPBACK.test(url.hostname)) url.port = '';
  return url.href;
}

/** An answer with a JSON document. */
export function json(status: number, document: object): Reply {
  return {
    status,
    headers: { 'content-type': 'application/json', ...GUARDS },
    body: JSON.stringify(document),
  };
}

/** An answer with a page that other pages cannot frame, or with another text. */
function text(status: number, body: string, type = 'text/html'): Reply {
  const headers = {
    'content-type': `${type}; charset=utf-8`,
    ...GUARDS,
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  };
  return { status, headers, body };
}
