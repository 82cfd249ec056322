/** What may be known of an entry by those who decide about it: guards, interceptors, logs. */
import type { Prompt, Resource, ResourceTemplate, Tool } from '@sigil-mcp/protocol';
import type { Class } from '../values/class';

/** Kind of entry -> its listed definition. */
export interface Definitions {
  tool: Tool;
  resource: Resource;
  'resource-template': ResourceTemplate;
  prompt: Prompt;
}

/** The kinds of entries. */
export type EntryKind = keyof Definitions;

/** Where an entry was written down. */
export interface EntrySource {
  /** The class with `@Feature`; undefined for an entry described by data. */
  readonly feature: Class | undefined;
  /** The name of its method; undefined for an entry described by data. */
  readonly member: string | undefined;
  /** The module that brought it, as messages call it; undefined for an entry of the server itself. */
  readonly module: string | undefined;
}

/** What an entry wants of whoever uses it, as far as it is said by `@Scopes`, `@Public` and `Roles`. */
export interface EntryPolicy {
  /** Scopes of the server, the module, the class and the method together, all of which a caller needs. */
  readonly scopes: readonly string[];
  /** Whether callers without a token may use it where others need one. */
  readonly isPublic: boolean;
  /** Whether lists show it to callers who lack scopes. */
  readonly isListed: boolean;
  /** For each guard that `Roles` made the roles of which a caller needs one. */
  readonly roles: readonly (readonly string[])[];
}

/** Of an entry that wants nothing. */
export const OPEN_POLICY: EntryPolicy = Object.freeze({ scopes: [], isPublic: false, isListed: true, roles: [] });

/** One tool, resource, resource template or prompt; unique by kind and key. */
export interface EntryFacts<K extends EntryKind = EntryKind> {
  readonly kind: K;
  /** Name of a tool or prompt, URI of a resource, URI template of a template. */
  readonly key: string;
  /** The definition that clients are listed, in the newest revision's words. */
  readonly definition: Definitions[K];
  /** Where it was written down. */
  readonly source: EntrySource;
  /** What it wants of whoever uses it. */
  readonly policy: EntryPolicy;
}
