/**
 * A schema of another library in place of a class: it writes its own listing and validates values. Its output is the handler's input, or
 * the result that is sent.
 */
import { andThen, isPromise, type MaybePromise, type ReportProblem } from '@sigil-mcp/base';
import { hasAtMost, isDeeperThan } from '../nesting';
import type { InputShape, OutputShape, Reading } from '../compiled-shape';
import type { JsonSchema } from '../json-schema';
import { rawProblems } from '../raw/raw-problems';
import { largestThorough } from '../schema-bounds';
import { deepestLevel } from '../read/traversal';
import type { StandardIssue, StandardResult, StandardSchema } from '../standard-schema';
import { readData } from '../write/read-data';
import { issueFailures, sampleFailures } from './issue-failures';
import { validationOnce } from './own-functions';
import { Sample } from './sample';
import { writeStandard } from './write-standard';

/** Converts the library's answer about a value. */
type Judge = (result: StandardResult<unknown>, value: unknown) => Reading<unknown>;

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
    report({ where, ...rawProblems.rootIsNoObject() });
    return undefined;
  }
  const judge: Judge = (result, value) =>
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
  const judge: Judge = (result, value) =>
    result.issues ? { ok: false, failures: issueFailures(result.issues, value, schema) } : readData(result.value);
  const ask = compileAsk(source, schema);
  return { schema, write: (value) => andThen(ask(value), (result) => judge(result, value)) };
}

/** Asks the library about a value; a promise only where it answers with one. */
type Ask = (value: unknown) => MaybePromise<StandardResult<unknown>>;

function compileAsk(source: StandardSchema, schema: JsonSchema): Ask {
  const standard = source['~standard'];
  const ask = validationOnce(source) ?? ((value: unknown) => standard.validate(value));
  // A library that comes to the end of the stack may end the process: zod leaves promises behind that are never awaited.
  return refersToItself(schema) ? (value) => (isDeeperThan(deepestLevel, value) ? TOO_DEEP : ask(value)) : ask;
}

/** Validates a sample of a large value first: failures of the sample are failures of the whole, which is then not validated. */
function askSampleFirst(ask: Ask, schema: JsonSchema, judge: Judge): InputShape['read'] {
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
function issuesOf(ask: Ask, value: unknown): MaybePromise<readonly StandardIssue[]> {
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
