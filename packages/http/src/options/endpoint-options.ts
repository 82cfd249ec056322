/**
 * The options of an endpoint with their defaults: for authors, as they are checked, and as they are used. Limits are documented in
 * docs/limits.md; each refusal names its limit.
 */
import type { Cluster } from 'node:cluster';
import type { Auth } from '@sigil-mcp/core';
import { sigilError } from '@sigil-mcp/core/adapter';
import {
  checkNumbers,
  checkShares,
  fillLimits,
  isObject,
  membersOf,
  oneOf,
  OPTION_RULES,
  shareOf,
  wholeNumber,
  withOthers,
  type ClientShares,
  type OptionRule,
} from '@sigil-mcp/core/internal';
import { httpError } from '../errors';
import { authSettingsOf, type AuthSettings } from './auth-settings';

/** Limits of an endpoint; limits that are left out have their defaults, and `Infinity` is no limit. */
export interface EndpointLimits {
  /**
   * Sessions at the same time; 10,000 if left out. A new session closes the one that has been idle longest. If all are busy,
   * a new one is refused.
   */
  readonly sessions?: number;
  /**
   * Sessions of one client at the same time, an authenticated user, else an address; a tenth of `sessions` (1,000) if left out. A new
   * one closes the client's own session that has been idle longest.
   */
  readonly sessionsPerClient?: number;
  /** Event streams at the same time; 10,000 if left out. With more, no lasting streams are opened. */
  readonly streams?: number;
  /** Event streams of one client at the same time; a tenth of `streams` (1,000) if left out. With more, no lasting streams are opened for it. */
  readonly streamsPerClient?: number;
  /** Stored events of one stream, for clients that reconnect; 1,000 if left out. The oldest are dropped first. */
  readonly streamEvents?: number;
  /** Bytes of the stored events of one session; 1 MiB if left out. The oldest are dropped first, the newest one never. */
  readonly sessionEvents?: number;
  /** Bytes of the stored events of all sessions; a sixth of `held` of the server (32 MiB) if left out. The oldest are dropped first. */
  readonly events?: number;
  /**
   * Bytes of answers that wait for one slow reader, a user, else a session, else a connection; a third of `unread` (32 MiB) if left
   * out. With more, its requests are refused.
   */
  readonly unreadPerClient?: number;
  /**
   * Bytes of answers that wait for slow readers; half of `held` of the server (96 MiB) if left out. With more, answers of the client that has
   * most of them are aborted, those that have waited longest first.
   */
  readonly unread?: number;
  /**
   * Milliseconds that `verify` of `auth` may take for a token, or `identify` for a request; 10,000 if left out. After that the request is answered with 503 and a
   * retry time.
   */
  readonly verifyTimeout?: number;
}

/** The limits of one endpoint. */
export type ResolvedEndpointLimits = Required<EndpointLimits>;

const MEBIBYTE = 1024 * 1024;

const SHARES = {
  sessionsPerClient: ['sessions', 10],
  streamsPerClient: ['streams', 10],
  unreadPerClient: ['unread', 3],
} as const satisfies ClientShares;

const DEFAULTS: Omit<ResolvedEndpointLimits, keyof typeof SHARES> = {
  sessions: 10_000,
  streams: 10_000,
  streamEvents: 1000,
  sessionEvents: MEBIBYTE,
  events: 32 * MEBIBYTE,
  unread: 96 * MEBIBYTE,
  verifyTimeout: 10_000,
};

const NAMES = [...Object.keys(DEFAULTS), ...Object.keys(SHARES)];

/** What waits for clients is not refused: it must leave a part of the memory for all clients to everything else. */
const PARTS_OF_HELD = { unread: 2, events: 6 } as const;

/**
 * Adds the defaults. Throws a `SigilError` for an invalid limit.
 * @param held bytes of memory for all clients of the server
 */
export function endpointLimitsOf(limits: EndpointLimits = {}, held = Infinity): ResolvedEndpointLimits {
  checkNumbers(limits, NAMES, (limit, value, isKnown) => {
    if (isKnown) throw sigilError('SIGIL_LIMIT', { limit, value });
    throw sigilError('SIGIL_LIMIT_UNKNOWN', { limit, known: NAMES.join(', ') });
  });
  const parts = Object.entries(PARTS_OF_HELD).map(([limit, part]) => [limit, shareOf(held, part)] as const);
  const defaults = held === Infinity ? DEFAULTS : { ...DEFAULTS, ...Object.fromEntries(parts) };
  const resolved = fillLimits(limits, defaults, SHARES);
  checkShares(resolved, SHARES, (large) => {
    throw sigilError('SIGIL_LIMIT_SHARE', large);
  });
  // The names and types of the defaults and shares are those of all limits.
  return resolved as unknown as ResolvedEndpointLimits;
}

/** The options of sessions, for the revisions that have them. */
export interface SessionOptions {
  /**
   * Milliseconds after the last request and the last open stream at any instance, after which a session is closed and its running calls are
   * cancelled; half an hour if left out.
   */
  readonly idleTime?: number;
  /**
   * The number of sessions; that of `limits` if left out.
   * @deprecated it is `limits.sessions`, which counts if both are there
   */
  readonly maximum?: number;
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
  readonly sessions: Required<Pick<SessionOptions, 'idleTime'>> | undefined;
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
  const { idleTime = HALF_AN_HOUR, maximum } = sessions === false ? {} : sessions;
  const limits = maximum === undefined ? options.limits : { sessions: maximum, ...options.limits };
  const paths = sse === true ? {} : sse;
  const ssePaths = paths ? ssePathsOf(paths) : undefined;
  for (const each of [path, ...Object.values(ssePaths ?? {})]) checkPath(each);
  return {
    path,
    allowedHosts: options.allowedHosts,
    allowedOrigins: options.allowedOrigins ?? [],
    sessions: sessions === false ? undefined : { idleTime },
    stream,
    sse: ssePaths,
    bodyLimit: options.bodyLimit ?? messageBytes,
    limits: endpointLimitsOf(limits, held),
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

const MILLISECONDS: OptionRule = {
  wanted: 'milliseconds, more than 0',
  fits: (value) => typeof value === 'number' && value > 0,
};
const { texts: TEXTS } = OPTION_RULES;

/** An object with these members, or one of some plain values in its place. */
function objectOr(plain: readonly unknown[], rule: OptionRule): OptionRule {
  const wanted = `${plain.join(', ')} or an object with ${Object.keys(rule.members ?? {}).join(', ')}`;
  return { ...rule, wanted, fits: (value) => plain.includes(value) || rule.fits(value) };
}

/** What it publishes is checked where it is read. */
const AUTH_MEMBERS: Readonly<Record<keyof Auth, OptionRule | undefined>> = {
  verify: undefined,
  resource: undefined,
  authorizationServers: TEXTS,
  implies: OPTION_RULES.object,
  scopes: TEXTS,
  scopesSupported: TEXTS,
  serverMetadata: OPTION_RULES.function,
};

/** Those that are undefined are checked where they are read, which says more about them. */
export const ENDPOINT_OPTIONS: Readonly<Record<keyof EndpointOptions, OptionRule | undefined>> = {
  path: undefined,
  allowedHosts: TEXTS,
  allowedOrigins: TEXTS,
  sessions: objectOr([false], membersOf({ idleTime: MILLISECONDS, maximum: undefined })),
  stream: oneOf('auto', 'always', 'buffered'),
  sse: objectOr([true, false], membersOf({ path: undefined, messagesPath: undefined, publicMessagesPath: undefined })),
  bodyLimit: wholeNumber(1),
  limits: OPTION_RULES.object,
  keepAliveInterval: MILLISECONDS,
  retryInterval: MILLISECONDS,
  health: objectOr([true, false], membersOf({ memory: OPTION_RULES.flag })),
  auth: {
    wanted: 'an object with the function verify, such as jwt({ ... }) of @sigil-mcp/oauth',
    fits: (value) => isObject(value) && typeof value['verify'] === 'function',
    // It may have state of its own, such as a cache.
    members: withOthers(AUTH_MEMBERS),
  },
};

const { flag: FLAG, function: FUNCTION } = OPTION_RULES;

/** Of handlers: what the program around them knows, besides. */
export const HANDLER_OPTIONS = { ...ENDPOINT_OPTIONS, isLoopback: FLAG };
/** Of handlers that are told the address of a client. */
export const ADDRESSED_OPTIONS = { ...HANDLER_OPTIONS, address: FUNCTION };

// Whether other processes probably serve the same clients, judged by the environment of this one.

/** Variables of platforms that start several instances under load. */
const SCALED_BY: Readonly<Record<string, string>> = {
  K_SERVICE: 'Cloud Run',
  FLY_MACHINE_ID: 'Fly',
  CONTAINER_APP_REPLICA_NAME: 'Azure Container Apps',
  AWS_LAMBDA_FUNCTION_NAME: 'Lambda',
  VERCEL: 'Vercel',
};

/**
 * The reason why there are probably other instances; undefined without evidence.
 * @param inCluster whether this process is a worker of `node:cluster`
 */
export function likelyInstances(env: NodeJS.ProcessEnv, inCluster = isClusterWorker()): string | undefined {
  if (inCluster) return 'this process is a worker of node:cluster';
  if (Number(env['NODE_APP_INSTANCE']) > 0) return `NODE_APP_INSTANCE is ${env['NODE_APP_INSTANCE']}`;
  if (Number(env['WEB_CONCURRENCY']) > 1) return `WEB_CONCURRENCY is ${env['WEB_CONCURRENCY']}`;
  if (/^\w+\.(?:[2-9]|\d\d+)$/.test(env['DYNO'] ?? '')) return `this is the dyno ${env['DYNO']}`;
  const [, platform] = Object.entries(SCALED_BY).find(([name]) => env[name] !== undefined) ?? [];
  return platform && `${platform} starts several instances under load`;
}

/** Not every platform has the module, so it is asked for at run time. */
function isClusterWorker(): boolean {
  // Its types describe the members of the module as an `import` of its default has them.
  const cluster = process.getBuiltinModule('node:cluster') as unknown as Cluster | undefined;
  return cluster?.isWorker ?? false;
}
