/** Keywords of JSON Schema that are read in a way of their own: words, which say nothing about values, and those that belong together. */
import { isObject } from '@sigil-mcp/base';

const WORDS = new Set([
  ...['$schema', '$id', '$anchor', '$comment', '$defs', 'definitions', 'title', 'description', 'default', 'examples'],
  ...['deprecated', 'readOnly', 'writeOnly', 'contentEncoding', 'contentMediaType', 'contentSchema', 'enumNames'],
]);

/** Keywords that mean something only together with the first of them. What is unevaluated depends on the whole schema. */
export const TOGETHER: readonly (readonly [string, ...string[]])[] = [
  ['contains', 'minContains', 'maxContains'],
  ['if', 'then', 'else'],
  ['unevaluatedProperties'],
  ['unevaluatedItems'],
];

/** Keywords whose members are schemas, by names of the author. */
const NAMED = new Set(['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions']);
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
