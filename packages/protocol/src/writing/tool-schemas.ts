/**
 * A tool's schemas and output, for a revision that requires a JSON object at the root: any other output is sent as
 * `{ result: ... }`, and the listed schema declares that.
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/tools#output-schema
 */
import { isObject } from '@sigil-mcp/base';
import { asJsonObject, type JsonObject, type JsonValue } from '../jsonrpc/message';

/** Whether every value of this schema is an object by its root `type` alone, so that no revision wraps its values. */
export function isObjectRooted(schema: object): boolean {
  return asJsonObject(schema)['type'] === 'object';
}

/**
 * An output schema with an object root.
 * @param tool the tool's name, for the `$id` that keeps references into the schema pointing into it; unique among the
 *   tools, because a client may compile the schemas of all of them in one validator
 */
export function wrapOutputSchema(schema: JsonObject, tool: string): JsonObject {
  if (isObjectRooted(schema)) return schema;
  const { $schema, ...root } = schema;
  const named = root['$id'] === undefined && refersToItself(root);
  return {
    ...($schema !== undefined && { $schema }),
    type: 'object',
    properties: { result: named ? { $id: `urn:sigil:output:${encodeURIComponent(tool)}`, ...root } : root },
    required: ['result'],
  };
}

/** A schema whose root properties are written as objects: `true` as `{}`, `false` as `{ not: {} }`. */
export function writePropertySchemas(schema: JsonObject): JsonObject {
  const { properties } = schema;
  if (!isObject(properties)) return schema;
  const entries = Object.entries(properties);
  if (!entries.some(([, property]) => typeof property === 'boolean')) return schema;
  const objects = entries.map(([name, property]) => [name, asSchemaObject(property)] as const);
  return { ...schema, properties: Object.fromEntries(objects) };
}

function asSchemaObject(property: JsonValue | undefined): JsonValue | undefined {
  if (typeof property !== 'boolean') return property;
  return property ? {} : { not: {} };
}

function refersToItself(value: JsonValue | undefined): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(
    ([name, member]: [string, JsonValue | undefined]) =>
      ((name === '$ref' || name === '$dynamicRef') && typeof member === 'string' && member.startsWith('#')) ||
      refersToItself(member),
  );
}
