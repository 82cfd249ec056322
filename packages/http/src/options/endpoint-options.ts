/** The options of an MCP endpoint, for both the plugin and the transport. */
import type { Auth } from '@sigil-mcp/core';
import { httpError } from '../errors';
import { authSettingsOf, type AuthSettings } from './auth-settings';
import { endpointLimitsOf, type EndpointLimits, type ResolvedEndpointLimits } from './endpoint-limits';

/** The options of sessions, for the revisions that have them. */
export interface SessionOptions {
  /**
   * Milliseconds after the last request and the last open stream at any instance, after which a session is closed and its running calls are
   * cancelled; half an hour if left out.
   */
  readonly idleTime?: number;
}

/** The options of an endpoint. */
export interface EndpointOptions {
  /** Path of the endpoint; `/mcp` if left out. */
  readonly path?: string;
  /**
   * Names that a `Host` header may have, with or without a port. If left out, only loopback names if the server is bound to
   * loopback, else any.
   */
  readonly allowedHosts?: readonly string[];
  /**
   * Web origins that may send requests, such as `https://chat.example`; CORS allows the same ones. If left out, only the server's
   * own origin, and only if its `Host` header is checked.
   */
  readonly allowedOrigins?: readonly string[];
  /**
   * The options of sessions; their defaults if left out. `false`: no sessions; a client of a handshake revision is then served
   * request by request, and the server cannot ask it questions.
   */
  readonly sessions?: SessionOptions | false;
  /**
   * `auto` (if left out) answers in JSON unless a handler sends a message before its result; `always` answers in SSE. `buffered` is for
   * platforms that only send complete responses, such as functions: there are no sessions and no lasting streams, and clients learn this.
   */
  readonly stream?: StreamMode;
  /**
   * The HTTP+SSE transport of the oldest revision, on two paths (`/sse` and `/messages`); off if left out. `publicMessagesPath` is what
   * clients have to send to where a proxy takes a part of the path off; found by `auth.resource`, or `messagesPath` if left out.
   */
  readonly sse?: boolean | SsePaths;
  /** The largest body of a request, in bytes; the server's `limits.messageBytes` if left out. */
  readonly bodyLimit?: number;
  /** The limits of what clients can make the endpoint hold; each has its default if left out. See docs/limits.md. */
  readonly limits?: EndpointLimits;
  /** Milliseconds between comments that keep a stream alive; 15,000 if left out. */
  readonly keepAliveInterval?: number;
  /** Milliseconds after which a client should reconnect to a closed stream; 1,000 if left out. */
  readonly retryInterval?: number;
  /**
   * Whether to serve `/healthz` and `/readyz`; true if left out. If the app already has a route with such a name, that route
   * answers. With `{ memory: true }`, `/healthz` also tells what clients make the server hold, which `sigil doctor` shows: for an address that
   * only operators reach.
   */
  readonly health?: boolean | { readonly memory?: boolean };
  /**
   * Who may use the endpoint: every request then needs a valid token, which is verified before its body is read. Without authentication
   * if left out. See docs/authorization.md.
   */
  readonly auth?: Auth;
}

/** The form of answers. */
export type StreamMode = 'auto' | 'always' | 'buffered';

/** The paths of HTTP+SSE. */
interface SsePaths {
  readonly path?: string;
  readonly messagesPath?: string;
  readonly publicMessagesPath?: string;
}

/** The options with their defaults. */
export interface EndpointSettings {
  readonly path: string;
  readonly allowedHosts: readonly string[] | undefined;
  readonly allowedOrigins: readonly string[];
  readonly sessions: Required<SessionOptions> | undefined;
  readonly stream: StreamMode;
  readonly sse: (SsePaths & { readonly path: string; readonly messagesPath: string }) | undefined;
  readonly bodyLimit: number;
  readonly limits: ResolvedEndpointLimits;
  readonly keepAliveInterval: number;
  readonly retryInterval: number;
  readonly health: boolean;
  /** Whether `/healthz` tells what clients make the server hold. */
  readonly tellsMemory: boolean;
  /** Undefined without authentication. */
  readonly auth: AuthSettings | undefined;
}

const HALF_AN_HOUR = 30 * 60 * 1000;
/** The path of an endpoint whose options name none. */
export const DEFAULT_PATH = '/mcp';

/**
 * The settings of an endpoint: its options, with their defaults.
 * @param server the limits of the server, from which defaults follow
 * @throws SigilError for an invalid limit, and for an `auth` that cannot be published to clients
 */
export function settingsOf(
  options: EndpointOptions,
  { messageBytes, held }: { readonly messageBytes: number; readonly held: number },
): EndpointSettings {
  const { path = DEFAULT_PATH, stream = 'auto' } = options;
  // A platform with complete responses would never send a lasting stream.
  const { sessions = {}, sse = false } = stream === 'buffered' ? { sessions: false as const } : options;
  const paths = sse === true ? {} : sse;
  const ssePaths = paths ? ssePathsOf(paths) : undefined;
  for (const each of [path, ...Object.values(ssePaths ?? {})]) checkPath(each);
  return {
    path,
    allowedHosts: options.allowedHosts,
    allowedOrigins: options.allowedOrigins ?? [],
    sessions: sessions === false ? undefined : { idleTime: HALF_AN_HOUR, ...sessions },
    stream,
    sse: ssePaths,
    bodyLimit: options.bodyLimit ?? messageBytes,
    limits: endpointLimitsOf(options.limits, held),
    keepAliveInterval: options.keepAliveInterval ?? 15_000,
    retryInterval: options.retryInterval ?? 1000,
    health: options.health !== false,
    tellsMemory: typeof options.health === 'object' && options.health.memory === true,
    auth: options.auth && authSettingsOf(options.auth),
  };
}

function ssePathsOf({ path = '/sse', messagesPath = '/messages', publicMessagesPath }: SsePaths) {
  return { path, messagesPath, ...(publicMessagesPath !== undefined && { publicMessagesPath }) };
}

/** @throws SigilError for a path that no request can have */
function checkPath(path: unknown): void {
  if (typeof path !== 'string' || !/^\/[^\s?#]*$/.test(path))
    throw httpError('SIGIL_HTTP_PATH', { path: JSON.stringify(path) });
}
