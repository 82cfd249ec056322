/** References within a JSON Schema: `{ $ref: '#/$defs/City' }`. */
import { isObject } from '@sigil-mcp/base';
import type { JsonSchema } from './value-plan';

/** The longest chain of references; one that leads back to itself ends here. */
const longestChain = 20;

/** The target of a schema's reference, with its own keywords added; the schema itself if it refers to nothing within the root. */
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
