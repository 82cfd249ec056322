/** A schema of another library -> the JSON Schema that it writes of itself. */
import { isObject, type ErrorWords, type ReportProblem } from '@sigil-mcp/base';
import type { JsonSchema } from '../json-schema';
import { resolveReference } from '../local-reference';
import { inNewestDialect } from '../raw/newest-dialect';
import { rawProblems } from '../raw/raw-problems';
import { findRunawayPattern } from '../raw/runaway-pattern';
import { exceedsBounds } from '../schema-bounds';
import type { StandardSchema, StandardTarget } from '../standard-schema';
import { standardProblems } from './standard-problems';

/** The newest dialect first: it is the one that clients take a schema for which names none. */
const targets: readonly StandardTarget['target'][] = ['draft-2020-12', 'draft-07'];

/**
 * Lets a library write a schema.
 * @param side what is validated, or what comes out
 * @returns undefined if a problem was reported
 */
export function writeStandard(
  source: StandardSchema,
  side: 'input' | 'output',
  report: ReportProblem,
  where: string,
): JsonSchema | undefined {
  const problem = missing(source);
  if (problem) {
    report({ where, ...problem });
    return undefined;
  }
  const written = write(source, side);
  if ('schema' in written) return written.schema;
  report({ where, ...written });
  return undefined;
}

/** What an old library, or JavaScript, left out of what the type promises. */
function missing({ '~standard': standard }: StandardSchema): ErrorWords | undefined {
  const { vendor, validate, jsonSchema } = standard as Readonly<Record<string, unknown>>;
  if (!isObject(jsonSchema) || typeof jsonSchema['input'] !== 'function') return standardProblems.cannotWrite(vendor);
  return typeof validate === 'function' ? undefined : standardProblems.cannotValidate(vendor);
}

function write(source: StandardSchema, side: 'input' | 'output'): { readonly schema: JsonSchema } | ErrorWords {
  const { vendor, jsonSchema } = source['~standard'];
  let reason: unknown;
  for (const target of targets) {
    try {
      return checked(jsonSchema[side]({ target }));
    } catch (error) {
      // The newest dialect is the one whose refusal says most.
      reason ??= error;
    }
  }
  return standardProblems.unwritable(vendor, reason);
}

function checked(schema: unknown): { readonly schema: JsonSchema } | ErrorWords {
  if (!isObject(schema)) return rawProblems.noSchema();
  if (exceedsBounds(schema)) return rawProblems.tooLarge();
  const pattern = findRunawayPattern(schema);
  return pattern === undefined ? { schema: withType(inNewestDialect(schema)) } : rawProblems.runaway(pattern);
}

/** A schema with a name of its own (zod's `.meta({ id })`) is written as a reference, which hides from clients that it is an object. */
function withType(schema: JsonSchema): JsonSchema {
  const { type } = resolveReference(schema, schema);
  return schema['type'] === undefined && type === 'object' ? { type, ...schema } : schema;
}
