/** Facts about an entry for the code that decides about it: guards, interceptors, logs. */
import type { Prompt, Resource, ResourceTemplate, Tool } from '@sigil-mcp/protocol';
import type { Class, MaybePromise } from '@sigil-mcp/base';
import type { InputShape } from '@sigil-mcp/schema';

/** A fact with any type of values. */
export interface AnyFact {
  /** For messages, such as `Roles`. */
  readonly label: string;
  /** The name of the extension that it belongs to; undefined if it works by itself. */
  readonly extension: string | undefined;
  /** Whether it may decorate what is no entry. */
  readonly standsAlone: boolean;
}

/** A fact and one value of it. */
export interface FactValue {
  readonly fact: AnyFact;
  readonly value: unknown;
}

/** Fact -> its values for an entry: those of the class first, then those of the method. */
export type FactValues = ReadonlyMap<AnyFact, readonly unknown[]>;

/** Kind of entry -> its listed definition. */
export interface Definitions {
  tool: Tool;
  resource: Resource;
  'resource-template': ResourceTemplate;
  prompt: Prompt;
}

/** The kinds of entries. */
export type EntryKind = keyof Definitions;

/** Where an entry was defined. */
export interface EntrySource {
  /** The class with `@Feature`; undefined for an entry described by data. */
  readonly feature: Class | undefined;
  /** The name of its method; undefined for an entry described by data. */
  readonly member: string | undefined;
  /** The module that contains it, by the name used in messages; undefined for an entry of the server itself. */
  readonly module: string | undefined;
}

/** The requirements of an entry for its callers, as declared by `@Scopes`, `@Public` and `Roles`. */
export interface EntryPolicy {
  /** Scopes of the server, the module, the class and the method together, all of which a caller needs. */
  readonly scopes: readonly string[];
  /** Whether callers without a token may use it on a server that requires tokens. */
  readonly isPublic: boolean;
  /** Whether lists show it to callers who lack scopes. */
  readonly isListed: boolean;
  /** For each guard made by `Roles`: the roles of which a caller needs one. */
  readonly roles: readonly (readonly string[])[];
}

/** The policy of an entry without requirements. */
export const OPEN_POLICY: EntryPolicy = Object.freeze({ scopes: [], isPublic: false, isListed: true, roles: [] });

/** What is known of values: their JSON Schema, and the ways to sensitive ones. */
export type ValueShape = Pick<InputShape, 'schema' | 'sensitive'>;

/** The arguments of an entry and its structured result. A part is undefined if the entry does not declare it. */
export interface EntryShapes {
  readonly input: ValueShape | undefined;
  readonly output: ValueShape | undefined;
}

/** One tool, resource, resource template or prompt; unique by kind and key. */
export interface EntryFacts<K extends EntryKind = EntryKind> {
  readonly kind: K;
  /** Name of a tool or prompt, URI of a resource, URI template of a template. */
  readonly key: string;
  /** The definition in lists, in the terms of the newest revision. */
  readonly definition: Definitions[K];
  /** Where it was defined. */
  readonly source: EntrySource;
  /** Its requirements for callers. */
  readonly policy: EntryPolicy;
  /** Its arguments and its result, for code that records them: `redact(value, shape)`. */
  readonly shapes: EntryShapes;
  /** The values of facts that authors made with `createFact`, which read them; undefined if it has none. */
  readonly facts?: FactValues | undefined;
}

/** An entry of which the server knows more than authors. */
export interface FacedEntry<K extends EntryKind = EntryKind> extends EntryFacts<K> {
  /** What guards, interceptors and extensions hold: the facts, and nothing that calls the entry. Made once. */
  readonly face: EntryFacts<K>;
  /** Throws `InvalidArguments` for arguments that the entry does not take; undefined if it takes none, or reads them elsewhere. */
  readonly checkArguments?: ((given: unknown) => MaybePromise<void>) | undefined;
  /** The old name by which a tool is called here; undefined for its own name. */
  readonly alias?: string;
}

/** Groups values by their facts; undefined without values, as for most entries. */
export function groupFacts(values: readonly FactValue[]): FactValues | undefined {
  if (values.length === 0) return undefined;
  const grouped = new Map<AnyFact, unknown[]>();
  for (const { fact, value } of values) {
    const known = grouped.get(fact);
    if (known) known.push(value);
    else grouped.set(fact, [value]);
  }
  return grouped;
}
