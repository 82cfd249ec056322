/** How a transport learns who calls: the port that whatever verifies tokens stands behind. */
import type { MaybePromise } from '../values/maybe-promise';
import type { Caller } from './caller';
import type { RequestHeaders } from './mcp-context';

/** The request that brought a token. */
export interface TokenRequest {
  /** The scheme of the `Authorization` header, in lower case: `bearer`. */
  readonly scheme: string;
  /** The method of HTTP. */
  readonly method: string;
  /** The URL as the client knows it, without its query: on the origin of the resource, where one is named. */
  readonly url: string;
  /** In lower case, without `authorization`. */
  readonly headers: RequestHeaders;
  /** The IP address of the client; undefined where it is not known. */
  readonly address?: string;
}

/**
 * Who may use an endpoint. With it, every request has to bring a token; what the token says is decided anew each time.
 * @example
 * const auth: Auth = { verify: (token) => keys.get(digest(token)) };
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization
 */
export interface Auth {
  /**
   * Says whose token it is; undefined for a token that is not good, with nothing said about why.
   * @throws Denial with the status 401 for a token that is not good, whose message the client is told; with 503 and `retryAfter`
   *   where it cannot be known now. Whatever else is thrown is masked with 500, never taken for a bad token
   */
  verify(token: string, request: TokenRequest): MaybePromise<Caller | undefined>;
  /**
   * The URI of the endpoint as clients know it, such as `https://mcp.example.com/mcp`. With it the endpoint has the metadata by
   * which clients find the authorization server; if left out there is none, and whoever has no token is not told where to get one.
   */
  readonly resource?: string;
  /** Issuers whose tokens are good here; needed with a `resource`. */
  readonly authorizationServers?: readonly string[];
  /**
   * What a scope holds beside itself: `{ admin: ['write'], write: ['read'] }`. Callers have the narrower scopes then, too; challenges
   * name what is needed and nothing wider. None holds another if left out.
   * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization
   */
  readonly implies?: Readonly<Record<string, readonly string[]>>;
  /** Scopes that a client should ask for first; none are named if left out. */
  readonly scopes?: readonly string[];
  /** All scopes that mean something here; those in `scopes` if left out. */
  readonly scopesSupported?: readonly string[];
  /**
   * The metadata of the authorization server (RFC 8414). With it they stand at the origin of the endpoint, too, where clients of
   * 2025-03-26 look for them; if left out they do not. What it rejects with is answered with 503.
   */
  readonly serverMetadata?: () => Promise<object>;
}
