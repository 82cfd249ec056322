/** One HTTP endpoint: requests with the headers and the token of the client. */
import { SigilError, systemClock, type Clock, type MaybePromise } from '@sigil-mcp/base';
import { clientError } from '../errors';
import { objectOf, readJson } from '../json';
import { errorOf, RpcError } from '../rpc-error';
import { challengeOf, type Challenge } from './challenge';
import { HttpError } from './http-error';
import { readText } from './read-text';

/** How a client shows who it is. */
export interface ClientAuth {
  /**
   * The access token, sent as `Authorization: Bearer`. A function is called for each request, so keep the token as long as it is valid. After
   * a refusal it is called again, and the request is sent once more if it returns another token.
   */
  readonly token: string | (() => MaybePromise<string>);
  /** Receives each refusal of a token, before `token` is called again: the place to get a new one. */
  readonly onChallenge?: (challenge: Challenge) => MaybePromise<void>;
}

/** The options of a pipe over HTTP. */
export interface HttpPipeOptions {
  /** Headers of every request; they replace others of the same name. None if left out. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The token of each request; none if left out. */
  readonly auth?: ClientAuth | undefined;
  /** Sends each request; that of Node if left out. */
  readonly fetch?: typeof fetch | undefined;
  /** The time before a stream is opened again, and at the end of a session; that of the machine if left out. */
  readonly clock?: Clock | undefined;
}

/** The redirects that keep the method and the body of a request. */
const KEPT_BY_REDIRECT = [307, 308];
const MOST_REDIRECTS = 5;

/** One HTTP request. */
export interface EndpointRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

/** Sends requests to one URL. */
export class HttpEndpoint {
  constructor(
    readonly url: string,
    private readonly options: HttpPipeOptions,
  ) {}

  get clock(): Clock {
    return this.options.clock ?? systemClock;
  }

  /**
   * Sends a request; once more with another token, if the first one was refused.
   * @throws SigilError `SIGIL_CLIENT_UNREACHABLE`; HttpError if all tokens are refused
   */
  async fetch(request: EndpointRequest): Promise<Response> {
    const { auth } = this.options;
    if (!auth) return this.#send(request, undefined);
    const token = await tokenOf(auth, request.signal);
    const response = await this.#send(request, token);
    const challenge = challengeOf(response);
    if (!challenge) return response;
    // Read first: a body that nobody reads holds its connection.
    const text = await readText(response);
    await auth.onChallenge?.(challenge);
    const other = await tokenOf(auth, request.signal);
    if (other === token) throw this.#unauthorized(request, response, text);
    const second = await this.#send(request, other);
    if (!challengeOf(second)) return second;
    throw this.#unauthorized(request, second, await readText(second));
  }

  async #send({ headers, signal, ...request }: EndpointRequest, token: string | undefined): Promise<Response> {
    const all = new Headers(headers);
    if (token !== undefined) all.set('Authorization', `Bearer ${token}`);
    for (const [name, value] of Object.entries(this.options.headers ?? {})) all.set(name, value);
    try {
      return await this.#follow({ ...request, headers: all, ...(signal && { signal }), redirect: 'manual' });
    } catch (error) {
      if (error instanceof SigilError) throw error;
      // The network error is the cause of the error that fetch() throws.
      const { message, cause } = error as Error & { readonly cause?: Error };
      const reason = cause?.message || message;
      throw clientError('SIGIL_CLIENT_UNREACHABLE', { url: this.url, reason }, { cause: error });
    }
  }

  /** Redirects that change nothing but the path are followed. Others would take the message and its headers to another server. */
  async #follow(request: RequestInit): Promise<Response> {
    let { url } = this;
    const { fetch: send = fetch } = this.options;
    for (let redirects = 0; ; redirects += 1) {
      const response = await send(url, request);
      const location = response.status >= 300 && response.status < 400 ? response.headers.get('location') : null;
      if (location === null) return response;
      await response.body?.cancel();
      const next = URL.canParse(location, url) ? new URL(location, url) : undefined;
      const isKept = KEPT_BY_REDIRECT.includes(response.status) || request.method === 'GET';
      if (!next || next.origin !== new URL(url).origin || !isKept || redirects === MOST_REDIRECTS)
        throw clientError('SIGIL_CLIENT_REDIRECT', { url: this.url, location: next?.href ?? location });
      url = next.href;
    }
  }

  #unauthorized({ method }: EndpointRequest, response: Response, text: string): Error {
    const error = errorOf(objectOf(readJson(text)));
    return new HttpError(this.url, method, { response, text, cause: error && new RpcError(error) });
  }
}

/** Waits for a token as long as the request is wanted. */
async function tokenOf({ token }: ClientAuth, signal: AbortSignal | undefined): Promise<string> {
  if (typeof token === 'string') return token;
  let abort = (): void => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    abort = () => reject(signal?.reason as Error);
    signal?.addEventListener('abort', abort);
    if (signal?.aborted) abort();
  });
  try {
    return await Promise.race([token(), aborted]);
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}
