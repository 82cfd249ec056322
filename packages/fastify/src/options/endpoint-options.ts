/** What the plugin and the transport share: how one MCP endpoint behaves. */
import type { Auth } from '@sigil-mcp/core';
import { authSettingsOf, type AuthSettings } from './auth-settings';
import { endpointLimitsOf, type EndpointLimits, type KnownEndpointLimits } from './endpoint-limits';

/** How sessions are kept, for the revisions that have them. */
export interface SessionOptions {
  /**
   * Milliseconds after the last request and the last open stream at any instance, after which a session is closed and what still runs in it is
   * cancelled; half an hour if left out.
   */
  readonly idleTime?: number;
}

/** How an endpoint behaves. */
export interface EndpointOptions {
  /** Path of the endpoint; `/mcp` if left out. */
  readonly path?: string;
  /**
   * Names that a `Host` header may have, with or without a port. If left out, loopback names where the server is bound to
   * loopback, else any.
   */
  readonly allowedHosts?: readonly string[];
  /**
   * Web origins that may send requests, such as `https://chat.example`; they are also what CORS lets in. If left out, none but
   * the server's own, where its `Host` header is checked.
   */
  readonly allowedOrigins?: readonly string[];
  /**
   * How sessions are kept; by their defaults if left out. `false`: no sessions; a client of a handshake revision is then served
   * request by request, and cannot be asked anything.
   */
  readonly sessions?: SessionOptions | false;
  /**
   * `auto` (if left out) answers in JSON until a handler says something before its result; `always` answers in SSE. `buffered` is for what
   * hands on whole answers, as a function does: there are no sessions and no streams that last, and clients are told so.
   */
  readonly stream?: StreamMode;
  /** The HTTP+SSE transport of the oldest revision, on its two paths (`/sse` and `/messages`); off if left out. */
  readonly sse?: boolean | { readonly path?: string; readonly messagesPath?: string };
  /** Bytes that a request's body may have; the server's `limits.messageBytes` if left out. */
  readonly bodyLimit?: number;
  /** What clients may make the endpoint hold; each has its default if left out. docs/limits.md has them all. */
  readonly limits?: EndpointLimits;
  /** Milliseconds between the comments that keep a stream alive; 15,000 if left out. */
  readonly keepAliveInterval?: number;
  /** Milliseconds after which a client whose stream was closed may come back; 1,000 if left out. */
  readonly retryInterval?: number;
  /**
   * Whether there are `/healthz` and `/readyz`; true if left out. Where the app has a route of such a name already, that one
   * answers.
   */
  readonly health?: boolean;
  /**
   * Who may use the endpoint: every request then has to bring a token that it knows, before its body is read. Nobody is
   * authenticated if left out. docs/authorization.md is its page.
   */
  readonly auth?: Auth;
}

/** How answers go out. */
export type StreamMode = 'auto' | 'always' | 'buffered';

/** The options with their defaults. */
export interface EndpointSettings {
  readonly path: string;
  readonly allowedHosts: readonly string[] | undefined;
  readonly allowedOrigins: readonly string[];
  readonly sessions: Required<SessionOptions> | undefined;
  readonly stream: StreamMode;
  readonly sse: { readonly path: string; readonly messagesPath: string } | undefined;
  readonly bodyLimit: number;
  readonly limits: KnownEndpointLimits;
  readonly keepAliveInterval: number;
  readonly retryInterval: number;
  readonly health: boolean;
  /** Undefined where nobody is authenticated. */
  readonly auth: AuthSettings | undefined;
}

const HALF_AN_HOUR = 30 * 60 * 1000;

/**
 * The settings of an endpoint: its options, and the defaults of what they leave out.
 * @param messageBytes how long a body may be if the options do not say
 * @throws SigilError for a limit that is none, and for an `auth` that could not be told to clients
 */
export function settingsOf(options: EndpointOptions, messageBytes: number): EndpointSettings {
  const { path = '/mcp', stream = 'auto' } = options;
  // Streams that last would never be handed on.
  const { sessions = {}, sse = false } = stream === 'buffered' ? { sessions: false as const } : options;
  const paths = sse === true ? {} : sse;
  return {
    path,
    allowedHosts: options.allowedHosts,
    allowedOrigins: options.allowedOrigins ?? [],
    sessions: sessions === false ? undefined : { idleTime: HALF_AN_HOUR, ...sessions },
    stream,
    sse: paths ? { path: paths.path ?? '/sse', messagesPath: paths.messagesPath ?? '/messages' } : undefined,
    bodyLimit: options.bodyLimit ?? messageBytes,
    limits: endpointLimitsOf(options.limits),
    keepAliveInterval: options.keepAliveInterval ?? 15_000,
    retryInterval: options.retryInterval ?? 1000,
    health: options.health ?? true,
    auth: options.auth && authSettingsOf(options.auth),
  };
}
