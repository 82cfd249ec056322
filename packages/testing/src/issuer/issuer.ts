/** An authorization server for tests: real keys, real tokens and metadata, on a loopback socket, and a sign-in without passwords if it has users. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomUUID, constants, createHmac, generateKeyPair, sign, type KeyObject } from 'node:crypto';
import { OPTION_RULES, requireOptions, type OptionRule } from '@sigil-mcp/core/internal';
import {
  claimsOf,
  IssuedTokens,
  TOKEN_OPTIONS,
  type AskingClient,
  type IssuedTokenOptions,
  type People,
} from './issued-tokens';
import { SignIn, json, type Reply } from './sign-in';
import { noteOpened } from '../opened';
import { testingError } from '../errors';
import { promisify } from 'node:util';

const generate = promisify(generateKeyPair) as (
  type: string,
  options: object,
) => Promise<{ publicKey: KeyObject; privateKey: KeyObject }>;

/** A public key as a set of keys names it (RFC 7517). */
type PublicJwk = Readonly<Record<string, unknown>> & { readonly kid: string };

/** Signs with one algorithm. */
interface SigningKey {
  readonly algorithm: string;
  readonly jwk: PublicJwk;
  sign(text: string): string;
}

const CURVES: Readonly<Record<string, string>> = { ES256: 'P-256', ES384: 'P-384', ES512: 'P-521' };

const PSS = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };

/** Bytes of a body. */
const LONGEST_BODY = 100_000;

/** The options of `issuer`. */
export interface IssuerOptions {
  /** The audience of its tokens by default, such as the resource of the endpoint; none if left out. */
  readonly audience?: string | readonly string[];
  /** Its signature algorithms, the first of them unless a token says otherwise; `ES256` if left out. */
  readonly algorithms?: readonly string[];
  /** A path of its URL, such as `/realms/notes`; none if left out. */
  readonly path?: string;
  /** Where its metadata is served: by RFC 8414, by OpenID Connect, or both, as if left out. */
  readonly metadataAt?: readonly ('oauth-authorization-server' | 'openid-configuration')[];
  /** Further metadata, or replacements of the usual members, which stay if left out; undefined removes one. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** The users who can sign in at its page, without a password; if left out, it has no page. */
  readonly people?: People;
  /** The client that may ask about tokens; any if left out. */
  readonly client?: AskingClient;
}

/** Of `issuer`. */
const ISSUER_OPTIONS: Readonly<Record<keyof IssuerOptions, OptionRule | undefined>> = {
  audience: undefined,
  algorithms: OPTION_RULES.list,
  path: undefined,
  metadataAt: OPTION_RULES.list,
  metadata: OPTION_RULES.object,
  people: OPTION_RULES.object,
  client: OPTION_RULES.object,
};

/**
 * Opens an issuer on a free port of loopback. With the jest preset it is closed when the test has ended; otherwise close it yourself.
 * @example
 * const id = await issuer({ audience: 'https://mcp.example.com/mcp' });
 * const auth = jwt({ issuer: id.url, resource: 'https://mcp.example.com/mcp' });
 * const client = await connect(url, { headers: { authorization: `Bearer ${id.token({ scope: 'notes:read' })}` } });
 */
export async function issuer(options: IssuerOptions = {}): Promise<TestIssuer> {
  requireOptions('issuer', options, ISSUER_OPTIONS);
  const opened = new TestIssuer(options);
  await opened.rotate();
  await opened.open();
  return noteOpened(opened);
}

/** The issuer that `issuer` opens. */
export class TestIssuer {
  readonly #server: Server;
  readonly #issued: IssuedTokens;
  readonly #signIn: SignIn | undefined;
  readonly #paths: string[] = [];
  #keys: readonly SigningKey[] = [];
  /** Undefined unless `fail` was called. */
  #failure: { readonly status: number | undefined } | undefined;

  /** @internal `issuer` makes one. */
  constructor(private readonly options: IssuerOptions) {
    this.#issued = new IssuedTokens(options.client);
    const { people, audience } = options;
    const issue = (wanted: IssuedTokenOptions): string => this.token(wanted);
    this.#signIn = people && new SignIn({ people, audience, issue, issuer: () => this.url });
    this.#server = createServer(
      (request, response) => void this.#answer(request, response).catch(() => request.destroy()),
    );
  }

  /** Its URL: the `iss` of its tokens. */
  get url(): string {
    return `${this.#origin}${this.options.path ?? ''}`;
  }

  /** The public keys, as they are served. */
  get keys(): readonly Readonly<Record<string, unknown>>[] {
    return this.#keys.map(({ jwk }) => jwk);
  }

  /** The requested paths in their order, including those that failed: `/keys`, `/introspect` and those of metadata. */
  get asked(): readonly string[] {
    return this.#paths;
  }

  /** How often a path was requested. */
  count(path: string): number {
    return this.#paths.filter((each) => each === path).length;
  }

  /** Issues a token. Throws a `SigilError` for an algorithm that this issuer does not sign with. */
  token(options: IssuedTokenOptions = {}): string {
    requireOptions('token', options, TOKEN_OPTIONS);
    const claims = claimsOf(options, this.url, this.options.audience);
    const token = options.opaque === true ? randomUUID() : this.#sign(claims, options);
    this.#issued.add(token, claims);
    return token;
  }

  /** Revokes a token: a server that asks about it receives the answer that it is not active. */
  revoke(token: string): void {
    this.#issued.remove(token);
  }

  /** Signs with new keys from now on. The previous keys are not published any more, unless they are kept. */
  async rotate({ keep = false } = {}): Promise<void> {
    const { algorithms = ['ES256'] } = this.options;
    const fresh = await Promise.all(algorithms.map((each) => makeSigningKey(each, randomUUID())));
    this.#keys = [...fresh, ...(keep ? this.#keys : [])];
  }

  /** From now on answers every request with a status; without one, cuts every connection. */
  fail(status?: number): void {
    this.#failure = { status };
  }

  /** Undoes `fail`. */
  recover(): void {
    this.#failure = undefined;
  }

  /** @internal */
  async open(port = 0): Promise<void> {
    this.#server.listen(port, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  /** Lets the process end while the issuer is open. */
  unref(): void {
    this.#server.unref();
  }

  async close(): Promise<void> {
    if (!this.#server.listening) return;
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  get #origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  #sign(claims: object, { alg, kid, typ = 'at+jwt' }: IssuedTokenOptions): string {
    const [first] = this.#keys;
    const isForged = alg === 'none' || alg?.startsWith('HS') === true;
    const key = alg === undefined || isForged ? first : this.#keys.find(({ algorithm }) => algorithm === alg);
    if (!key)
      throw testingError('SIGIL_TEST_ISSUER_ALGORITHM', {
        algorithm: alg ?? '',
        known: this.#keys.map(({ algorithm }) => algorithm).join(', '),
      });
    const header = { alg: alg ?? key.algorithm, kid: kid ?? key.jwk.kid, typ };
    const signed = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
    return `${signed}.${isForged ? forgedSignature(alg, signed, key) : key.sign(signed)}`;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', this.#origin);
    this.#paths.push(url.pathname);
    // A request that is no longer read has no socket.
    const { socket } = request;
    const body = await readShort(request);
    const isSilent = this.#failure !== undefined && this.#failure.status === undefined;
    if (body === undefined || isSilent) return void socket.destroy();
    const reply = this.#failure ? json(this.#failure.status ?? 500, {}) : this.#replyTo(request, url, body);
    response.writeHead(reply.status, { ...reply.headers, ...corsHeaders(request.headers.origin) }).end(reply.body);
  }

  #replyTo({ method = '', headers }: IncomingMessage, url: URL, body: string): Reply {
    if (url.pathname === '/keys') return json(200, { keys: this.keys });
    if (this.#placesOfMetadata().includes(url.pathname)) return json(200, this.#metadata());
    if (url.pathname === '/introspect') {
      const answer = this.#issued.answer(new URLSearchParams(body), headers.authorization);
      return answer ? json(200, answer) : json(401, { error: 'invalid_client' });
    }
    if (method === 'OPTIONS') return { status: 204, headers: {}, body: '' };
    // The page is for the browser of this machine: no other name leads to it. No other page sends its form, or reads tokens for scripts.
    // The URL of the request may name another host itself, so both are compared with the address that this issuer listens on.
    if (headers.host !== new URL(this.#origin).host) return json(421, { error: 'invalid_request' });
    const isOurs = url.pathname === '/authorize' || (url.pathname === '/token' && method === 'GET');
    if (isOurs && headers.origin !== undefined && headers.origin !== this.#origin)
      return json(403, { error: 'access_denied' });
    return this.#signIn?.answer({ method, url, body }) ?? json(404, {});
  }

  #placesOfMetadata(): readonly string[] {
    const { metadataAt = ['oauth-authorization-server', 'openid-configuration'], path = '' } = this.options;
    return metadataAt.map((name) =>
      name === 'openid-configuration' ? `${path}/.well-known/${name}` : `/.well-known/${name}${path}`,
    );
  }

  #metadata(): object {
    return {
      issuer: this.url,
      jwks_uri: `${this.#origin}/keys`,
      introspection_endpoint: `${this.#origin}/introspect`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      code_challenge_methods_supported: ['S256'],
      id_token_signing_alg_values_supported: [...new Set(this.#keys.map(({ algorithm }) => algorithm))],
      ...this.#signIn?.metadata(this.#origin),
      ...this.options.metadata,
    };
  }
}

/** The body of a request; undefined for one that is longer than any client sends, so that no page can make the process hold it. */
async function readShort(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > LONGEST_BODY) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The headers that let a page on this machine read answers, such as the one of an inspector. */
function corsHeaders(origin: string | undefined): Readonly<Record<string, string>> {
  if (origin === undefined || !/^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/.test(origin)) return {};
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-headers': 'authorization, content-type, mcp-protocol-version',
    vary: 'origin',
  };
}

/** Makes a key. Rejects with a `SigilError` for an algorithm that it does not know. */
async function makeSigningKey(algorithm: string, kid: string): Promise<SigningKey> {
  const { publicKey, privateKey } = await makePair(algorithm);
  const digits = /\d{3}$/.exec(algorithm)?.[0];
  const hash = digits === undefined ? undefined : `sha${digits}`;
  const manner = algorithm.startsWith('PS') ? PSS : algorithm.startsWith('ES') ? { dsaEncoding: 'ieee-p1363' } : {};
  const key = { key: privateKey, ...(manner as { dsaEncoding?: 'ieee-p1363' }) };
  return {
    algorithm,
    jwk: { ...publicKey.export({ format: 'jwk' }), kid, alg: algorithm, use: 'sig' },
    sign: (text) => sign(hash, Buffer.from(text), key).toString('base64url'),
  };
}

function makePair(algorithm: string): ReturnType<typeof generate> {
  const curve = CURVES[algorithm];
  if (curve !== undefined) return generate('ec', { namedCurve: curve });
  if (/^[RP]S(256|384|512)$/.test(algorithm)) return generate('rsa', { modulusLength: 2048 });
  if (algorithm === 'EdDSA') return generate('ed25519', {});
  throw testingError('SIGIL_TEST_ISSUER_ALGORITHM', {
    algorithm,
    known: 'RS256, PS256, ES256, EdDSA and their longer kin',
  });
}

/** What an attacker signs with: nothing, or the public key, which everybody knows, taken for a secret. */
function forgedSignature(algorithm: string, text: string, { jwk }: SigningKey): string {
  if (algorithm === 'none') return '';
  return createHmac(`sha${algorithm.slice(2)}`, JSON.stringify(jwk))
    .update(text)
    .digest('base64url');
}
