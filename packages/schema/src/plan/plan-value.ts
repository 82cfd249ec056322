/** The rules about one value -> its plan: their types intersected, their keywords merged, their checks collected. */
import { comparable, type Meaning } from '../rules/constraint-meaning';
import { mergeKeywords } from './merge-keywords';
import { isPlain, type PlainRule, type Rule } from '../rules/rule';
import type { Class } from '@sigil-mcp/base';
import { LISTED_DATE } from '../date-text';
import { checksOf, hasIdentifier } from './rule-checks';
import type { ClassPlan, Kind, UnionPlan, ValuePlan } from '../value-plan';
import { kindOf } from './value-types';

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
function asReturned(rules: readonly PlainRule[], given: ValueFacts): Planned {
  const plain = rules.filter(({ isAboutDates }) => !isAboutDates);
  const isDate = given.fallbackKinds?.includes('date') || plain.length < rules.length;
  const kinds = given.kinds?.includes('date') ? written : given.kinds;
  return { plain, facts: { ...given, kinds, ...(isDate && { fallbackKinds: written }) } };
}

interface Planned {
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
