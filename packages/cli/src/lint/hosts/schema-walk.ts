/** Every schema within a schema, with its place: names of properties are no keywords. */
import { isObject } from '@sigil-mcp/base';
import type { LooseSchema } from '../../arguments/json-schema';

/** A schema, and the way to it. */
export interface PlacedSchema {
  readonly schema: LooseSchema;
  /** Such as `filter.tags[]`; empty for the root. */
  readonly place: string;
  /** The names of its properties. */
  readonly names: readonly string[];
}

/** Keywords with schemas by names, which are part of the place, or not. */
const NAMED: Readonly<Record<string, boolean>> = {
  properties: true,
  patternProperties: false,
  $defs: false,
  definitions: false,
  dependentSchemas: false,
};
/** Keywords with a schema, or a list of them, and what they add to the place. */
const NESTED: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['anyOf', 'oneOf', 'allOf', 'not', 'if', 'then', 'else', 'contentSchema'].map((word) => [word, '']),
  ),
  ...Object.fromEntries(
    ['items', 'prefixItems', 'additionalItems', 'contains', 'unevaluatedItems'].map((word) => [word, '[]']),
  ),
  ...Object.fromEntries(['additionalProperties', 'unevaluatedProperties', 'propertyNames'].map((word) => [word, '.*'])),
};
/** Deeper ones are not looked at: any server may have written it. */
const DEEPEST = 40;

/** All schemas, the root first. */
export function schemasIn(root: unknown): readonly PlacedSchema[] {
  return walk(root, '', 0);
}

function walk(value: unknown, place: string, depth: number): readonly PlacedSchema[] {
  if (!isObject(value) || depth > DEEPEST) return [];
  const { properties } = value;
  const own: PlacedSchema = { schema: value, place, names: isObject(properties) ? Object.keys(properties) : [] };
  const named = Object.entries(NAMED).flatMap(([word, isPart]) => {
    const schemas = value[word];
    if (!isObject(schemas)) return [];
    return Object.entries(schemas).flatMap(([name, schema]) =>
      walk(schema, isPart ? `${place}${place === '' ? '' : '.'}${name}` : place, depth + 1),
    );
  });
  const nested = Object.entries(NESTED).flatMap(([word, added]) => {
    const schemas: unknown = value[word];
    const list = Array.isArray(schemas) ? (schemas as unknown[]) : [schemas];
    return list.flatMap((schema) => walk(schema, `${place}${added}`, depth + 1));
  });
  return [own, ...named, ...nested];
}
