/** References within a JSON Schema: `{ $ref: '#/$defs/City' }`. */
import { isObject } from '../values/plain-object';
import type { JsonSchema } from './json-schema';

/** As many references in a row as anybody needs; one that leads back to itself ends here. */
const longestChain = 20;

/** What a schema stands for: what it refers to, with its own keywords laid over it; itself, where it refers to nothing within the root. */
export function resolveReference(schema: JsonSchema, root: JsonSchema): JsonSchema {
  let resolved = schema;
  for (let count = 0; count < longestChain && typeof resolved['$ref'] === 'string'; count += 1) {
    const { $ref, ...own } = resolved;
    const found = followReference(String($ref), root);
    if (!found) return resolved;
    resolved = { ...found, ...own };
  }
  return resolved;
}

/** The very part of a schema that a reference names; undefined for one that leads out of the schema, or to nothing. */
export function followReference(reference: string, root: JsonSchema): JsonSchema | undefined {
  if (!reference.startsWith('#')) return undefined;
  let at: unknown = root;
  for (const step of reference.split('/').slice(1)) {
    const name = decode(step);
    at =
      (isObject(at) || Array.isArray(at)) && Object.hasOwn(at, name)
        ? (at as Record<string, unknown>)[name]
        : undefined;
  }
  return isObject(at) ? at : undefined;
}

function decode(step: string): string {
  const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
