/** The patterns of a raw JSON Schema, for texts and for the names of properties. */
import { isObject, shorten, type ErrorWords } from '@sigil-mcp/base';
import { schemaWords } from '../errors/errors';
import { runsAway } from '../patterns/runs-away';

/** Keywords that hold data: a member of theirs that is called `pattern` is not a pattern. */
const DATA: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples']);

/** What is wrong with the first pattern of a schema that takes exponential time; undefined if there are no such patterns. */
export function runawayWords(schema: unknown): ErrorWords | undefined {
  const found = findRunawayPattern(schema);
  const pattern = found === undefined ? '' : shorten(JSON.stringify(found), 200);
  return found === undefined ? undefined : schemaWords('SIGIL_SCHEMA_RUNAWAY_PATTERN', { pattern });
}

/** The first pattern of a schema that takes exponential time, unless it is marked as trusted; undefined if there are no such patterns. */
function findRunawayPattern(schema: unknown): string | undefined {
  if (Array.isArray(schema)) return firstOf(schema);
  if (!isObject(schema)) return undefined;
  const named = isObject(schema['patternProperties']) ? Object.keys(schema['patternProperties']) : [];
  const own = typeof schema['pattern'] === 'string' ? [schema['pattern']] : [];
  const found = schema['x-trusted-pattern'] === true ? undefined : [...own, ...named].find(takesTooLong);
  return found ?? firstOf(Object.keys(schema).flatMap((keyword) => (DATA.has(keyword) ? [] : [schema[keyword]])));
}

function firstOf(parts: readonly unknown[]): string | undefined {
  for (const part of parts) {
    const found = findRunawayPattern(part);
    if (found !== undefined) return found;
  }
  return undefined;
}

function takesTooLong(pattern: string): boolean {
  try {
    // As ajv reads it.
    return runsAway(new RegExp(pattern, 'u'));
  } catch {
    return false; // ajv reports the problem
  }
}
