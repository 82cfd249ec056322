/**
 * A schema of another library in place of a class: listed as it writes itself, validated by itself. What it makes of a value is
 * what the handler is given, or what is sent.
 */
import type { ReportProblem } from '../../errors/definition-error';
import { isPromise } from '../../values/maybe-promise';
import { isDeeperThan } from '../../values/nesting';
import type { InputShape, OutputShape, Reading } from '../compiled-shape';
import type { JsonSchema } from '../json-schema';
import { rawProblems } from '../raw/raw-problems';
import { deepestLevel } from '../read/traversal';
import type { StandardResult, StandardSchema } from '../standard-schema';
import { readData } from '../write/read-data';
import { issueFailures } from './issue-failures';
import { validationOnce } from './own-functions';
import { writeStandard } from './write-standard';

/** What becomes of the library's answer about a value. */
type Judge = (result: StandardResult<unknown>, value: unknown) => Reading<unknown>;

const TOO_DEEP: Reading<unknown> = { ok: false, failures: [{ path: '', message: 'is nested too deeply' }] };

/** Compiles the schema of a handler's arguments, whose root must be an object; undefined if a problem was reported. */
export function compileStandardInput(
  source: StandardSchema,
  report: ReportProblem,
  where: string,
): InputShape | undefined {
  const schema = writeStandard(source, 'input', report, where);
  if (!schema) return undefined;
  if (schema['type'] !== 'object') {
    report({ where, ...rawProblems.rootIsNoObject() });
    return undefined;
  }
  const judge: Judge = (result, value) =>
    result.issues
      ? { ok: false, failures: issueFailures(result.issues, value, schema) }
      : { ok: true, value: result.value };
  return { schema, read: compileAsk(source, schema, judge) };
}

/** Compiles the schema of what a handler returns, of any type; undefined if a problem was reported. */
export function compileStandardOutput(
  source: StandardSchema,
  report: ReportProblem,
  where: string,
): OutputShape | undefined {
  const schema = writeStandard(source, 'output', report, where);
  if (!schema) return undefined;
  const judge: Judge = (result, value) =>
    result.issues ? { ok: false, failures: issueFailures(result.issues, value, schema) } : readData(result.value);
  return { schema, write: compileAsk(source, schema, judge) };
}

/** Asks the library about a value; a promise only where it answers with one. */
function compileAsk(
  source: StandardSchema,
  schema: JsonSchema,
  judge: Judge,
): (value: unknown) => Reading<unknown> | Promise<Reading<unknown>> {
  const standard = source['~standard'];
  const validateOnce = validationOnce(source);
  const ask = (value: unknown): Reading<unknown> | Promise<Reading<unknown>> => {
    const result = validateOnce ? validateOnce(value) : standard.validate(value);
    return isPromise(result) ? result.then((later) => judge(later, value)) : judge(result, value);
  };
  // A library that comes to the end of the stack may end the process: zod leaves promises behind that nobody awaits.
  return refersToItself(schema) ? (value) => (isDeeperThan(deepestLevel, value) ? TOO_DEEP : ask(value)) : ask;
}

/** Only by a reference can a schema go deeper than it is long. */
function refersToItself(schema: JsonSchema): boolean {
  return JSON.stringify(schema).includes('"$ref":');
}
