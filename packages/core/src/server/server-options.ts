/** The options of `createServer`. */
import {
  checkOptions,
  listOf,
  membersOf,
  OPTION_RULES,
  orNull,
  withOthers,
  type Clock,
  type OptionRule,
  type ReportProblem,
} from '@sigil-mcp/base';
import { IMPLEMENTATION_RULES, METADATA_RULES, type CacheHints, type Icon, type Revision } from '@sigil-mcp/protocol';
import type { Container } from '../container/container';
import type { Provider } from '../container/provider';
import type { Observer } from '../context/observer';
import type { GuardReference, InterceptorReference } from '../decorators/create-fact';
import type { Extension } from '../extensions/extension';
import type { FeatureSource } from '../kinds/all-kinds';
import type { ServerLimits } from '../limits/server-limits';
import type { Severity } from '../logging/lines-logger';
import type { Logger } from '../logging/logger';
import type { PolicyOptions } from '../members/read-policy';
import type { HandlerRunner } from '../pipeline/handler-runner';
import type { Module } from '../scanner/flatten-modules';
import type { Stores } from '../stores/stores';

/** A kind of capability that a server may advertise although it has no such entry at start. */
export type CapabilityName = 'tools' | 'resources' | 'prompts' | 'completions';

/**
 * How the state of a call is sealed, with AES-256-GCM, while a client holds it that answers questions by sending its
 * request again.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
 */
export interface RequestStateOptions {
  /**
   * Secrets of at least 32 characters each. The first one seals, and all of them open, so a new one can be put first. Instances
   * that serve the same clients need the same secrets. `SIGIL_SECRETS` of the environment (separated by commas) if left out; without
   * either, a random secret for this process.
   */
  readonly secrets?: readonly string[];
  /** Milliseconds for which a state is valid; 900,000 if left out. */
  readonly lifetime?: number;
  /** The most characters of a state, including answers and results of `once`; 262,144 if left out. */
  readonly maximum?: number;
}

/** A server's definition. */
export interface ServerOptions {
  /** Identifies the server to clients. */
  readonly name: string;
  /** The version of the server itself, not of the protocol. */
  readonly version: string;
  /** A label for people; clients show the name if left out. */
  readonly title?: string;
  /** The purpose of the server, described for people; none if left out. */
  readonly description?: string;
  /** A page with more about the server; none if left out. */
  readonly websiteUrl?: string;
  /** Pictures that clients show for the server; none if left out. */
  readonly icons?: readonly Icon[];
  /**
   * How a model should use the server as a whole; describe single tools in their own descriptions. None if left out.
   * @example instructions: 'Books have numbers: find them with the tool search before you lend, change or delete one.'
   */
  readonly instructions?: string;
  /**
   * With true, the server does not start if a property has no type that models can see (no rule but presence, a list whose items may be
   * anything), or if a description begins with TODO. A missing description is allowed. With false, the server starts with these
   * properties and descriptions, and warns once; false if left out. With `'warn'`, it also starts with most errors of classes, as long as
   * they let no unsafe value in, and warns of all of them: for the first day of a migration.
   */
  readonly strict?: boolean | 'warn';
  /**
   * The entries of the server: classes with `@Feature`, whose methods are entries, and single entries, as `tool`, `resource` and
   * `prompt` make them. None if left out.
   * @example features: [WeatherFeature, tool('now', { description: 'Tells the time' }, () => new Date().toISOString())]
   */
  readonly features?: readonly FeatureSource[];
  /** Modules, often from packages, made by `defineModule`; none if left out. */
  readonly modules?: readonly Module[];
  /**
   * Providers of dependencies. A class that is only injected into classes needs no provider; nor do `Server` and `ServerRegistry`. None if
   * left out.
   * @example providers: [WeatherApi, { provide: Config, useValue: new Config(process.env) }]
   */
  readonly providers?: readonly Provider[];
  /**
   * Guards that are called before those of classes and methods, for every entry; none if left out.
   * @example guards: [RateLimit({ calls: 100, per: 'minute' })]
   */
  readonly guards?: readonly GuardReference[];
  /** Scopes that every entry requires unless it is public, and optionally `{ listed: false }` after them; none if left out. */
  readonly scopes?: PolicyOptions['scopes'];
  /**
   * Interceptors around every method, lists and refusals by guards included; the first is the outermost. Requests that are refused before
   * (unknown methods, malformed parameters, limits) do not reach them, but `observers`. None if left out.
   */
  readonly interceptors?: readonly InterceptorReference[];
  /** What watches the requests of the server without changing them: telemetry, counters. None if left out. See docs/observers.md. */
  readonly observers?: readonly Observer[];
  /** Capabilities to advertise in addition to those that have an entry at start; none if left out. */
  readonly capabilities?: readonly CapabilityName[];
  /**
   * Extensions of the protocol: values with methods, capabilities and more, or only a name to advertise. None if left out. See
   * docs/extensions.md.
   * @example extensions: [{ name: 'io.modelcontextprotocol/enterprise-managed-authorization' }]
   */
  readonly extensions?: readonly Extension<object>[];
  /**
   * The protocol revisions to serve, at least one with a handshake and one without; all that Sigil knows if
   * left out.
   */
  readonly revisions?: readonly Revision[];
  /**
   * Stores that the instances of this server share, such as `redis({ client })` of `@sigil-mcp/redis`, if several processes serve the same
   * clients; they are closed with the server. In-process stores if left out. See docs/deployment.md.
   */
  readonly stores?: Stores;
  /** Limits of what clients may make the server hold; each has its default if left out. See docs/limits.md. */
  readonly limits?: ServerLimits;
  /** Entries per page of a list; 1000 if left out. */
  readonly pageSize?: number;
  /**
   * How long lists, discovery and resources without a setting of their own may be cached, and by which caches;
   * `{ ttlMs: 0, cacheScope: 'private' }` if left out.
   */
  readonly cache?: CacheHints;
  /** A pino logger, or the lowest level to write to stderr as JSON lines (`info` if left out), or `false` for no log. */
  readonly logger?: Logger | Severity | false;
  /** The container that builds features, providers, guards and interceptors; a `SingletonContainer` if left out. */
  readonly container?: Container;
  /**
   * Calls methods and functions of entries: for a framework around the server that builds instances for each call, or runs something of its own
   * around handlers. If left out, they are called on the instances that the container has built. See docs/providers.md.
   */
  readonly runner?: HandlerRunner;
  /**
   * Milliseconds that a call of a tool without its own timeout may take; no limit if left out.
   * @example toolTimeout: 30_000
   */
  readonly toolTimeout?: number;
  /** Milliseconds that a client has to answer a question without its own timeout, while it is waited for; 300,000 if left out. */
  readonly answerTimeout?: number;
  /**
   * How the state of a call is sealed while a client holds it to answer a question; with the secrets of the environment if left
   * out, or with a random one for this process.
   */
  readonly requestState?: RequestStateOptions;
  /** Milliseconds that running calls have to finish when the server closes; 5000 if left out. */
  readonly shutdownDeadline?: number;
  /**
   * The source of time and timers, for tests that stop and advance time (`ManualClock` of `@sigil-mcp/testing`); the system clock if left
   * out.
   */
  readonly clock?: Clock;
}

// What kind of value each option of `createServer` takes: from JavaScript, or past a cast, anything may come.

const CAPABILITIES: Readonly<Record<CapabilityName, true>> = {
  tools: true,
  resources: true,
  prompts: true,
  completions: true,
};

const has = (value: unknown, names: readonly string[], type: 'function' | 'object'): boolean =>
  typeof value === 'object' && value !== null && names.every((name) => typeof Reflect.get(value, name) === type);

const { flag: FLAG, list: LIST, object: OBJECT, text: TEXT } = OPTION_RULES;
const FUNCTION = orNull(OPTION_RULES.function);
const OBSERVER: Readonly<Record<keyof Observer, OptionRule>> = {
  name: TEXT,
  watchesStages: FLAG,
  requestStarted: FUNCTION,
  notificationReceived: FUNCTION,
  messageUnreadable: FUNCTION,
  requestRefused: FUNCTION,
  streamOpened: FUNCTION,
  sessionStarted: FUNCTION,
  storeUsed: FUNCTION,
  onStart: FUNCTION,
  onStop: FUNCTION,
};

const SECRETS: OptionRule = {
  wanted: 'an array of texts or bytes',
  fits: (value) =>
    Array.isArray(value) && value.every((each) => typeof each === 'string' || each instanceof Uint8Array),
};

/** Those that are undefined are checked where they are read, which says more about them. */
export const SERVER_OPTIONS: Readonly<Record<keyof ServerOptions, OptionRule | undefined>> = {
  name: undefined,
  version: undefined,
  title: IMPLEMENTATION_RULES.title,
  description: undefined,
  websiteUrl: IMPLEMENTATION_RULES.websiteUrl,
  icons: IMPLEMENTATION_RULES.icons,
  instructions: OPTION_RULES.anyText,
  strict: { wanted: "true, false or 'warn'", fits: (value) => typeof value === 'boolean' || value === 'warn' },
  features: undefined,
  modules: LIST,
  providers: LIST,
  guards: LIST,
  scopes: undefined,
  interceptors: LIST,
  observers: listOf('an array of observers, such as [{ requestStarted() { ... } }]', withOthers(OBSERVER)),
  capabilities: {
    wanted: `an array of ${Object.keys(CAPABILITIES).join(', ')}`,
    fits: (value) => Array.isArray(value) && value.every((name) => Object.hasOwn(CAPABILITIES, String(name))),
  },
  extensions: { wanted: "an array of extensions, such as [{ name: 'com.example/words' }]", fits: Array.isArray },
  revisions: undefined,
  stores: {
    wanted: 'an object with sessions, streams, bus, rates and close, such as redis({ client }) of @sigil-mcp/redis',
    fits: (value) => has(value, ['sessions', 'streams', 'bus', 'rates'], 'object') && has(value, ['close'], 'function'),
  },
  limits: OBJECT,
  pageSize: {
    wanted: 'a whole number of entries, 1 or more',
    fits: (value) => value === Infinity || (Number.isSafeInteger(value) && Number(value) >= 1),
  },
  cache: METADATA_RULES.cache,
  logger: {
    wanted: 'a logger, the name of a level, or false',
    fits: (value) => value === false || typeof value === 'string' || has(value, ['info', 'error'], 'function'),
  },
  container: {
    wanted: 'an object with the methods of Container',
    fits: (value) => has(value, ['prepare', 'start', 'stop'], 'function'),
  },
  runner: {
    wanted: 'an object with the methods handler and companion',
    fits: (value) => has(value, ['handler', 'companion'], 'function'),
  },
  toolTimeout: undefined,
  answerTimeout: undefined,
  requestState: membersOf({ secrets: SECRETS, lifetime: undefined, maximum: undefined }),
  shutdownDeadline: OPTION_RULES.milliseconds,
  clock: {
    wanted: 'an object with now, elapsed, after and every, such as a ManualClock of @sigil-mcp/testing',
    fits: (value) => has(value, ['now', 'elapsed', 'after', 'every'], 'function'),
  },
};

/** Reports options that do not exist, and values of the wrong kind. */
export function checkOptionShapes(options: ServerOptions, report: ReportProblem): void {
  checkOptions('createServer', options, SERVER_OPTIONS, report);
}
