/** What a server offers, as data: for contracts, documents and tools that judge it. */
import type { CacheHints, FormSchema, Implementation, JsonObject } from '@sigil-mcp/protocol';
import type { JsonSchema } from '@sigil-mcp/schema';
import type { EntryExample } from '../decorators/example';
import type { EntryKind, EntryPolicy } from '../context/entry-facts';
import type { Rate } from '../limits/token-buckets';

/** What decides who may use an entry. */
export interface EntryAccess extends EntryPolicy {
  /** The names of its other guards, in the order in which they are called; `a guard` for one without a name. */
  readonly guards: readonly string[];
}

/** The limits of an entry; only those that it has. */
export interface LimitsOfEntry {
  /** Milliseconds of one call. */
  readonly timeout?: number;
  /** Calls that run at the same time, of all clients. */
  readonly concurrency?: number;
  /** The same of one client, if it is not half of them, rounded up. */
  readonly concurrencyPerClient?: number;
  /** The rates of its guards made by `RateLimit`. */
  readonly rates?: readonly Rate[];
}

/** Where an entry is defined, as far as the running program knows; only the parts that it has. */
export interface EntryPlace {
  /** The name of its class. */
  readonly feature?: string;
  /** The name of its method. */
  readonly member?: string;
  /** The name of its module, as messages name it. */
  readonly module?: string;
}

/** An old name of a tool, by which it is still called. */
export interface DescribedAlias {
  readonly name: string;
  /** Whether its arguments were different, and are converted. */
  readonly convertsArguments: boolean;
}

/** One tool, resource, resource template or prompt. */
export interface DescribedEntry {
  readonly kind: EntryKind;
  /** Name of a tool or prompt, URI of a resource, URI template of a template. */
  readonly key: string;
  /** Revision -> the exact item of its list, such as a `Tool` of `tools/list`. */
  readonly wire: Readonly<Record<string, JsonObject>>;
  /** The schema of its arguments or variables, where its list does not have it: that of prompts and templates; left out without them. */
  readonly input?: JsonSchema;
  /** The forms that it declares to ask the user. */
  readonly asks: readonly FormSchema[];
  /** The arguments that it completes. */
  readonly completes: readonly string[];
  readonly access: EntryAccess;
  readonly limits: LimitsOfEntry;
  /** How long its contents may be cached; left out if nothing is said. */
  readonly cache?: CacheHints;
  /** Whether lists leave it out, for all callers. */
  readonly isUnlisted: boolean;
  /** The options of extensions that it has, such as `task` of a tool; without what JSON cannot have. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly source: EntryPlace;
  /** Its examples, in the order of its author; left out without them. */
  readonly examples?: readonly EntryExample[];
  /** The version of the server in which it appeared; left out if nothing is said. */
  readonly since?: string;
  /** Why it should not be used any more; left out if it is not deprecated. */
  readonly deprecated?: string;
  /** Its old names, in the order of its author; left out without them. */
  readonly replaces?: readonly DescribedAlias[];
}

/** The name of an entry: no other has the same kind and key. */
export type DescribedKey = Pick<DescribedEntry, 'kind' | 'key'>;

/** Callers who have the same rights. Guards of your own may hide more from them. */
export interface DescribedAudience {
  /** Such as `without a token`, `notes:read`, or `notes:write, role admin`. */
  readonly name: string;
  /** Whether they have a token. */
  readonly hasToken: boolean;
  readonly scopes: readonly string[];
  readonly roles: readonly string[];
  /** What lists show them. */
  readonly sees: readonly DescribedKey[];
  /** What they may use. */
  readonly uses: readonly DescribedKey[];
}

/** Everything that a server offers. */
export interface DescribedServer {
  readonly server: Implementation;
  /** Its text for models; left out if it has none. */
  readonly instructions?: string;
  /** The revisions that it serves, the newest first. */
  readonly revisions: readonly string[];
  /** The names of its extensions. */
  readonly extensions: readonly string[];
  /** The enabled entries, by kind, and in the order of their lists. */
  readonly entries: readonly DescribedEntry[];
  /** Kinds of callers that its scopes, roles and public entries tell apart; one, if it tells nobody apart. */
  readonly audiences: readonly DescribedAudience[];
  /** Bytes of heap that its limits may need, as clients fill them; `null` if one of them is `Infinity`. */
  readonly memory: number | null;
}
