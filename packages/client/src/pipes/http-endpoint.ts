/** One HTTP endpoint: requests with the headers and the token of the client. */
import { systemClock, type Clock, type MaybePromise } from '@sigil-mcp/base';
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
  /** The time before a stream is opened again, and at the end of a session; that of the machine if left out. */
  readonly clock?: Clock | undefined;
}

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
    const token = await tokenOf(auth);
    const response = await this.#send(request, token);
    const challenge = challengeOf(response);
    if (!challenge) return response;
    // Read first: a body that nobody reads holds its connection.
    const text = await readText(response);
    await auth.onChallenge?.(challenge);
    const other = await tokenOf(auth);
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
      return await fetch(this.url, { ...request, headers: all, ...(signal && { signal }) });
    } catch (error) {
      // The network error is the cause of the error that fetch() throws.
      const { message, cause } = error as Error & { readonly cause?: Error };
      const reason = cause?.message || message;
      throw clientError('SIGIL_CLIENT_UNREACHABLE', { url: this.url, reason }, { cause: error });
    }
  }

  #unauthorized({ method }: EndpointRequest, response: Response, text: string): Error {
    const error = errorOf(objectOf(readJson(text)));
    return new HttpError(this.url, method, { response, text, cause: error && new RpcError(error) });
  }
}

async function tokenOf({ token }: ClientAuth): Promise<string> {
  return typeof token === 'string' ? token : token();
}
