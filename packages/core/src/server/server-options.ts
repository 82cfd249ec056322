/** What `createServer` takes. */
import type { CacheHints, Icon, Revision } from '@sigil-mcp/protocol';
import type { Container } from '../container/container';
import type { Constructor, Provider } from '../container/provider';
import type { GuardReference } from '../decorators/use-guards';
import type { InterceptorReference } from '../decorators/use-interceptors';
import type { ServerLimits } from '../kernel/server-limits';
import type { Severity } from '../logging/json-lines-logger';
import type { Logger } from '../logging/logger';

/** A kind of capability that a server may advertise though it has no entry of it at start. */
export type CapabilityName = 'tools' | 'resources' | 'prompts' | 'completions';

/** What is known of a call travels with a client that answers by sending its request again, sealed with AES-256-GCM. */
export interface RequestStateOptions {
  /**
   * At least 32 characters each. The first seals, all of them open, so that a new one can be put in front of the old. Instances
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
  readonly version: string;
  /** A label for people. */
  readonly title?: string;
  readonly description?: string;
  readonly websiteUrl?: string;
  readonly icons?: readonly Icon[];
  /** How a model should use the server as a whole; what single tools do belongs into their descriptions. */
  readonly instructions?: string;
  /** Classes with `@Feature`. */
  readonly features?: readonly Constructor[];
  /** What is injected; a class that only classes depend on needs no entry, and neither do `Server` and `ServerRegistry`. */
  readonly providers?: readonly Provider[];
  /** Asked before those of classes and methods, for every entry. */
  readonly guards?: readonly GuardReference[];
  /** Around every method, lists and refusals included; the first is the outermost. */
  readonly interceptors?: readonly InterceptorReference[];
  /** Advertised in addition to what has an entry at start. */
  readonly capabilities?: readonly CapabilityName[];
  /**
   * The revisions of the protocol that are served, at least one that shakes hands and one that does not; all that Sigil knows if
   * left out.
   */
  readonly revisions?: readonly Revision[];
  /** What one client may make the server hold. */
  readonly limits?: ServerLimits;
  /** Entries per page of a list; 1000 if left out. */
  readonly pageSize?: number;
  /** For lists, discovery and resources that say nothing of their own; `{ ttlMs: 0, cacheScope: 'private' }` if left out. */
  readonly cache?: CacheHints;
  /** Any pino, or the least severe level to write to stderr as JSON lines (`info` if left out), or `false`. */
  readonly logger?: Logger | Severity | false;
  /** In place of the container that comes with the framework. */
  readonly container?: Container;
  /** Milliseconds that a call of a tool may take if the tool does not say; no limit if left out. */
  readonly toolTimeout?: number;
  /** Milliseconds that a client has to answer a question that waits for it, if the question does not say; 300,000 if left out. */
  readonly answerTimeout?: number;
  /** How the state of a call is sealed while it is with a client that is to answer a question. */
  readonly requestState?: RequestStateOptions;
  /** Milliseconds that running calls have to finish when the server closes; 5000 if left out. */
  readonly shutdownDeadline?: number;
}
