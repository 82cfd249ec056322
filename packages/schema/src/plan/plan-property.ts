/** One decorated property -> its plan: the kind of its value, the checks on the wire, and the checks on the instance. */
import { shorten, type Class } from '@sigil-mcp/base';
import { dtoProblem, type DtoProblem } from './dto-problems';
import { findContradiction } from './find-contradiction';
import {
  findDiscriminatorProblem,
  findUnionProblem,
  hasLostOptions,
  isGuessed,
  isNested,
  planContent,
} from './plan-content';
import { runsAway } from '../patterns/runs-away';
import { decoratorName, isPlain, type Rule } from '../rules/rule';
import { containerOf, kindsOfRule, nestedClass, recordType, type PropertySource } from './dto-rules';
import type { DraftNode } from './draft-cache';
import { planUninitialised, type Draft } from './plan-presence';
import type { PropertyRules } from '../rules/validator-metadata';
import { kindTest, isAnything } from '../read/accept-kinds';
import type { LateCheck, ValuePlan } from '../value-plan';
import { kindsOfType } from './value-types';
import type { SchemaErrorCode } from '../errors/errors';

/**
 * The property is read by its rules, or is left out, so that no client may send it.
 *
 * The problems that `createServer({ strict: 'warn' })` tolerates: all that let no unsafe value in. A property is read by its rules, or left
 * out if they are not understood, so that no unchecked value is accepted.
 */
type PropertyOutcome = 'read' | 'left out' | 'refused';

const OUTCOMES: ReadonlyMap<string, PropertyOutcome> = new Map<SchemaErrorCode, PropertyOutcome>([
  ['SIGIL_DTO_WRONG_TYPE', 'read'],
  ['SIGIL_DTO_TYPE_WITHOUT_JSON', 'read'],
  ['SIGIL_DTO_TYPE_ERASED', 'read'],
  ['SIGIL_DTO_PROPERTY_WITHOUT_TYPE', 'read'],
  ['SIGIL_DTO_TYPE_BY_VALUE', 'read'],
  ['SIGIL_MAPPED_BY_NEST', 'read'],
  ['SIGIL_MAPPED_UNKNOWN', 'read'],
  ['SIGIL_DTO_PROPERTY_WITHOUT_DECORATOR', 'left out'],
  ['SIGIL_DTO_CONTRADICTION', 'left out'],
  ['SIGIL_DTO_READ_ONLY', 'left out'],
  ['SIGIL_DTO_NESTED_WITHOUT_TYPE', 'left out'],
]);

const NOTHING: readonly DtoProblem[] = [];

/**
 * Plans a property; undefined after a problem was reported.
 * @param place stores the draft for other properties with the same rules, if there were no problems
 */
export function planProperty(source: PropertySource, place: DraftNode | undefined): Draft | undefined {
  const { dto, name, planning } = source;
  const found = findProblem(source);
  if (found && !goesOn(source, found)) return undefined;
  const value = planContent(source);
  const problem = findContradiction(source, value) ?? findUnvalidated(source, value);
  if (problem && !goesOn(source, problem)) return undefined;
  const vague = findVague(source, value);
  const told = [...(vague ? [vague] : []), ...findIneffective(source)];
  for (const each of told) planning.tell(dto, name, each);
  const made = draft(source, value);
  if (place && !found && !problem && told.length === 0 && made.lateChecks.length === 0) place.draft = made;
  return made;
}

/** Reports a problem. Returns whether the property can be read anyway. */
function goesOn({ dto, name, planning }: PropertySource, problem: DtoProblem): boolean {
  const outcome = planning.lenient ? whatBecomesOf(problem) : 'refused';
  (outcome === 'refused' ? planning.report : planning.tell)(dto, name, problem);
  return outcome === 'read';
}

function draft(source: PropertySource, value: ValuePlan): Draft {
  const { name, description, extraKeywords, rules, transformer, union, planning } = source;
  const missing = rules.rules.find(
    (rule) => rule.hasOwnMessage && (rule.name === 'isDefined' || rule.name === 'isNotEmpty'),
  );
  const isReturned = transformer.transform !== undefined && planning.direction === 'output';
  const unlisted = rules.rules.filter((rule) => !isPlain(rule) && !(isReturned && rule.isAboutDates));
  const strict = strictNames(unlisted, rules);
  const made = {
    name,
    wireName: transformer.wireName,
    description,
    extraKeywords,
    value: strict.length > 0 ? { ...value, stricter: [...value.stricter, ...strict] } : value,
    optional: rules.optional,
    isMade: transformer.transform !== undefined && planning.direction === 'input',
    mayBeAbsent: rules.rules.some(({ meaning }) => meaning?.mayBeAbsent),
    conditions: rules.conditions,
    missingMessage: missing?.message(undefined, {}) ?? 'is required',
    // An output is transformed before any of these checks.
    lateChecks: (transformer.transform && planning.direction === 'input' ? rules.rules : unlisted).map((rule) =>
      toLateCheck(rule, union !== undefined || (!rule.isAboutDates && isOfDates(value))),
    ),
    transform: transformer.transform,
  };
  return { ...made, uninitialised: planUninitialised(made) };
}

/** Constraints that the schema cannot express. */
function strictNames(unlisted: readonly Rule[], { conditions }: PropertyRules): string[] {
  const names = unlisted.map(({ name }) => name);
  return conditions.length > 0 ? [...names, 'validateIf'] : names;
}

function findProblem(source: PropertySource): DtoProblem | undefined {
  const { rules, transformer, union, record } = source;
  if (source.planning.direction === 'input' && isReadOnly(source.dto, source.name))
    return dtoProblem('SIGIL_DTO_READ_ONLY');
  const runaway = rules.rules.find(({ expression }) => expression && runsAway(expression))?.expression;
  if (runaway) return dtoProblem('SIGIL_DTO_RUNAWAY_PATTERN', { pattern: shorten(String(runaway), 200) });
  if (transformer.isAsync) return dtoProblem('SIGIL_DTO_ASYNC_TRANSFORM');
  const misplaced = findMisplaced(source);
  if (misplaced) return misplaced;
  if (union) return findUnionProblem(source);
  const named = nestedClass(source);
  if (record?.values)
    return named || kindsOfType(recordType(source)) ? undefined : dtoProblem('SIGIL_DTO_PROPERTY_WITHOUT_TYPE');
  if (transformer.discriminator && isNested(source)) return findDiscriminatorProblem(source);
  if (transformer.transform) return undefined;
  if (transformer.choosesType) return dtoProblem('SIGIL_DTO_TYPE_BY_VALUE');
  // The function of @Type() names a class that does not exist (yet).
  return transformer.type === null ? dtoProblem('SIGIL_DTO_PROPERTY_WITHOUT_TYPE') : undefined;
}

/** Finds decorators that do not apply to the type of their property. */
function findMisplaced(source: PropertySource): DtoProblem | undefined {
  const { emitted, record, union } = source;
  if (record && (emitted === Array || emitted === Set))
    return dtoProblem('SIGIL_DTO_NO_RECORD', { type: emitted === Set ? 'Set' : 'Array' });
  if (union && hasLostOptions(source))
    return dtoProblem('SIGIL_DTO_UNION', {
      reason: 'takes its options after a function that gives the types: @AnyOf(() => [String, Number], { each: true })',
    });
  if (union && !union.each && containerOf(source))
    return dtoProblem('SIGIL_DTO_UNION', { reason: 'is about one value, so that a container needs { each: true }' });
  return undefined;
}

/** A getter without a setter can be written into an output, but not be filled from an input. */
export function isReadOnly(dto: Class, name: string): boolean {
  // Every class has an object as its prototype; only the type of functions does not declare it.
  let prototype = dto.prototype as object | null;
  while (prototype && !Object.hasOwn(prototype, name)) prototype = Object.getPrototypeOf(prototype) as object | null;
  const accessor = prototype && Object.getOwnPropertyDescriptor(prototype, name);
  return accessor?.get !== undefined && accessor.set === undefined;
}

/** What is read as a Date may be one when its rules are asked again: those about texts are not about that. */
function isOfDates(value: ValuePlan): boolean {
  return (value.items ?? value.values ?? value).kinds?.has('date') === true;
}

/** @param ofSeveral a value may be of several types, so that the rule applies to values of its own types only */
function toLateCheck(rule: Rule, ofSeveral: boolean): LateCheck {
  const { kinds } = rule.meaning ?? {};
  const isAbout = ofSeveral && kinds ? kindTest({ kinds: new Set(kinds), integer: false }) : () => true;
  return {
    name: rule.name,
    each: rule.each,
    again: isPlain(rule),
    applies: (object, value) => isAbout(value) && (rule.condition?.(object, value) ?? true),
    accepts: (object, value) => rule.accepts(value, object),
    message: (object, value) => rule.message(value, object),
  };
}

/** What of a property does not do what it says. */
function findIneffective(source: PropertySource): readonly DtoProblem[] {
  const { rules, transformer } = source;
  const [grouped, each]: [string[], string[]] = [[], rules.nested === 'items' ? ['@ValidateNested()'] : []];
  for (const rule of rules.rules) {
    if (rule.isGrouped) grouped.push(decoratorName(rule));
    if (rule.each) each.push(decoratorName(rule));
  }
  // Nearly every property is asked for nothing else.
  if (grouped.length + each.length === 0 && !transformer.hasGroups) return NOTHING;
  return [
    ...(grouped.length > 0
      ? [dtoProblem('SIGIL_DTO_GROUPS', { what: `${grouped.join(', ')} with groups`, effect: 'apply to every value' })]
      : []),
    ...(transformer.hasGroups
      ? [dtoProblem('SIGIL_DTO_GROUPS', { what: '@Transform() with groups', effect: 'never run' })]
      : []),
    ...(each.length > 0 && !containerOf(source)
      ? [dtoProblem('SIGIL_DTO_EACH_OF_ONE', { rules: each.join(', ') })]
      : []),
  ];
}

/** How a property with a problem is treated. */
function whatBecomesOf(problem: DtoProblem): PropertyOutcome {
  return OUTCOMES.get(problem('').code) ?? 'refused';
}

/**
 * What a planned property leaves open without saying that it may be anything; undefined where it leaves nothing open.
 *
 * Finds properties that say too little: the model does not learn what to send, and the handler gets any value. They cause a warning.
 */
function findVague(source: PropertySource, value: ValuePlan): DtoProblem | undefined {
  if (isGuessed(source))
    return dtoProblem('SIGIL_DTO_NESTED_WITHOUT_VALIDATION', {
      nested: nestedClass(source)?.name ?? 'instances of several classes',
    });
  if (mayBeRecord(source))
    return dtoProblem('SIGIL_DTO_LIST_OR_RECORD', { nested: nestedClass(source)?.name ?? 'a class' });
  const held = value.items ?? value.values ?? value;
  const isFree = isAnything(held);
  if (!isFree && !held.kinds?.has('object')) return undefined;
  if (source.rules.anyValue || held.nested || held.union) return undefined;
  const type = nestedClass(source);
  if (source.rules.nested && !type && !source.transformer.transform) return dtoProblem('SIGIL_DTO_NESTED_WITHOUT_TYPE');
  if (type) return dtoProblem('SIGIL_DTO_ANY_MEMBERS', { type: type.name });
  const container = containerOf(source);
  if (container === 'record' || !isFree) return undefined;
  return container ? dtoProblem('SIGIL_DTO_ANY_ITEMS') : dtoProblem('SIGIL_DTO_ANY_VALUE');
}

/**
 * Instances of which nobody knows the class are not validated, although the author has asked for it. What a handler returns is written as it
 * is.
 */
function findUnvalidated(source: PropertySource, value: ValuePlan): DtoProblem | undefined {
  const { rules, transformer, planning } = source;
  if (!rules.nested || rules.anyValue || transformer.transform || planning.direction === 'output') return undefined;
  const held = value.items ?? value.values ?? value;
  return held.nested || held.union || nestedClass(source) ? undefined : dtoProblem('SIGIL_DTO_NESTED_WITHOUT_TYPE');
}

/** Whether nothing but `{ each: true }` says that instances stand in a list: of a record the compiler says the same. */
function mayBeRecord(source: PropertySource): boolean {
  const { rules, emitted, transformer } = source;
  if (rules.nested !== 'items' || emitted !== Object || transformer.transform) return false;
  const isList = rules.rules.some((rule) => !rule.each && kindsOfRule(rule)?.includes('array'));
  return !isList && containerOf(source) === 'array';
}
