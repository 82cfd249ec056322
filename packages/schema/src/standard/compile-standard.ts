/**
 * A schema of another library in place of a class: it writes its own listing and validates values. Its output is the handler's input, or
 * the result that is sent.
 */
import {
  andThen,
  isPromise,
  type MaybePromise,
  type ReportProblem,
  isObject,
  type ErrorWords,
  nameValue,
  shorten,
} from '@sigil-mcp/base';
import type { InputShape, JsonSchema, OutputShape, Reading } from '../value-plan';
import { largestThorough, exceedsBounds, hasAtMost, isDeeperThan } from '../schema-bounds';
import { deepestLevel } from '../read/compile-value';
import type { StandardIssue, StandardResult, StandardSchema, StandardTarget } from '../standard-schema';
import { readData } from '../write/write-object';
import { issueFailures, sampleFailures, Sample } from './issue-failures';
import { resolveReference } from '../local-reference';
import { inNewestDialect } from '../raw/newest-dialect';
import { runawayWords } from '../raw/runaway-pattern';
import { schemaWords } from '../errors/errors';

/** What makes a library write JSON Schema, by the name that it gives itself. */
const REMEDIES: ReadonlyMap<string, string> = new Map([
  ['zod', 'zod 4.2 or newer (npm install zod@4)'],
  ['arktype', 'arktype 2.1.28 or newer (npm install arktype@2)'],
  ['valibot', 'toStandardJsonSchema(schema) of @valibot/to-json-schema 1.5 or newer, around the schema'],
]);

/** The method that zod's schemas have in addition to the standard. */
interface AsynchronousSchema {
  safeParseAsync(value: unknown): Promise<Parsed>;
}

type Parsed =
  | { readonly success: true; readonly data: unknown }
  | { readonly success: false; readonly error: { readonly issues: readonly StandardIssue[] } };

interface Insides {
  /** The definition of a schema or a check; undefined for a part that only contains others. */
  readonly def?: Readonly<Record<string, unknown>>;
  readonly parts: readonly unknown[];
}

/** The newest dialect first: it is the one that clients take a schema for which names none. */
const targets: readonly StandardTarget['target'][] = ['draft-2020-12', 'draft-07'];

/** Converts the library's answer about a value. */
type ResultReader = (result: StandardResult<unknown>, value: unknown) => Reading<unknown>;

const TOO_DEEP: StandardResult<unknown> = { issues: [{ message: 'is nested too deeply' }] };

/** Compiles the schema of a handler's arguments, whose root must be an object; undefined if a problem was reported. */
export function compileStandardInput(
  source: StandardSchema,
  report: ReportProblem,
  where: string,
): InputShape | undefined {
  const schema = writeStandard(source, 'input', report, where);
  if (!schema) return undefined;
  if (schema['type'] !== 'object') {
    report({ where, ...schemaWords('SIGIL_SCHEMA_ROOT') });
    return undefined;
  }
  const judge: ResultReader = (result, value) =>
    result.issues
      ? { ok: false, failures: issueFailures(result.issues, value, schema) }
      : { ok: true, value: result.value };
  return { schema, read: askSampleFirst(compileAsk(source, schema), schema, judge) };
}

/** Compiles the schema of what a handler returns, of any type; undefined if a problem was reported. */
export function compileStandardOutput(
  source: StandardSchema,
  report: ReportProblem,
  where: string,
): OutputShape | undefined {
  const schema = writeStandard(source, 'output', report, where);
  if (!schema) return undefined;
  const judge: ResultReader = (result, value) =>
    result.issues ? { ok: false, failures: issueFailures(result.issues, value, schema) } : readData(result.value);
  const ask = compileAsk(source, schema);
  return { schema, write: (value) => andThen(ask(value), (result) => judge(result, value)) };
}

/** Asks the library about a value; a promise only where it answers with one. */
type StandardCheck = (value: unknown) => MaybePromise<StandardResult<unknown>>;

function compileAsk(source: StandardSchema, schema: JsonSchema): StandardCheck {
  const standard = source['~standard'];
  const ask = validationOnce(source) ?? ((value: unknown) => standard.validate(value));
  // A library that comes to the end of the stack may end the process: zod leaves promises behind that are never awaited.
  return refersToItself(schema) ? (value) => (isDeeperThan(deepestLevel, value) ? TOO_DEEP : ask(value)) : ask;
}

/** Validates a sample of a large value first: failures of the sample are failures of the whole, which is then not validated. */
function askSampleFirst(ask: StandardCheck, schema: JsonSchema, judge: ResultReader): InputShape['read'] {
  const askWhole = (value: unknown): MaybePromise<Reading<unknown>> =>
    andThen(ask(value), (result) => judge(result, value));
  return (value) => {
    if (hasAtMost(largestThorough, value)) return askWhole(value);
    const sample = new Sample(value);
    return andThen(issuesOf(ask, sample.value), (issues) => {
      const failures = sampleFailures(issues, sample, { whole: value, schema });
      return failures.length > 0 ? { ok: false, failures } : askWhole(value);
    });
  };
}

/** None where a function of the author's throws: it may need the whole. */
function issuesOf(ask: StandardCheck, value: unknown): MaybePromise<readonly StandardIssue[]> {
  const issues = ({ issues = [] }: StandardResult<unknown>): readonly StandardIssue[] => issues;
  const none = (): readonly StandardIssue[] => [];
  try {
    const result = ask(value);
    return isPromise(result) ? result.then(issues, none) : issues(result);
  } catch {
    return none();
  }
}

/** Only by a reference can a schema go deeper than it is long. */
function refersToItself(schema: JsonSchema): boolean {
  return JSON.stringify(schema).includes('"$ref":');
}

/**
 * Lets a library write a schema.
 * @param side what is validated, or what comes out
 * @returns undefined if a problem was reported
 */
function writeStandard(
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
  if (!isObject(jsonSchema) || typeof jsonSchema['input'] !== 'function') return cannotWrite(vendor);
  return typeof validate === 'function'
    ? undefined
    : schemaWords('SIGIL_SCHEMA_NO_VALIDATION', { vendor: nameOf(vendor) });
}

function cannotWrite(vendor: unknown): ErrorWords {
  const name = nameOf(vendor);
  const standard = `a version of ${name} that implements Standard JSON Schema (https://standardschema.dev/json-schema)`;
  const remedy = REMEDIES.get(name) ?? `${standard}, or the JSON Schema by itself`;
  return schemaWords('SIGIL_SCHEMA_LIBRARY', { vendor: name, remedy });
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
  const said = reason instanceof Error ? reason.message : String(reason);
  return schemaWords('SIGIL_SCHEMA_UNWRITABLE', {
    vendor: nameOf(vendor),
    reason: shorten(said.replace(/\.$/, ''), 300),
  });
}

function checked(schema: unknown): { readonly schema: JsonSchema } | ErrorWords {
  if (!isObject(schema)) return schemaWords('SIGIL_SCHEMA_NOT_AN_OBJECT');
  if (exceedsBounds(schema)) return schemaWords('SIGIL_SCHEMA_TOO_LARGE', { schema: 'JSON Schema' });
  return runawayWords(schema) ?? { schema: withType(inNewestDialect(schema)) };
}

/** A schema with a name of its own (zod's `.meta({ id })`) is written as a reference, which hides from clients that it is an object. */
function withType(schema: JsonSchema): JsonSchema {
  const { type } = resolveReference(schema, schema);
  return schema['type'] === undefined && type === 'object' ? { type, ...schema } : schema;
}

/**
 * Validates with `safeParseAsync`; undefined for a schema that `~standard` validates only once, which is nearly every one.
 *
 * Whether a schema of zod contains functions of its author. Through `~standard`, zod first validates synchronously and then again with
 * promises: an asynchronous function is called twice, and its first rejection is unhandled. Such a schema is validated with
 * `safeParseAsync`, which calls each function once.
 * @see https://zod.dev/library-authors
 */
function validationOnce(source: StandardSchema): ((value: unknown) => Promise<StandardResult<unknown>>) | undefined {
  if (source['~standard'].vendor !== 'zod' || !isAsynchronous(source) || !hasOwnFunctions(source)) return undefined;
  return async (value) => resultOf(await source.safeParseAsync(value));
}

function resultOf(parsed: Parsed): StandardResult<unknown> {
  return parsed.success ? { value: parsed.data } : { issues: parsed.error.issues };
}

function isAsynchronous<T extends object>(source: T): source is T & AsynchronousSchema {
  return 'safeParseAsync' in source && typeof source.safeParseAsync === 'function';
}

/** Searches all parts of a schema, each once: a part may refer to itself. */
function hasOwnFunctions(source: unknown): boolean {
  const seen = new Set<unknown>();
  const waiting: unknown[] = [source];
  while (waiting.length > 0) {
    const part = waiting.pop();
    if (typeof part !== 'object' || part === null || seen.has(part)) continue;
    seen.add(part);
    const { def, parts } = insides(part);
    if (def && isOwnFunction(def)) return true;
    waiting.push(...parts);
  }
  return false;
}

function insides(part: object): Insides {
  const zod: unknown = '_zod' in part ? part._zod : undefined;
  if (!isObject(zod)) return { parts: Object.values(part) };
  if (!isObject(zod['def'])) return { parts: [] };
  const { def } = zod;
  // A default is not a part of the schema, and a function may make it.
  const names = Object.keys(def).filter((name) => name !== 'defaultValue');
  const lazy = def['type'] === 'lazy' ? [zod['innerType']] : [];
  return { def, parts: [...names.map((name) => def[name]), ...lazy] };
}

/** A refinement, a `check`, a transformation or a codec. */
function isOwnFunction({ type, check, transform }: Readonly<Record<string, unknown>>): boolean {
  return check === 'custom' || type === 'custom' || type === 'transform' || typeof transform === 'function';
}

function nameOf(vendor: unknown): string {
  return typeof vendor === 'string' ? shorten(vendor, 60) : nameValue(vendor);
}
