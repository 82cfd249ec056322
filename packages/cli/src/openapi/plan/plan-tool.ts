/** One operation -> one tool. */
import type { OperationRule } from '../choice/rules';
import { firstSentences, plainText, sentence } from '../names/model-text';
import { upper } from '../names/words';
import type { ApiOperation } from '../operations/operation';
import type { ClassNames } from './class-names';
import type { ClassPlanner } from './class-planner';
import { planArguments } from './plan-arguments';
import { planResult } from './plan-result';
import type { WrittenTool } from './type-plan';

const LONGEST_DESCRIPTION = 300;

/** What a tool is made of. */
export interface ToolSource {
  readonly operation: ApiOperation;
  readonly rule: OperationRule;
  readonly name: string;
}

/** Plans a tool. @param note takes what it cannot say as the document does */
export function planTool(
  { planner, names }: { planner: ClassPlanner; names: ClassNames },
  { operation, rule, name }: ToolSource,
  note: (text: string) => void,
): WrittenTool {
  const { key } = operation;
  const nameOf = (what: string, ending: string): string => names.nameOf(`${what} of ${key}`, `${upper(name)}${ending}`);
  const given = planArguments(planner, { operation, rule, className: nameOf('arguments', 'Input') }, note);
  const answer = { operation, rule, proposal: `${upper(name)}Result`, nameOf: () => nameOf('answer', 'Result') };
  const result = planResult(planner, answer, note);
  return { name, operation, ...given, result, description: rule.description ?? describe(operation, name) };
}

function describe({ summary, description, deprecated, key }: ApiOperation, name: string): string {
  const short = sentence(plainText(summary));
  const long = firstSentences(description, LONGEST_DESCRIPTION - short.length);
  const text = long === '' || saysTheSame(short, long) ? longer(short, long) : `${short} ${sentence(long)}`.trim();
  const whole = text === '' ? `${upper(name)} (${key}).` : text;
  return deprecated ? `Deprecated. ${whole}` : whole;
}

function longer(short: string, long: string): string {
  return long.length > short.length ? sentence(long) : short;
}

/** A description often begins with its summary, in other forms of its words. */
function saysTheSame(short: string, long: string): boolean {
  const stems = (text: string): string[] =>
    (text.toLowerCase().match(/[a-z]{3,}/g) ?? [])
      .filter((word) => word !== 'the')
      .map((word) => word.replace(/e?s$/, ''));
  const [first = ''] = long.split(/[.:](?:\s|$)/);
  const said = new Set(stems(first));
  return stems(short).every((stem) => said.has(stem));
}
