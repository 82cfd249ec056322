/**
 * Finds contradictions: rules that accept no value, and rules that never accept a value of the declared type. Only certain
 * contradictions are reported: with a transformation to another value, or if an empty one is wanted, nothing is certain.
 */
import { isAnything } from '../read/accept-kinds';
import { comparable } from '../rules/constraint';
import { decoratorName, isPlain, type PlainRule } from '../rules/rule';
import type { Kind, ValuePlan } from '../value-plan';
import { dtoProblem, type DtoProblem } from './dto-problems';
import { containerOf, kindsOfRule, lettingOnly, nestedClass, type PropertySource } from './dto-rules';
import { isContradictory } from './plan-value';
import { isOwnClass, isWithoutJson, kindsOfType, kindWords } from './value-types';

const ADVICE: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  [String, 'say @IsString() or another rule for texts, or declare what travels'],
  [Number, 'say @IsNumber() or @IsInt(), or declare what travels'],
  [Boolean, 'say @IsBoolean(), or declare what travels'],
  [Date, 'say @IsDate() @Type(() => Date), which is a text on the wire and a Date in the handler, or declare a string'],
  [Array, 'say rules about what the array holds with { each: true }, or declare what travels'],
]);

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
  if (clash !== undefined) return dtoProblem('SIGIL_DTO_CONTRADICTION', { reason: clash });
  const wrong = findWrongType(source, value);
  if (wrong) return wrong;
  const rest = findRest(value, whole) ?? (held && findRest(held, each));
  if (rest !== undefined) return dtoProblem('SIGIL_DTO_CONTRADICTION', { reason: rest });
  return isEmpty ? dtoProblem('SIGIL_DTO_CONTRADICTION', { reason: leavingNone(describeAll(source)) }) : undefined;
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

/**
 * Compares what the compiler emitted with what was planned. In an output, an object may write itself as another type (a Date
 * as a text), so that only primitives and arrays are compared.
 */
function findWrongType(source: PropertySource, value: ValuePlan): DtoProblem | undefined {
  const { emitted, rules, transformer, planning } = source;
  const [kind] = kindsOfType(emitted) ?? [];
  // Nearly every property is of the type that it says.
  if (kind && value.kinds?.has(kind)) return undefined;
  if (transformer.transform || rules.rules.some(({ meaning }) => meaning?.mayBeAbsent)) return undefined;
  if (emitted === Function && isAnything(value) && !rules.anyValue) return dtoProblem('SIGIL_DTO_TYPE_ERASED');
  if (planning.direction === 'input' && isWithoutJson(emitted))
    return dtoProblem('SIGIL_DTO_TYPE_WITHOUT_JSON', { type: nameOf(emitted) });
  const wanted = declaredKinds(source);
  if (!wanted || isAnything(value)) return undefined;
  const fits = wanted.some((kind) => value.kinds?.has(kind)) && !(emitted === Array && value.made);
  const reason = fits ? undefined : (refusal(source, wanted) ?? conversion(source, value));
  return reason === undefined
    ? undefined
    : dtoProblem('SIGIL_DTO_WRONG_TYPE', { type: nameOf(emitted), reason, advice: adviceFor(emitted) });
}

function declaredKinds({ emitted, planning }: PropertySource): readonly Kind[] | undefined {
  if (emitted === Array || emitted === Set) return ['array'];
  if (emitted === Map) return ['object'];
  if (planning.direction === 'output' && (emitted === Date || isOwnClass(emitted))) return undefined;
  return isOwnClass(emitted) ? ['object'] : kindsOfType(emitted);
}

/** The rule that lets no value of the declared type pass. */
function refusal({ rules }: PropertySource, wanted: readonly Kind[]): string | undefined {
  const refusing = rules.rules
    .filter(isPlain)
    .find((rule) => !rule.each && (rule.meaning.made ?? kindsOfRule(rule)?.every((kind) => !wanted.includes(kind))));
  if (refusing?.meaning.made) return `${decoratorName(refusing)} makes a ${refusing.meaning.made} of it`;
  return refusing && lettingOnly(refusing);
}

/** The conversion to another type; undefined if no value is possible at all. */
function conversion(source: PropertySource, { kinds }: ValuePlan): string | undefined {
  const { transformer, union, record } = source;
  if (kinds?.size === 0) return undefined;
  if (union && !union.each) return '@AnyOf() names no such type';
  if (record) return '@RecordOf() makes an object of it';
  if (containerOf(source)) return 'what is said with { each: true } makes a list of it';
  return `@Type() makes ${kindWords(kindsOfType(transformer.type) ?? ['object'])} of it`;
}

function adviceFor(emitted: unknown): string {
  const advice = ADVICE.get(emitted) ?? 'change the type, or the decorators';
  return `${advice}; @Transform() converts one into the other`;
}

function nameOf(type: unknown): string {
  return typeof type === 'function' ? type.name : String(type);
}

// Finds limits that leave no value between them.

/** A limit that a rule sets. */
interface Limit {
  readonly value: number;
  /** The value itself is beyond it. */
  readonly open: boolean;
  readonly by: string;
}

/** What limits are about: the keywords that say them, and the words for a limit. */
interface LimitKeywords {
  readonly kind: Kind;
  readonly least: readonly string[];
  readonly most: readonly string[];
  words(limit: number): string;
}

const RANGES: readonly LimitKeywords[] = [
  {
    kind: 'number',
    least: ['minimum', 'exclusiveMinimum'],
    most: ['maximum', 'exclusiveMaximum'],
    words: String,
  },
  { kind: 'string', least: ['minLength'], most: ['maxLength'], words: (limit) => `${limit} characters long` },
  { kind: 'array', least: ['minItems'], most: ['maxItems'], words: (limit) => `${limit} items long` },
  { kind: 'date', least: ['earliest'], most: ['latest'], words: (limit) => new Date(limit).toISOString() },
];

/** Whether values are named, or limits are so near to each other, that perhaps nothing is left: a quick look at a plan. */
function mayBeEmpty({ kinds, allowed, keywords }: ValuePlan): boolean {
  if (allowed || kinds?.has('date')) return true;
  if (Object.keys(keywords).length < 2) return false;
  return RANGES.some(({ least, most }) => {
    const from = Math.max(...least.map((keyword) => Number(keywords[keyword] ?? -Infinity)));
    const to = Math.min(...most.map((keyword) => Number(keywords[keyword] ?? Infinity)));
    return to - from < 1;
  });
}

/** Why no value of one of a plan's types is within its limits, where that is so of each of them: `at least 5 (@Min()) and ...`. */
function findEmptyRange({ kinds, integer }: ValuePlan, rules: readonly PlainRule[]): string | undefined {
  const reasons = [...(kinds ?? [])].map((kind) => {
    const range = RANGES.find((each) => each.kind === kind);
    return range && emptiness(range, rules, kind === 'number' && integer);
  });
  return reasons.every((reason) => reason !== undefined) ? reasons[0] : undefined;
}

function emptiness(range: LimitKeywords, rules: readonly PlainRule[], whole: boolean): string | undefined {
  const [least] = limits(range.least, rules).sort((one, other) => other.value - one.value || byOpen(one, other));
  const [most] = limits(range.most, rules).sort((one, other) => one.value - other.value || byOpen(one, other));
  if (!least || !most || !isEmpty(least, most, whole)) return undefined;
  const from = `${least.open ? 'more than' : 'at least'} ${range.words(least.value)} (${least.by})`;
  const to = `${most.open ? 'less than' : 'at most'} ${range.words(most.value)} (${most.by})`;
  return `${whole ? 'no whole number' : 'nothing'} is ${from} and ${to}`;
}

function byOpen(one: Limit, other: Limit): number {
  return Number(other.open) - Number(one.open);
}

function isEmpty(least: Limit, most: Limit, whole: boolean): boolean {
  if (whole) {
    const first = least.open ? Math.floor(least.value) + 1 : Math.ceil(least.value);
    const last = most.open ? Math.ceil(most.value) - 1 : Math.floor(most.value);
    return first > last;
  }
  return least.value > most.value || (least.value === most.value && (least.open || most.open));
}

function limits(keywords: readonly string[], rules: readonly PlainRule[]): Limit[] {
  return rules.flatMap((rule) => {
    const { meaning } = rule;
    const said: Readonly<Record<string, unknown>> = { ...meaning.keywords, ...meaning.period };
    return keywords.flatMap((keyword): Limit[] => {
      const value = said[keyword];
      return typeof value === 'number'
        ? [{ value, open: keyword.startsWith('exclusive'), by: decoratorName(rule) }]
        : [];
    });
  });
}
