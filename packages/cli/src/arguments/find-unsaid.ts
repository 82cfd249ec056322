/** The parts of a schema that are unspecified, so that a model has to guess what to send. */
import type { SchemaView } from './json-schema';
import { isObject, nearestNames } from '@sigil-mcp/base';

const EVERY_TYPE = ['string', 'number', 'boolean', 'object', 'array'];
/** The depth to which nested alternatives are examined; circular references have no end. */
const DEEPEST = 3;

/** Whether a schema accepts values of every type. */
export function isAnything(view: SchemaView, depth = 0): boolean {
  const { types, choices, alternatives, properties } = view;
  if (choices !== undefined || properties.size > 0) return false;
  if (alternatives.length > 0) return depth < DEEPEST && alternatives.some((one) => isAnything(one, depth + 1));
  return types.length === 0 || EVERY_TYPE.every((type) => types.includes(type));
}

/** The unspecified part of a schema, for users: `of any type`; undefined if the schema specifies everything. */
export function findUnsaid(view: SchemaView): string | undefined {
  if (isAnything(view)) return 'of any type';
  if (view.types.includes('array') && isAnything(view.items)) return 'with items of any type';
  return view.types.includes('object') && isBare(view) ? 'with any properties' : undefined;
}

function isBare(view: SchemaView): boolean {
  const { additionalProperties: more, patternProperties } = view.resolved.schema;
  const saysMore = more === false || (isObject(more) && Object.keys(more).length > 0) || isObject(patternProperties);
  return view.properties.size === 0 && view.alternatives.length === 0 && !saysMore;
}

/** A sentence with the nearest names, or with all names if none is near. */
export function suggest(word: string, names: readonly string[]): string {
  const near = nearestNames(word, names);
  if (near.length > 0) return `Did you mean ${near.join(' or ')}?`;
  return names.length === 0 ? 'None are available.' : `Available: ${names.join(', ')}.`;
}
