/** All parts of a JSON Schema that are schemas, and the references between them: as a validator of 2020-12 follows them. */
import { isObject } from '@sigil-mcp/base';
import type { JsonSchema } from '../value-plan';

/** Keywords with one schema or a list of them, for the members or items of a value. */
const BELOW = [
  'items',
  'additionalProperties',
  'additionalItems',
  'unevaluatedItems',
  'unevaluatedProperties',
  'contains',
  'prefixItems',
];
/** The same, with schemas by patterns of names. */
const BELOW_BY_PATTERN = ['patternProperties'];
/** Keywords with one schema or a list of them, for the value itself. */
const BESIDE = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else'];
/** Keywords with one schema for what the text of the value says. */
const IN_TEXT = ['contentSchema'];
/** The same, with schemas by names of members. */
const BESIDE_BY_NAME = ['dependentSchemas', 'dependencies'];
/** Keywords with values, which are no schemas although they may look so. */
const VALUES = ['enum', 'const', 'default', 'examples', 'example'];
/** Schemas that mean something where they are referred to. */
const DEFINITIONS = ['$defs', 'definitions'];
/** Stands for the way from a text to what it says: nothing in it has a name of its own. */
export const TEXT = '\u0000text';
/** The address of a schema without one. */
const NOWHERE = 'schema:/';

/** A schema within another one, and the names on the way to its values: `*` for any, `TEXT` for what a text says. */
export interface SchemaPart {
  readonly schema: unknown;
  readonly names: readonly string[];
}

/** The schemas within a schema, but for those that it refers to. @param any stands for any name or item */
export function partsWithin(schema: JsonSchema, any: string): readonly SchemaPart[] {
  const own = Object.entries(objectOf(schema['properties']));
  return [
    ...own.map(([name, child]) => ({ schema: child, names: [name] })),
    ...listed(schema, BELOW).map((child) => ({ schema: child, names: [any] })),
    ...byName(schema, BELOW_BY_PATTERN).map((child) => ({ schema: child, names: [any] })),
    ...listed(schema, IN_TEXT).map((child) => ({ schema: child, names: [TEXT] })),
    ...[...listed(schema, BESIDE), ...byName(schema, BESIDE_BY_NAME)].map((child) => ({ schema: child, names: [] })),
  ];
}

/** Resolves the references of one document: by pointer, by anchor, by address, and those that the way to them decides. */
class SchemaReferences {
  readonly #addresses = new Map<unknown, string>();
  readonly #documents = new Map<string, JsonSchema>();
  readonly #anchors = new Map<string, JsonSchema>();
  readonly #dynamic = new Map<string, JsonSchema[]>();

  constructor(private readonly root: JsonSchema) {
    this.#documents.set(NOWHERE, root);
    this.#read(root, NOWHERE);
  }

  /** What a schema refers to: each of them may be meant. `undefined` among them for what is not within the document. */
  of(schema: JsonSchema): readonly (JsonSchema | undefined)[] {
    const { $ref, $dynamicRef, $recursiveRef } = schema;
    const found: (JsonSchema | undefined)[] = [];
    for (const reference of [$ref, $dynamicRef, $recursiveRef])
      if (typeof reference === 'string') found.push(this.#resolve(reference, this.#addresses.get(schema) ?? NOWHERE));
    const [, name = ''] = typeof $dynamicRef === 'string' ? $dynamicRef.split('#', 2) : [];
    return [...found, ...(this.#dynamic.get(name) ?? []), ...(typeof $recursiveRef === 'string' ? [this.root] : [])];
  }

  #resolve(reference: string, from: string): JsonSchema | undefined {
    if (!URL.canParse(reference, from)) return undefined;
    const url = new URL(reference, from);
    const fragment = url.hash.slice(1);
    url.hash = '';
    const document = this.#documents.get(url.href);
    if (fragment === '' || !document) return document;
    return fragment.startsWith('/') ? at(document, fragment) : this.#anchors.get(`${url.href}#${decoded(fragment)}`);
  }

  #read(part: unknown, around: string): void {
    if (Array.isArray(part)) return part.forEach((item) => this.#read(item, around));
    if (!isObject(part) || this.#addresses.has(part)) return;
    const { $id, $anchor, $dynamicAnchor } = part;
    const address = typeof $id === 'string' && URL.canParse($id, around) ? withoutHash(new URL($id, around)) : around;
    this.#addresses.set(part, address);
    if (address !== around) this.#documents.set(address, part);
    for (const name of [$anchor, $dynamicAnchor])
      if (typeof name === 'string') this.#anchors.set(`${address}#${name}`, part);
    if (typeof $dynamicAnchor === 'string')
      this.#dynamic.set($dynamicAnchor, [...(this.#dynamic.get($dynamicAnchor) ?? []), part]);
    for (const [name, child] of Object.entries(part)) if (!VALUES.includes(name)) this.#read(child, address);
  }
}

// eslint-disable-next-line no-restricted-syntax -- what schemas say does not change, and is collected with them
const known = new WeakMap<JsonSchema, SchemaReferences>();

/** The references of a document. */
export function referencesIn(root: JsonSchema): SchemaReferences {
  const references = known.get(root) ?? new SchemaReferences(root);
  known.set(root, references);
  return references;
}

/**
 * Everything in a schema that is not a value, also below keywords that are not known here.
 * @param withDefinitions whether what has to be referred to counts
 */
export function everythingIn(
  schema: unknown,
  withDefinitions: boolean,
  found = new Set<JsonSchema>(),
): ReadonlySet<JsonSchema> {
  if (Array.isArray(schema)) for (const item of schema) everythingIn(item, withDefinitions, found);
  if (!isObject(schema) || Array.isArray(schema) || found.has(schema)) return found;
  found.add(schema);
  const left = withDefinitions ? VALUES : [...VALUES, ...DEFINITIONS];
  for (const [name, child] of Object.entries(schema))
    if (!left.includes(name)) everythingIn(child, withDefinitions, found);
  return found;
}

function listed(schema: JsonSchema, keywords: readonly string[]): unknown[] {
  return keywords.flatMap((keyword) => schema[keyword]);
}

function byName(schema: JsonSchema, keywords: readonly string[]): unknown[] {
  return keywords.flatMap((keyword) => Object.values(objectOf(schema[keyword])));
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

function withoutHash(url: URL): string {
  url.hash = '';
  return url.href;
}

/** What a JSON Pointer in a fragment names. */
function at(document: JsonSchema, pointer: string): JsonSchema | undefined {
  let found: unknown = document;
  for (const step of pointer.split('/').slice(1)) {
    const name = decoded(step).replaceAll('~1', '/').replaceAll('~0', '~');
    const isThere = (isObject(found) || Array.isArray(found)) && Object.hasOwn(found, name);
    found = isThere ? Reflect.get(found as object, name) : undefined;
  }
  return isObject(found) ? found : undefined;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
