/** The rules about one value -> its plan: their types intersected, their keywords merged, their checks collected. */
import { comparable, type Meaning } from '../rules/constraint';
import { isPlain, type PlainRule, type Rule } from '../rules/rule';
import { type Class, shorten } from '@sigil-mcp/base';
import { FITS_FORMAT, LISTED_DATE, readDateText } from '../date-text';
import type { Check, ClassPlan, JsonSchema, Kind, UnionPlan, ValuePlan } from '../value-plan';
import { kindOf } from './value-types';

const stringKeywords = new Set(['minLength', 'maxLength', 'pattern', 'format', 'contentEncoding', 'contentMediaType']);

const numberKeywords = new Set(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']);

const annotations = new Set(['format', 'contentEncoding', 'contentMediaType']);

const lowerLimits = new Set(['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties']);

const upperLimits = new Set(['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties']);

/** What is known about a value besides the rules. */
export interface ValueFacts {
  /** The types that `@ValidateNested`, `@Type` or the emitted type give it. */
  readonly kinds?: readonly Kind[] | undefined;
  /** The types to assume if neither a rule nor `kinds` tells; undefined means that any value is accepted. */
  readonly fallbackKinds?: readonly Kind[] | undefined;
  /** A transformation takes the value as it was sent, and makes what is declared of it; or it makes what is sent. */
  readonly transformed?: boolean;
  /** A decorator names the class Date, so that functions of the author get one. */
  readonly namesDate?: boolean;
  readonly nullable: boolean;
  /** It is what a handler returns, so that clients check it. */
  readonly returned?: boolean;
  readonly nested?: ClassPlan | undefined;
  readonly declared?: Class | undefined;
  readonly items?: ValuePlan | undefined;
  readonly values?: ValuePlan | undefined;
  readonly made?: ValuePlan['made'];
  readonly union?: UnionPlan | undefined;
}

/** What a transformation of a Date may return, if no rule says what it does. */
const written: readonly Kind[] = ['string', 'number', 'boolean'];
const everyKind: readonly Kind[] = ['string', 'number', 'boolean', 'object', 'array', 'null'];
const singleKinds: ReadonlyMap<Kind, ReadonlySet<Kind>> = new Map(
  ([...everyKind, 'date'] as const).map((kind) => [kind, new Set([kind])]),
);

/** Plans one value. The kinds come out empty where the rules contradict each other. */
export function planValue(rules: readonly Rule[], given: ValueFacts): ValuePlan {
  const all = rules.filter(isPlain);
  const { facts, plain } = given.returned && given.transformed ? asReturned(all, given) : { facts: given, plain: all };
  const meanings = plain.map(({ meaning }) => meaning);
  const allowed = intersectAllowed(meanings);
  const kinds = decideKinds(meanings, allowed, facts);
  const fitting = allowed?.filter((value) => kinds === undefined || kinds.has(kindOf(value)));
  const isDate = kinds?.has('string') === true && isTextOfDate(meanings, facts);
  const read = isDate ? kindSet([...kinds].map((kind) => (kind === 'string' ? 'date' : kind))) : kinds;
  const keywords = mergeKeywords(meanings, kinds);
  return {
    kinds: fitting?.length === 0 ? new Set() : read,
    isLateDate: read?.has('date') === true && !facts.namesDate && !facts.returned,
    integer: meanings.some(({ integer }) => integer),
    nullable: facts.nullable,
    allowed: fitting,
    // What is sent of a Date is always a date-time.
    keywords: read?.has('date') && facts.returned ? { ...keywords, format: 'date-time' } : keywords,
    words: facts.returned || allowed ? undefined : wordsOf(meanings, read),
    checks: checksOf(() => plain, read?.has('date') === true && facts.namesDate === true),
    typeMessage: typeMessageOf(plain),
    nested: facts.nested,
    declared: facts.declared,
    items: facts.items,
    values: facts.values,
    made: facts.made,
    union: facts.union,
    stricter: plain.filter((rule) => rule.meaning.stricter ?? hasIdentifier(rule)).map(({ name }) => name),
  };
}

/** What a format would say, if it accepted every text that the rules accept. */
function wordsOf(meanings: readonly Meaning[], kinds: ValuePlan['kinds']): string | undefined {
  for (const { loose } of meanings) if (loose !== undefined) return loose;
  return kinds?.has('date') ? LISTED_DATE : undefined;
}

/** What a transformation returns is sent: that the handler has a Date, which rules and declared types say, is not about that. */
function asReturned(rules: readonly PlainRule[], given: ValueFacts): ValueRules {
  const plain = rules.filter(({ isAboutDates }) => !isAboutDates);
  const isDate = given.fallbackKinds?.includes('date') || plain.length < rules.length;
  const kinds = given.kinds?.includes('date') ? written : given.kinds;
  return { plain, facts: { ...given, kinds, ...(isDate && { fallbackKinds: written }) } };
}

interface ValueRules {
  readonly plain: readonly PlainRule[];
  readonly facts: ValueFacts;
}

/**
 * Whether a text that its rules are about becomes a Date, which is declared. If a transformation is given the text, it makes the Date itself;
 * if it is given a Date, because `@Type` names the class, the text is one of a date.
 */
function isTextOfDate(meanings: readonly Meaning[], facts: ValueFacts): boolean {
  const { fallbackKinds, transformed = false, namesDate = false, returned } = facts;
  if (!fallbackKinds?.includes('date') || meanings.some(({ mayBeAbsent }) => mayBeAbsent)) return false;
  const isAboutOthers = meanings.some(({ kinds, allowed, dateText }) => !dateText && (kinds ?? allowed));
  return namesDate ? transformed || !isAboutOthers : !transformed && !(returned && isAboutOthers);
}

/** Whether the rules leave no value that could be accepted, or none that it could hold. */
export function isContradictory({ kinds, items, values }: ValuePlan): boolean {
  return kinds?.size === 0 || [items, values].some((plan) => plan !== undefined && isContradictory(plan));
}

function decideKinds(
  meanings: readonly Meaning[],
  allowed: readonly unknown[] | undefined,
  { kinds, fallbackKinds }: ValueFacts,
): ReadonlySet<Kind> | undefined {
  const only = kinds || allowed ? undefined : onlyKind(meanings);
  if (only) return singleKinds.get(only);
  const sources: (readonly Kind[])[] = [];
  const isDate = meanings.some((meaning) => meaning.kinds?.includes('date'));
  const dateText: readonly Kind[] = [isDate ? 'date' : 'string'];
  for (const meaning of meanings) if (meaning.kinds) sources.push(meaning.dateText ? dateText : meaning.kinds);
  if (kinds) sources.push(kinds);
  if (allowed) sources.push(allowed.map(kindOf));
  if (sources.length === 0 && fallbackKinds) sources.push(fallbackKinds);
  const neverNull = meanings.some((meaning) => meaning.neverNull);
  if (sources.length === 0) return neverNull ? new Set(everyKind.filter((kind) => kind !== 'null')) : undefined;
  const common = sources.reduce((left, right) => left.filter((kind) => right.includes(kind)));
  // A type that narrows several possible ones: `@IsLatitude() north: number`.
  const narrowed = fallbackKinds ? common.filter((kind) => fallbackKinds.includes(kind)) : [];
  return kindSet((narrowed.length > 0 ? narrowed : common).filter((kind) => !(neverNull && kind === 'null')));
}

/** The one type that all rules name which name any: that of nearly every value. */
function onlyKind(meanings: readonly Meaning[]): Kind | undefined {
  let only: Kind | undefined;
  for (const { kinds, dateText } of meanings) {
    const kind = kinds?.[0];
    if (kind === undefined) continue;
    if (kinds?.length !== 1 || dateText || kind === 'null' || (only && only !== kind)) return undefined;
    only = kind;
  }
  return only;
}

/** Nearly every value is of one kind, and they share its set. */
function kindSet(kinds: readonly Kind[]): ReadonlySet<Kind> {
  const [only] = kinds;
  return (kinds.length === 1 && only ? singleKinds.get(only) : undefined) ?? new Set(kinds);
}

function intersectAllowed(meanings: readonly Meaning[]): readonly unknown[] | undefined {
  if (!meanings.some(({ allowed }) => allowed)) return undefined;
  const lists = meanings.flatMap(({ allowed }) => (allowed ? [comparable(allowed)] : []));
  return lists.reduce((left, right) => left.filter((value) => right.includes(value)));
}

function typeMessageOf(rules: readonly PlainRule[]): ((value: unknown) => string) | undefined {
  const speaking = rules.find(({ hasOwnMessage, meaning }) => hasOwnMessage && (meaning.kinds ?? meaning.allowed));
  return speaking && ((value) => speaking.message(value, {}));
}

/** The keywords of all meanings, without those that say nothing about the accepted types. */
function mergeKeywords(meanings: readonly Meaning[], kinds: ReadonlySet<Kind> | undefined): JsonSchema {
  const merged: Record<string, unknown> = {};
  const apart: unknown[] = [];
  for (const { keywords, loose } of meanings) {
    // A format that is too narrow is described in words.
    if (!keywords || loose !== undefined) continue;
    for (const keyword of Object.keys(keywords)) {
      const value = keywords[keyword];
      if (!concerns(keyword, kinds)) continue;
      if (keyword === 'allOf' && Array.isArray(value)) apart.push(...(value as unknown[]));
      else if (!(keyword in merged)) merged[keyword] = value;
      else if (lowerLimits.has(keyword)) merged[keyword] = Math.max(Number(merged[keyword]), Number(value));
      else if (upperLimits.has(keyword)) merged[keyword] = Math.min(Number(merged[keyword]), Number(value));
      else if (!annotations.has(keyword) && merged[keyword] !== value) apart.push({ [keyword]: value });
    }
  }
  if ('exclusiveMinimum' in merged || 'exclusiveMaximum' in merged) mergeBounds(merged, meanings.some(isInteger));
  if (meanings.some(({ excluded }) => excluded)) apart.push(...exclude(meanings, kinds));
  return apart.length > 0 ? { ...merged, ...placeApart(merged, apart) } : merged;
}

function isInteger({ integer }: Meaning): boolean {
  return integer === true;
}

/** One word for each bound: some models and clients know no others than `minimum` and `maximum`, and whole numbers need no others. */
function mergeBounds(merged: Record<string, unknown>, areIntegers: boolean): void {
  const { minimum, exclusiveMinimum: above, maximum, exclusiveMaximum: below } = merged as Record<string, number>;
  if (areIntegers) {
    if (above !== undefined) merged['minimum'] = Math.max(minimum ?? -Infinity, Math.floor(above) + 1);
    if (below !== undefined) merged['maximum'] = Math.min(maximum ?? Infinity, Math.ceil(below) - 1);
  }
  if (above !== undefined) delete merged[areIntegers || (minimum ?? above) > above ? 'exclusiveMinimum' : 'minimum'];
  if (below !== undefined) delete merged[areIntegers || (maximum ?? below) < below ? 'exclusiveMaximum' : 'maximum'];
}

/** What is of no accepted type need not be excluded. */
function exclude(meanings: readonly Meaning[], kinds: ReadonlySet<Kind> | undefined): JsonSchema[] {
  const values = comparable(meanings.flatMap((meaning) => meaning.excluded ?? []));
  const excluded = values.filter((value) => kinds?.has(kindOf(value)) ?? true);
  return excluded.length > 0 ? [{ not: { enum: excluded } }] : [];
}

function concerns(keyword: string, kinds: ReadonlySet<Kind> | undefined): boolean {
  if (kinds === undefined) return true;
  if (stringKeywords.has(keyword)) return kinds.has('string');
  return numberKeywords.has(keyword) ? kinds.has('number') : true;
}

function placeApart(merged: JsonSchema, apart: readonly unknown[]): JsonSchema {
  const [only] = apart;
  const standsAlone =
    apart.length === 1 && typeof only === 'object' && only !== null && !Object.keys(only).some((key) => key in merged);
  return standsAlone ? { ...only } : { allOf: apart };
}

/**
 * The checks, made when they are first asked for: of a thousand tools most are never called.
 * @param ofDates class-validator is given a Date of the text, because `@Type` names that class
 */
export function checksOf(rules: () => readonly PlainRule[], ofDates: boolean): () => readonly Check[] {
  let checks: readonly Check[] | undefined;
  return () => (checks ??= rules().flatMap((rule) => toCheck(rule, ofDates)));
}

/** `@ArrayUnique(identifier)` hides its function; two bare objects betray it, which are different values without one. */
function hasIdentifier(rule: PlainRule): boolean {
  return rule.name === 'arrayUnique' && !askOf(rule, false)([{}, {}]);
}

/** Asks class-validator. Closed on doubt: a validator that trips over a value has not accepted it. */
function askOf(rule: PlainRule, asDate: boolean): (value: unknown) => boolean {
  return (value) => {
    try {
      return rule.accepts(asDate ? readDateText(String(value)) : value, {}) === true;
    } catch {
      return false;
    }
  };
}

/**
 * class-validator is asked even where the plan decides alone: a custom validator may bear the name of a built-in one, and
 * must not go unasked.
 */
function toCheck(rule: PlainRule, ofDates: boolean): Check[] {
  const { meaning } = rule;
  // A rule about texts is about the one that was sent.
  const asDate = ofDates && !meaning.kinds && !meaning.allowed;
  const asks = askOf(rule, asDate);
  if (meaning.allowed) return [toListCheck(rule, comparable(meaning.allowed), asks)];
  const accepts = meaning.checkedBy ?? asks;
  const { formFormat } = meaning;
  const check: Check = {
    name: rule.name,
    accepts,
    ...(formFormat && {
      formFormat,
      acceptsInForm: (value: unknown) =>
        (typeof value === 'string' && FITS_FORMAT[formFormat](value)) || accepts(value),
    }),
    message: (value) => rule.message(value, {}),
  };
  // What an identifier of @ArrayUnique finds equal, only class-validator can tell.
  return hasIdentifier(rule) ? [check, { ...check, accepts: asks }] : [check];
}

function toListCheck(rule: PlainRule, allowed: readonly unknown[], asks: (value: unknown) => boolean): Check {
  const values = new Set(allowed);
  const listed = shorten(allowed.map((value) => JSON.stringify(value)).join(', '), 300);
  const message = allowed.length === 1 ? `must be ${listed}` : `must be one of ${listed}`;
  return {
    name: rule.name,
    accepts: (value) => values.has(value) && asks(value),
    message: (value) => (rule.hasOwnMessage ? rule.message(value, {}) : message),
  };
}
