/**
 * A JSON Schema of draft-07 or 2019-09 -> the same with the keywords of 2020-12, which is what the protocol assumes, and the only dialect
 * that some hosts and APIs of models take.
 *
 * @see https://json-schema.org/draft/2020-12/release-notes
 */
import { isObject } from '@sigil-mcp/base';
import type { JsonSchema } from '../value-plan';

/** Keywords with schemas by names. */
const BY_NAME = ['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions'];
/** Keywords with one schema, or a list of them. */
const LISTED = [
  ...['items', 'additionalProperties', 'propertyNames', 'contains', 'unevaluatedProperties', 'contentSchema'],
  ...['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else'],
];
/** A name that `$anchor` may have. */
const ANCHOR = /^#([A-Z_][-A-Z\d._]*)$/i;
/** What has no counterpart, or one that readers of older dialects would take for something narrower. */
const OTHERWISE = [
  /"(?:\$recursiveRef|\$recursiveAnchor|unevaluatedItems)":|"additionalItems":\{(?!\})/,
  // References to places that have another name now.
  /"\$ref":"[^"]*(?:%|\/(?:items\/\d|additionalItems|dependencies)[/"])/,
  /"\$id":"(?:[^"#]+#[^"]|#(?![/"]|[A-Z_][-A-Z\d._]*"))/i,
  /"dependencies":.*"dependent|"dependent.*"dependencies":/s,
];
/** Words that draft-07 does not know, and 2020-12 does. */
const UNKNOWN_BEFORE =
  /"(?:unevaluatedProperties|dependent(?:Required|Schemas)|(?:min|max)Contains|prefixItems|\$dynamicRef|\$dynamicAnchor|\$anchor)":/;

/** @returns the schema itself where it is in the newest dialect, or says what that dialect cannot say in the same way */
export function inNewestDialect(schema: JsonSchema): JsonSchema {
  const { $schema } = schema;
  if (typeof $schema !== 'string' || $schema.includes('2020-12')) return schema;
  const text = JSON.stringify(schema);
  const isOther =
    OTHERWISE.some((words) => words.test(text)) || ($schema.includes('draft-07') && UNKNOWN_BEFORE.test(text));
  return isOther ? schema : rewritten(schema);
}

function rewritten(schema: JsonSchema): JsonSchema {
  const { items, additionalItems, maxItems } = schema;
  // A list that may have no more items is bounded in words that readers of older dialects know, too.
  const isClosed = Array.isArray(items) && additionalItems === false;
  const most = isClosed ? Math.min(items.length, typeof maxItems === 'number' ? maxItems : Infinity) : undefined;
  const words = Object.entries(schema).flatMap(([word, value]): [string, unknown][] => {
    if (word === 'items' && Array.isArray(value)) return [['prefixItems', (value as unknown[]).map(partOf)]];
    if (word === 'dependencies') return dependenciesOf(value);
    if (word === '$id' && typeof value === 'string' && value.startsWith('#')) return anchorOf(value);
    const isGone = word === '$schema' || word === 'additionalItems' || (isClosed && word === 'maxItems');
    return isGone ? [] : [[word, partsOf(word, value)]];
  });
  return Object.fromEntries(most === undefined ? words : [...words, ['maxItems', most]]);
}

function partsOf(word: string, value: unknown): unknown {
  if (BY_NAME.includes(word) && isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, partOf(part)]));
  if (!LISTED.includes(word)) return value;
  return Array.isArray(value) ? (value as unknown[]).map(partOf) : partOf(value);
}

function partOf(part: unknown): unknown {
  return isObject(part) ? rewritten(part) : part;
}

/** A pointer says where a schema stands already. */
function anchorOf(fragment: string): [string, unknown][] {
  const [, name] = ANCHOR.exec(fragment) ?? [];
  return name === undefined ? [] : [['$anchor', name]];
}

/** Names that others need, and schemas that others ask for, have a keyword each. */
function dependenciesOf(value: unknown): [string, unknown][] {
  if (!isObject(value)) return [];
  const all = Object.entries(value);
  const names = all.filter(([, needed]) => Array.isArray(needed));
  const schemas = all
    .filter(([, needed]) => !Array.isArray(needed))
    .map(([name, part]) => [name, partOf(part)] as const);
  const both: [string, unknown][] = [];
  if (names.length > 0) both.push(['dependentRequired', Object.fromEntries(names)]);
  if (schemas.length > 0) both.push(['dependentSchemas', Object.fromEntries(schemas)]);
  return both;
}
