/** Which parts of a listed schema speak of a part of a value. */
import { isObject } from '@sigil-mcp/base';
import type { JsonSchema } from '../json-schema';
import { resolveReference } from '../local-reference';
import { hasTypeOf } from './wanted-by';

/**
 * The schemas that speak of the part of a value at a path; of alternatives those that the value may have meant.
 * @param keys names and positions from the whole value down to the part
 */
export function schemasAt(root: JsonSchema, keys: readonly (string | number)[], whole: unknown): readonly JsonSchema[] {
  let schemas = alternativesOf(root, root, whole);
  let value = whole;
  for (const key of keys) {
    value =
      isObject(value) || Array.isArray(value) ? (value as Readonly<Record<string | number, unknown>>)[key] : undefined;
    schemas = schemas.flatMap((schema) => stepInto(schema, key)).flatMap((part) => alternativesOf(part, root, value));
  }
  return schemas;
}

/** A schema without references and alternatives: its own keywords, and each alternative that the value may match. */
function alternativesOf(schema: JsonSchema, root: JsonSchema, value: unknown, depth = 0): readonly JsonSchema[] {
  const resolved = resolveReference(schema, root);
  const parts = [resolved['anyOf'], resolved['oneOf'], resolved['allOf']].flatMap((part) =>
    Array.isArray(part) ? (part as unknown[]) : [],
  );
  // A schema that refers to itself without an object in between has no meaning.
  if (parts.length === 0 || depth > 10) return [resolved];
  const all = parts.filter(isObject).flatMap((part) => alternativesOf(part, root, value, depth + 1));
  const meant = all.filter((part) => hasTypeOf(part, value) && hasTagsOf(part, value));
  return meant.length > 0 ? meant : all;
}

/** Whether an object has what a schema demands of its constant members. */
function hasTagsOf({ properties }: JsonSchema, value: unknown): boolean {
  if (!isObject(properties) || !isObject(value)) return true;
  return Object.entries(properties).every(
    ([name, property]) => !isObject(property) || !('const' in property) || value[name] === property['const'],
  );
}

function stepInto(
  { properties, items, prefixItems, additionalProperties }: JsonSchema,
  key: string | number,
): readonly JsonSchema[] {
  const named = isObject(properties) && Object.hasOwn(properties, key) ? properties[key] : additionalProperties;
  const placed =
    Array.isArray(prefixItems) && typeof key === 'number' ? ((prefixItems as unknown[])[key] ?? items) : items;
  const found = typeof key === 'number' ? placed : named;
  return isObject(found) ? [found] : [];
}
