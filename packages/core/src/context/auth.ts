/** The port to token verification: how a transport finds out who calls. */
import type { MaybePromise } from '@sigil-mcp/base';
import type { Caller } from './caller';
import type { RequestHeaders } from './mcp-context';

/** The request that brought a token. */
export interface TokenRequest {
  /** The scheme of the `Authorization` header, in lower case: `bearer`. */
  readonly scheme: string;
  /** The method of HTTP. */
  readonly method: string;
  /** The URL as the client knows it, without its query: on the origin of the resource, if one is configured. */
  readonly url: string;
  /** In lower case, without `authorization`. */
  readonly headers: RequestHeaders;
  /** The IP address of the client; undefined if unknown. */
  readonly address?: string;
}

/**
 * Access control of an endpoint. With it, every request must bring a token; the token is verified for each request.
 * @example
 * const auth: Auth = { verify: (token) => keys.get(digest(token)) };
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization
 */
export interface Auth {
  /**
   * Returns the caller of a token; undefined for an invalid token, without a reason for the client.
   * @throws Denial with the status 401 for an invalid token (its message is sent to the client); with 503 and `retryAfter` if the
   *   token cannot be checked now. Any other error is masked with 500, never treated as an invalid token
   */
  verify(token: string, request: TokenRequest): MaybePromise<Caller | undefined>;
  /**
   * The URI of the endpoint as clients know it, such as `https://mcp.example.com/mcp`. With it the endpoint serves the metadata that
   * clients use to find the authorization server. If left out it serves none, and clients without a token do not learn where to get one.
   */
  readonly resource?: string;
  /** Issuers whose tokens are accepted; required with a `resource`. */
  readonly authorizationServers?: readonly string[];
  /**
   * Scopes that a scope includes: `{ admin: ['write'], write: ['read'] }`. Callers then have the narrower scopes, too; challenges
   * name the required scopes and no wider ones. No scope includes another if left out.
   * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization
   */
  readonly implies?: Readonly<Record<string, readonly string[]>>;
  /** Scopes that a client should ask for first; none are named if left out. */
  readonly scopes?: readonly string[];
  /** All scopes that the server uses; those in `scopes` if left out. */
  readonly scopesSupported?: readonly string[];
  /**
   * The metadata of the authorization server (RFC 8414). With it the metadata is also served at the origin of the endpoint, where
   * clients of 2025-03-26 look for it; not served if left out. A rejection is answered with 503.
   */
  readonly serverMetadata?: () => Promise<object>;
}
