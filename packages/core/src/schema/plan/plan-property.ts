/** One decorated property -> its plan: what kind of value it holds, what is checked on the wire and what on the instance. */
import type { Class } from '../../values/class';
import { dtoProblems, type DtoProblem, type ReportDto } from './dto-problems';
import type { JsonSchema } from '../json-schema';
import { isContradictory, planValue } from './plan-value';
import { runsAway } from '../patterns/runs-away';
import { isPlain, type Rule } from '../rules/rule';
import type { Draft } from './plan-presence';
import type { Direction, TransformerRules } from '../rules/transformer-rules';
import type { PropertyRules } from '../rules/validator-rules';
import type { ClassPlan, LateCheck, ValuePlan } from '../value-plan';
import { isOwnClass, kindsOfType } from './value-types';

/** What the properties of all classes in one plan share. */
export interface Planning {
  readonly direction: Direction;
  readonly report: ReportDto;
  /** The plan of another class; a class that is being planned already gives the same plan, still without properties. */
  planClass(dto: Class): ClassPlan;
}

/** Everything that decorators say about one property. */
export interface PropertySource {
  readonly dto: Class;
  readonly name: string;
  readonly description: string | undefined;
  readonly nullable: boolean;
  /** The type that the compiler emitted. */
  readonly emitted: unknown;
  readonly rules: PropertyRules;
  readonly transformer: TransformerRules;
  readonly extraKeywords: JsonSchema;
  readonly planning: Planning;
}

/** Plans a property; undefined after a problem was reported. */
export function planProperty(source: PropertySource): Draft | undefined {
  const found = findProblem(source);
  const value = found ? undefined : holdsArray(source) ? planArray(source) : planSingle(source);
  const contradictory = value && [value, value.items].some((plan) => plan && isContradictory(plan));
  const problem = found ?? (contradictory ? dtoProblems.contradictory(ruleNames(source)) : undefined);
  if (problem) source.planning.report(source.dto, source.name, problem);
  return problem === undefined && value ? draft(source, value) : undefined;
}

function draft({ name, description, extraKeywords, rules, transformer }: PropertySource, value: ValuePlan): Draft {
  const missing = rules.rules.find(
    (rule) => rule.hasOwnMessage && (rule.name === 'isDefined' || rule.name === 'isNotEmpty'),
  );
  const unlisted = rules.rules.filter((rule) => !isPlain(rule));
  const strict = strictNames(unlisted, rules);
  return {
    name,
    wireName: transformer.wireName,
    description,
    extraKeywords,
    value: strict.length > 0 ? { ...value, stricter: [...value.stricter, ...strict] } : value,
    optional: rules.optional,
    mayBeAbsent: rules.rules.some(({ meaning }) => meaning?.mayBeAbsent),
    conditions: rules.conditions,
    missingMessage: missing?.message(undefined, {}) ?? 'is required',
    // After a transformation every constraint is asked again, because class-validator would see only what came out of it.
    lateChecks: (transformer.transform ? rules.rules : unlisted).map(toLateCheck),
    transform: transformer.transform,
  };
}

/** Constraints that the schema cannot know about. */
function strictNames(unlisted: readonly Rule[], { conditions }: PropertyRules): string[] {
  const names = unlisted.map(({ name }) => name);
  return conditions.length > 0 ? [...names, 'validateIf'] : names;
}

function findProblem(source: PropertySource): DtoProblem | undefined {
  const { rules, emitted, transformer } = source;
  if (source.planning.direction === 'input' && isReadOnly(source)) return dtoProblems.readOnly();
  if (transformer.discriminated) return dtoProblems.discriminated();
  const runaway = rules.rules.find(({ expression }) => expression && runsAway(expression))?.expression;
  if (runaway) return dtoProblems.runaway(runaway);
  const named = nestedClass(source);
  if (rules.nested) return named ? undefined : dtoProblems.nestedWithoutType();
  if (named && !transformer.transform) return dtoProblems.nestedNotValidated(named);
  if (rules.rules.some((rule) => rule.meaning?.kinds ?? rule.each) || rules.rules.some(hasValues)) return undefined;
  const isKnown = kindsOfType(transformer.type ?? emitted) ?? (rules.anyValue && emitted === Object);
  return isKnown ? undefined : dtoProblems.withoutType();
}

/** A getter without a setter can be written into an output, but not be filled from an input. */
function isReadOnly({ dto, name }: PropertySource): boolean {
  // Every class has an object as its prototype; only the type of functions does not say so.
  let prototype = dto.prototype as object | null;
  while (prototype && !Object.hasOwn(prototype, name)) prototype = Object.getPrototypeOf(prototype) as object | null;
  const accessor = prototype && Object.getOwnPropertyDescriptor(prototype, name);
  return accessor?.get !== undefined && accessor.set === undefined;
}

const hasValues = ({ name, condition }: Rule): boolean =>
  !condition && ['isIn', 'isEnum', 'equals', 'isEmpty'].includes(name);

function nestedClass({ transformer, emitted, rules }: PropertySource): Class | undefined {
  if (transformer.type !== undefined) return isOwnClass(transformer.type) ? transformer.type : undefined;
  return rules.nested !== 'items' && isOwnClass(emitted) ? emitted : undefined;
}

function holdsArray({ rules, emitted }: PropertySource): boolean {
  if (rules.nested === 'items' || emitted === Array) return true;
  return rules.rules.some(({ each, meaning }) => each || meaning?.kinds?.includes('array'));
}

function planSingle(source: PropertySource): ValuePlan {
  const { rules, transformer, emitted, nullable, planning } = source;
  return planValue(rules.rules, {
    nullable,
    kinds: rules.nested && ['object'],
    fallbackKinds: kindsOfType(transformer.type ?? emitted),
    nested: planNested(source, planning),
  });
}

function planArray(source: PropertySource): ValuePlan {
  const { rules, transformer, nullable, planning } = source;
  const inner = rules.rules.filter(({ each }) => each);
  const items = planValue(inner, {
    nullable: false,
    kinds: rules.nested && ['object'],
    fallbackKinds: kindsOfType(transformer.type),
    nested: planNested(source, planning),
  });
  const whole = rules.rules.filter(({ each }) => !each);
  return planValue(whole, { nullable, kinds: ['array'], items });
}

function planNested(source: PropertySource, planning: Planning): ClassPlan | undefined {
  const nested = source.rules.nested && nestedClass(source);
  return nested && planning.planClass(nested);
}

function toLateCheck(rule: Rule): LateCheck {
  return {
    name: rule.name,
    each: rule.each,
    applies: (object, value) => rule.condition?.(object, value) ?? true,
    accepts: (object, value) => rule.accepts(value, object),
    message: (object, value) => rule.message(value, object),
  };
}

function ruleNames({ rules }: PropertySource): string[] {
  return rules.rules.map(({ name, each }) => (each ? `${name} (each)` : name));
}
