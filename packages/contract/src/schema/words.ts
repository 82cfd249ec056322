/** Keywords of JSON Schema that are read in a way of their own: words, which say nothing about values, and those that belong together. */
import { isObject } from '@sigil-mcp/base';

const WORDS = new Set([
  ...['$schema', '$id', '$anchor', '$comment', '$defs', 'definitions', 'title', 'description', 'default', 'examples'],
  ...['deprecated', 'readOnly', 'writeOnly', 'contentEncoding', 'contentMediaType', 'contentSchema', 'enumNames'],
]);

/** Keywords that mean something only together with the first of them. */
export const TOGETHER: readonly (readonly [string, ...string[]])[] = [
  ['contains', 'minContains', 'maxContains'],
  ['if', 'then', 'else'],
];

/** The types whose values some keywords are about that are compared by their text. */
export const TYPES: ReadonlyMap<string, 'array' | 'object'> = new Map([
  ['contains', 'array'],
  ['dependencies', 'object'],
  ['dependentRequired', 'object'],
  ['dependentSchemas', 'object'],
  ['propertyNames', 'object'],
]);

/** Keywords whose members are schemas, by names of the author. */
const NAMED = new Set(['properties', 'patternProperties', 'dependentSchemas', 'dependencies', '$defs', 'definitions']);
/** Keywords whose values are no schemas. */
const VALUES = new Set(['const', 'enum', 'required', 'dependentRequired']);

/** Whether a keyword says nothing about values. */
export function isWord(keyword: string): boolean {
  return WORDS.has(keyword) || keyword.startsWith('x-');
}

/** A schema without words, in all of its parts; definitions stay. */
export function withoutWords(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutWords);
  if (!isObject(schema)) return schema;
  const kept = Object.entries(schema).filter(([keyword]) => !isWord(keyword) || NAMED.has(keyword));
  return Object.fromEntries(kept.map(([keyword, value]) => [keyword, partOf(keyword, value)]));
}

function partOf(keyword: string, value: unknown): unknown {
  if (VALUES.has(keyword)) return value;
  if (!NAMED.has(keyword) || !isObject(value)) return withoutWords(value);
  return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, withoutWords(schema)]));
}
