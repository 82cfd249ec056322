/** A value of several types without a word that tells which: the first that accepts it is taken. */
import { shorten } from '../../values/shorten';
import type { UnionPlan, ValuePlan } from '../value-plan';
import { kindTest, kindWords } from './accept-kinds';
import { compileValue, type Mode, type ReadValue } from './compile-value';
import {
  mostFailures,
  noteFailure,
  openTraversal,
  pathOf,
  type Attempt,
  type Location,
  type Traversal,
} from './traversal';

interface Option {
  readonly plan: ValuePlan;
  readonly fits: (value: unknown) => boolean;
  readonly read: ReadValue;
  /** It may accept a value of another type, after having converted it. */
  readonly converts: boolean;
}

/** How well an option suits a value that it may accept; the first of the best is tried first. */
export type Suits = (option: ValuePlan, value: unknown) => number;

/** Compiles the choice. */
export function compileAnyOf(whole: ValuePlan, { options }: UnionPlan, mode: Mode, suits?: Suits): ReadValue {
  const compiled = options.map((plan): Option => ({
    plan,
    fits: kindTest(plan),
    read: compileValue(plan, mode),
    converts: mode.prepare(plan) !== undefined,
  })); // prettier-ignore
  const words = kindWords(whole);
  return (value, parent, key, traversal) => {
    const location = { parent, key };
    const fitting = compiled.filter(({ fits }) => fits(value));
    if (suits) fitting.sort((left, right) => suits(right.plan, value) - suits(left.plan, value));
    const refused: [Option, Attempt][] = [];
    for (const option of [...fitting, ...compiled.filter((each) => each.converts && !fitting.includes(each))]) {
      const attempt = tryOption(option, value, location, traversal);
      if (attempt.traversal.failures.length === 0) return adopt(attempt, traversal);
      if (fitting.includes(option)) refused.push([option, attempt]);
    }
    return noteRefusal(refused, words, location, traversal);
  };
}

/** Reads a value as one of its types, apart from all else that is read. Objects are read once for each type. */
function tryOption({ plan, read }: Option, value: unknown, { parent, key }: Location, outer: Traversal): Attempt {
  outer.tried ??= new Map();
  const known = outer.tried.get(value) ?? new Map<ValuePlan, Attempt>();
  const before = known.get(plan);
  if (before) return before;
  const traversal = { ...openTraversal(), depth: outer.depth, tried: outer.tried };
  const attempt = { made: read(value, parent, key, traversal), traversal };
  if (typeof value === 'object' && value !== null) outer.tried.set(value, known.set(plan, attempt));
  return attempt;
}

/** What is asked later of a value that was taken is asked in the traversal that took it. */
function adopt({ made, traversal }: Attempt, outer: Traversal): unknown {
  traversal.into = outer;
  outer.later.push(...traversal.later);
  return made;
}

function noteRefusal(
  refused: readonly (readonly [Option, Attempt])[],
  words: string,
  location: Location,
  traversal: Traversal,
): undefined {
  const [only, another] = refused;
  if (!only) return noteFailure(traversal, location, words);
  if (!another) {
    const room = mostFailures - traversal.failures.length;
    traversal.failures.push(...only[1].traversal.failures.slice(0, room));
    return undefined;
  }
  const reasons = refused.map(([option, attempt]) => `${nameOf(option.plan)} (${reasonOf(attempt, location)})`);
  return noteFailure(traversal, location, `fits none of ${shorten(reasons.join(', '), 400)}`);
}

function nameOf(plan: ValuePlan): string {
  return plan.nested?.dto.name ?? kindWords(plan).replace(/^must be (an? )?/, '');
}

function reasonOf({ traversal }: Attempt, location: Location): string {
  const [first] = traversal.failures;
  if (!first) return '';
  const within = first.path.slice(pathOf(location).length).replace(/^\./, '');
  return `${within === '' ? '' : `${within} `}${shorten(first.message, 100)}`;
}
