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

/** One tool, resource, resource template or prompt; unique by kind and key. */
export interface EntryFacts<K extends EntryKind = EntryKind> {
  readonly kind: K;
  /** Name of a tool or prompt, URI of a resource, URI template of a template. */
  readonly key: string;
  /** The definition that clients are listed, in the newest revision's words. */
  readonly definition: Definitions[K];
  /** Where it was written down. */
  readonly source: EntrySource;
}
