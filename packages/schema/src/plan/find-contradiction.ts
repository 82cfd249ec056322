/**
 * Finds contradictions: rules that accept no value, and rules that never accept a value of the declared type. Only certain
 * contradictions are reported: with a transformation to another value, or if an empty one is wanted, nothing is certain.
 */
import { dtoProblems, type DtoProblem } from './dto-problems';
import { findEmptyRange, mayBeEmpty } from './find-range';
import { findWrongType } from './find-wrong-type';
import { isContradictory } from './plan-value';
import { containerOf, nestedClass, type PropertySource } from './property-source';
import { kindsOfRule, lettingOnly } from './rule-kinds';
import { comparable } from '../rules/constraint-meaning';
import { decoratorName } from '../rules/decorator-name';
import { isPlain, type PlainRule } from '../rules/rule';
import type { ValuePlan } from '../value-plan';

/** The first contradiction of a planned property; undefined if there are no contradictions. */
export function findContradiction(source: PropertySource, value: ValuePlan): DtoProblem | undefined {
  const held = value.items ?? value.values;
  const isEmpty = isContradictory(value);
  // Checked for every property at start, and nearly always false.
  const isSuspect = isEmpty || mayBeEmpty(value) || (held !== undefined && mayBeEmpty(held));
  return isSuspect ? explain(source, value, isEmpty) : findWrongType(source, value);
}

function explain(source: PropertySource, value: ValuePlan, isEmpty: boolean): DtoProblem | undefined {
  const held = value.items ?? value.values;
  // In a union each rule applies to its own types only.
  const rules = !source.union ? source.rules.rules.filter(isPlain) : [];
  const whole = rules.filter(({ each }) => !each);
  const each = rules.filter((rule) => rule.each);
  const clash = isEmpty ? (findClash(whole) ?? findClash(each) ?? findNoList(source, whole)) : undefined;
  if (clash !== undefined) return dtoProblems.contradictory(clash);
  const wrong = findWrongType(source, value);
  if (wrong) return wrong;
  const rest = findRest(value, whole) ?? (held && findRest(held, each));
  if (rest !== undefined) return dtoProblems.contradictory(rest);
  return isEmpty ? dtoProblems.contradictory(leavingNone(describeAll(source))) : undefined;
}

/** Two rules for different types, or a list of values that is empty. */
function findClash(rules: readonly PlainRule[]): string | undefined {
  const empty = rules.find(({ meaning }) => meaning.allowed && comparable(meaning.allowed).length === 0);
  if (empty) return `${decoratorName(empty)} is given no values; ${givenRightly(empty)}`;
  for (const [index, rule] of rules.entries()) {
    const kinds = kindsOfRule(rule);
    const other = rules.slice(index + 1).find((next) => {
      const nexts = kindsOfRule(next);
      return kinds && nexts && !nexts.some((kind) => kinds.includes(kind));
    });
    if (other) return `${lettingOnly(rule)}, and ${lettingOnly(other)}`;
  }
  return undefined;
}

/** A rule for one value together with `@ValidateNested({ each: true })`, which implies a list if no type says otherwise. */
function findNoList(source: PropertySource, rules: readonly PlainRule[]): string | undefined {
  if (source.rules.nested !== 'items' || containerOf(source) !== 'array') return undefined;
  const other = rules.find((rule) => kindsOfRule(rule)?.includes('array') === false);
  if (!other) return undefined;
  const clash = `@ValidateNested({ each: true }) makes a list of it, and ${lettingOnly(other)}`;
  const held = kindsOfRule(other)?.includes('object') ? nestedClass(source)?.name : undefined;
  return held === undefined ? clash : `${clash}; a Record of ${held} is said by @RecordOf(${held}) in their place`;
}

function givenRightly({ name }: PlainRule): string {
  return name === 'isEnum' ? 'it takes the enum itself, as in @IsEnum(Format)' : 'it takes texts, numbers or booleans';
}

/** Crossing limits, and listed values that are excluded. */
function findRest(plan: ValuePlan, rules: readonly PlainRule[]): string | undefined {
  const listing = rules.filter(({ meaning }) => meaning.allowed);
  if (listing.length === 0) return findEmptyRange(plan, rules);
  const refusing = rules.filter(({ meaning }) => meaning.keywords ?? meaning.excluded ?? meaning.stricter);
  if (refusing.length === 0 && listing.length === 1) return undefined;
  const { allowed = [] } = plan;
  if (allowed.some((value) => plan.checks().every((check) => check.accepts(value)))) return undefined;
  return leavingNone([...listing, ...refusing].map(decoratorName));
}

function leavingNone(decorators: readonly string[]): string {
  return `${decorators.join(' and ')} ${decorators.length === 1 ? 'leaves' : 'leave'} none`;
}

function describeAll({ rules, union, record }: PropertySource): string[] {
  const ours = [...(union ? ['@AnyOf()'] : []), ...(record ? ['@RecordOf()'] : [])];
  const nested = rules.nested ? ['@ValidateNested()'] : [];
  return [...ours, ...nested, ...rules.rules.map(decoratorName)];
}
