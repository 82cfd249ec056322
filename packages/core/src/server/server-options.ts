/** What `createServer` takes. */
import type { CacheHints, Icon, JsonObject, Revision } from '@sigil-mcp/protocol';
import type { Container } from '../container/container';
import type { Provider } from '../container/provider';
import type { GuardReference } from '../decorators/use-guards';
import type { InterceptorReference } from '../decorators/use-interceptors';
import type { ServerLimits } from '../limits/server-limits';
import type { Module } from '../scanner/module';
import type { Clock } from '../time/clock';
import type { Stores } from '../stores/stores';
import type { Severity } from '../logging/json-lines-logger';
import type { Logger } from '../logging/logger';
import type { FeatureSource } from '../scanner/entry-data';
import type { PolicyOptions } from '../scanner/read-policy';

/** A kind of capability that a server may advertise though it has no entry of it at start. */
export type CapabilityName = 'tools' | 'resources' | 'prompts' | 'completions';

/**
 * How the state of a call is sealed, with AES-256-GCM, while it travels with a client that answers questions by sending its
 * request again.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
 */
export interface RequestStateOptions {
  /**
   * Secrets of at least 32 characters each. The first seals, all of them open, so that a new one can be put in front of the old. Instances
   * that serve the same clients need the same. `SIGIL_SECRETS` of the environment (separated by commas) if left out; without
   * either, random for this process.
   */
  readonly secrets?: readonly string[];
  /** Milliseconds for which a state is good; 900,000 if left out. */
  readonly lifetime?: number;
  /** Characters that a state may have, answers and results of `once` included; 262,144 if left out. */
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
  /** What the server is for, in words for people; none if left out. */
  readonly description?: string;
  /** Where people read more about the server; nowhere if left out. */
  readonly websiteUrl?: string;
  /** Pictures that clients show for the server; none if left out. */
  readonly icons?: readonly Icon[];
  /**
   * How a model should use the server as a whole; what single tools do belongs into their descriptions. None if left out.
   * @example instructions: 'Books have numbers: find them with the tool search before you lend, change or delete one.'
   */
  readonly instructions?: string;
  /**
   * Refuses classes that say too little: a property of which only presence is said, a list whose items may be anything. A server
   * that is not strict starts with them, and warns once; false if left out. With `'warn'` a server starts with most of what is wrong
   * with a class, too, as long as it lets nothing unsafe in, and warns of all: for the first day of a migration.
   */
  readonly strict?: boolean | 'warn';
  /**
   * What the server offers: classes with `@Feature`, whose methods are entries, and entries by themselves, as `tool`, `resource` and
   * `prompt` make them. None if left out.
   * @example features: [WeatherFeature, tool({ name: 'now', description: 'Tells the time' }, () => new Date().toISOString())]
   */
  readonly features?: readonly FeatureSource[];
  /** Parts that packages bring, as `defineModule` makes them; none if left out. */
  readonly modules?: readonly Module[];
  /**
   * What is injected; a class that only classes depend on needs no entry, and neither do `Server` and `ServerRegistry`. None if
   * left out.
   * @example providers: [WeatherApi, { provide: Config, useValue: new Config(process.env) }]
   */
  readonly providers?: readonly Provider[];
  /**
   * Guards that are asked before those of classes and methods, for every entry; none if left out.
   * @example guards: [RateLimit({ calls: 100, per: 'minute' })]
   */
  readonly guards?: readonly GuardReference[];
  /** Scopes that every entry wants, but those that are public, and perhaps `{ listed: false }` behind them; none if left out. */
  readonly scopes?: PolicyOptions['scopes'];
  /** Interceptors around every method, lists and refusals included; the first is the outermost. None if left out. */
  readonly interceptors?: readonly InterceptorReference[];
  /** Capabilities that are advertised beside those that have an entry at start; none if left out. */
  readonly capabilities?: readonly CapabilityName[];
  /**
   * Extensions of the protocol that are advertised, name -> settings, for those that want nothing else of a server; none if left out.
   * Revisions before 2026-07-28 have no word for them.
   * @example extensions: { 'io.modelcontextprotocol/enterprise-managed-authorization': {} }
   */
  readonly extensions?: Readonly<Record<string, JsonObject>>;
  /**
   * The revisions of the protocol that are served, at least one that shakes hands and one that does not; all that Sigil knows if
   * left out.
   */
  readonly revisions?: readonly Revision[];
  /**
   * What the instances of this server share, such as `redis({ client })` of `@sigil-mcp/redis`, where several processes serve the same
   * clients; they are closed with the server. Everything is kept in this process if left out. docs/deployment.md is its page.
   */
  readonly stores?: Stores;
  /** What clients may make the server hold; each has its default if left out. docs/limits.md has them all. */
  readonly limits?: ServerLimits;
  /** Entries per page of a list; 1000 if left out. */
  readonly pageSize?: number;
  /**
   * How long, and by whom, lists, discovery and resources that say nothing of their own may be cached;
   * `{ ttlMs: 0, cacheScope: 'private' }` if left out.
   */
  readonly cache?: CacheHints;
  /** Any pino, or the least severe level to write to stderr as JSON lines (`info` if left out), or `false` for no log. */
  readonly logger?: Logger | Severity | false;
  /** What builds features, providers, guards and interceptors; a `SingletonContainer` if left out. */
  readonly container?: Container;
  /**
   * Milliseconds that a call of a tool may take if the tool does not say; no limit if left out.
   * @example toolTimeout: 30_000
   */
  readonly toolTimeout?: number;
  /** Milliseconds that a client has to answer a question that waits for it, if the question does not say; 300,000 if left out. */
  readonly answerTimeout?: number;
  /**
   * How the state of a call is sealed while it is with a client that is to answer a question; with the secrets of the environment if left
   * out, or with one of this process.
   */
  readonly requestState?: RequestStateOptions;
  /** Milliseconds that running calls have to finish when the server closes; 5000 if left out. */
  readonly shutdownDeadline?: number;
  /**
   * What tells the time and calls back, for tests that hold time still and move it (`ManualClock` of `@sigil-mcp/testing`); the time of the
   * machine if left out.
   */
  readonly clock?: Clock;
}
