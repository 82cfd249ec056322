/** Every schema within a schema, with its place: names of properties are no keywords. */
import { isObject } from '@sigil-mcp/base';
import type { LooseSchema } from '../../arguments/json-schema';

/** A schema, and the way to it. */
export interface PlacedSchema {
  readonly schema: LooseSchema;
  /** A JSON pointer, such as `/inputSchema/properties/tags/items`. */
  readonly place: string;
}

/** Keywords with schemas by names. */
const NAMED = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];
/** Keywords with a schema, or a list of them. */
const NESTED = [
  ...['anyOf', 'oneOf', 'allOf', 'not', 'if', 'then', 'else', 'contentSchema'],
  ...['items', 'prefixItems', 'additionalItems', 'contains', 'unevaluatedItems'],
  ...['additionalProperties', 'unevaluatedProperties', 'propertyNames'],
];

/** All schemas, the root first, and each before those within it. No depth is too much for it: any server may have written the schema. */
export function schemasIn(root: unknown, place = ''): readonly PlacedSchema[] {
  const found: PlacedSchema[] = [];
  const open: (readonly [schema: unknown, place: string])[] = [[root, place]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [schema, own] = next;
    if (!isObject(schema)) continue;
    found.push({ schema, place: own });
    open.push(...childrenOf(schema, own).reverse());
  }
  return found;
}

function childrenOf(schema: LooseSchema, place: string): (readonly [schema: unknown, place: string])[] {
  const named = NAMED.flatMap((word) => {
    const schemas = schema[word];
    return isObject(schemas)
      ? Object.entries(schemas).map(([name, each]) => [each, pointer(place, word, name)] as const)
      : [];
  });
  const nested = NESTED.flatMap((word) => {
    const value = schema[word];
    if (!isObject(value) && !Array.isArray(value)) return [];
    return Array.isArray(value)
      ? (value as unknown[]).map((each, index) => [each, pointer(place, word, String(index))] as const)
      : [[value, pointer(place, word)] as const];
  });
  return [...named, ...nested];
}

/** A JSON pointer to a part of a value. @see https://www.rfc-editor.org/rfc/rfc6901 */
export function pointer(place: string, ...names: readonly string[]): string {
  // Added one to the other, which copies none of a long place.
  return names.reduce((path, name) => `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, place);
}
