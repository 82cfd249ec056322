/** Finds every `x-mcp-header` in a schema, also in wrong places, so that none is ignored silently. */
import type { JsonSchema } from '@sigil-mcp/schema';
import { isObject } from '@sigil-mcp/base';

/** The keyword that mirrors an argument into a header, written with `@McpHeader`. */
export const HEADER_KEYWORD = 'x-mcp-header';

/** One use of the keyword. */
export interface HeaderAnnotation {
  /** As it was written: any JSON value. */
  readonly name: unknown;
  /** The schema that it stands in. */
  readonly schema: JsonSchema;
  /** Keys from the root: `['properties', 'filter', 'items']`. */
  readonly keys: readonly string[];
  /** The argument, by the names of nested objects; undefined where something else than `properties` leads to it. */
  readonly path: readonly string[] | undefined;
}

/** Hold data, in which the keyword is no keyword. */
const dataKeywords: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples', HEADER_KEYWORD]);
/** Hold schemas by names of the author's choice. */
const namedSchemas: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  'dependencies',
  '$defs',
  'definitions',
]);

interface Position {
  readonly keys: readonly string[];
  readonly path: readonly string[] | undefined;
}

/** All uses of the keyword, in the order of the schema. The schema is within its bounds and does not contain itself. */
export function findHeaderAnnotations(schema: JsonSchema): HeaderAnnotation[] {
  return mentionsHeader(schema) ? findIn(schema, { keys: [], path: [] }) : [];
}

/** Hardly any schema has the keyword: a quick look before the search that keeps track of places. */
function mentionsHeader(part: object): boolean {
  // Every schema is looked at when a server starts: by its keys, because lists of its values would be garbage.
  for (const key in part) {
    const inner: unknown = part[key as keyof typeof part];
    if (key === HEADER_KEYWORD || (typeof inner === 'object' && inner !== null && mentionsHeader(inner))) return true;
  }
  return false;
}

function findIn(schema: JsonSchema, { keys, path }: Position): HeaderAnnotation[] {
  const here = HEADER_KEYWORD in schema ? [{ name: schema[HEADER_KEYWORD], schema, keys, path }] : [];
  const inside = Object.entries(schema).flatMap(([keyword, value]) => {
    if (dataKeywords.has(keyword) || typeof value !== 'object' || value === null) return [];
    const within = [...keys, keyword];
    if (isObject(value) && !namedSchemas.has(keyword)) return findIn(value, { keys: within, path: undefined });
    return Object.entries(value).flatMap(([name, inner]: [string, unknown]) => {
      const reached = keyword === 'properties' && path ? [...path, name] : undefined;
      return isObject(inner) ? findIn(inner, { keys: [...within, name], path: reached }) : [];
    });
  });
  return [...here, ...inside];
}
