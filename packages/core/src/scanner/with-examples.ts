/** The examples of an entry: checked as its arguments are, and put where clients see them. Loaded for entries that have facts. */
import { describeFailures, isObject, isPromise, nameValue, type JsonObject, type ReportProblem } from '@sigil-mcp/base';
import type { InputShape } from '@sigil-mcp/schema';
import { EXAMPLES, type EntryExample } from '../decorators/example';
import { problem } from '../errors/catalogue';
import type { EntryPlan } from '../kinds/all-kinds';

/** The key of `_meta` under which clients see the examples with their sentences. */
const META_KEY = 'dev.sigil/examples';

/**
 * The plan with its examples.
 * @returns the same plan without examples; undefined if there is a problem with them, which has been reported
 */
export function withExamples<P extends EntryPlan>(plan: P, where: string, report: ReportProblem): P | undefined {
  const given = EXAMPLES.allOf(plan);
  if (given.length === 0) return plan;
  const { input } = plan;
  if (!input) {
    report(problem('SIGIL_EXAMPLE_TARGET', where));
    return undefined;
  }
  const examples = given.flatMap((value, index) => readExample(value, `example ${index + 1}`, where, report) ?? []);
  const fitting = examples.filter((example, index) => fits(example, index, input, { where, report }));
  if (fitting.length < given.length) return undefined;
  const schema = { ...input.schema, examples: [...fitting.map(({ args }) => args), ...knownIn(input.schema)] };
  const _meta = { [META_KEY]: fitting, ...plan.definition._meta };
  const inputSchema = 'inputSchema' in plan.definition && { inputSchema: schema };
  // The definition is of the same kind. A shape belongs to all entries with its class, and examples to one.
  const definition = { ...plan.definition, ...inputSchema, _meta };
  return { ...plan, definition, input: shapeOf(input, schema) };
}

function shapeOf(input: InputShape, schema: InputShape['schema']): InputShape {
  const { stricter, sensitive, vague } = input;
  return {
    schema,
    ...(stricter && { stricter }),
    ...(sensitive && { sensitive }),
    ...(vague && { vague }),
    read: (value) => input.read(value),
  };
}

function knownIn({ examples }: InputShape['schema']): readonly unknown[] {
  return Array.isArray(examples) ? examples : [];
}

/** The example as JSON, which is what clients see. JavaScript, or a cast, may pass any value. */
function readExample(value: unknown, example: string, where: string, report: ReportProblem): EntryExample | undefined {
  const { args, says, ...others } = isObject(value) ? value : ({} as Readonly<Record<string, unknown>>);
  const [odd] = Object.keys(others);
  const reason = !isObject(value)
    ? `is ${nameValue(value)}`
    : odd !== undefined
      ? `has the unknown member ${odd}`
      : !isObject(args) || Array.isArray(args)
        ? `has args that are ${nameValue(args)}`
        : typeof says !== 'string' || says.trim() === ''
          ? 'says nothing'
          : undefined;
  if (reason === undefined) return { args: JSON.parse(JSON.stringify(args)) as JsonObject, says: says as string };
  report(problem('SIGIL_EXAMPLE', where, { example, reason }));
  return undefined;
}

function fits(
  { args }: EntryExample,
  index: number,
  input: InputShape,
  { where, report }: { readonly where: string; readonly report: ReportProblem },
): boolean {
  // A copy, because a validator may change what it is given.
  const reading = input.read(structuredClone(args));
  if (isPromise(reading)) {
    reading.catch(() => undefined);
    return true;
  }
  if (reading.ok) return true;
  const values = { example: `example ${index + 1}`, failures: describeFailures(reading.failures) };
  report(problem('SIGIL_EXAMPLE_ARGUMENTS', where, values));
  return false;
}
