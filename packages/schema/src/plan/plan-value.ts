/** The rules about one value -> its plan: their types intersected, their keywords merged, their checks collected. */
import { comparable, type Meaning } from '../rules/constraint-meaning';
import { mergeKeywords } from './merge-keywords';
import { isPlain, type PlainRule, type Rule } from '../rules/rule';
import type { Class } from '@sigil-mcp/base';
import { checksOf, hasIdentifier } from './rule-checks';
import type { ClassPlan, Kind, UnionPlan, ValuePlan } from '../value-plan';
import { kindOf } from './value-types';

/** What is known about a value besides the rules. */
export interface ValueFacts {
  /** The types that `@ValidateNested`, `@Type` or the emitted type give it. */
  readonly kinds?: readonly Kind[] | undefined;
  /** The types to assume if neither a rule nor `kinds` tells; undefined means that any value is accepted. */
  readonly fallbackKinds?: readonly Kind[] | undefined;
  /** A transformation takes the value as it was sent, and makes what is declared of it. */
  readonly transformed?: boolean;
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

const everyKind: readonly Kind[] = ['string', 'number', 'boolean', 'object', 'array', 'null'];
const singleKinds: ReadonlyMap<Kind, ReadonlySet<Kind>> = new Map(
  ([...everyKind, 'date'] as const).map((kind) => [kind, new Set([kind])]),
);

/** Plans one value. The kinds come out empty where the rules contradict each other. */
export function planValue(rules: readonly Rule[], facts: ValueFacts): ValuePlan {
  const plain = rules.filter(isPlain);
  const meanings = plain.map(({ meaning }) => meaning);
  const allowed = intersectAllowed(meanings);
  const kinds = decideKinds(meanings, allowed, facts);
  const fitting = allowed?.filter((value) => kinds === undefined || kinds.has(kindOf(value)));
  return {
    kinds: fitting?.length === 0 ? new Set() : kinds,
    integer: meanings.some(({ integer }) => integer),
    nullable: facts.nullable,
    allowed: fitting,
    keywords: mergeKeywords(facts.returned ? meanings.filter(({ loose }) => !loose) : meanings, kinds),
    checks: checksOf(() => plain, kinds),
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

/** Whether the rules leave no value that could be accepted, or none that it could hold. */
export function isContradictory({ kinds, items, values }: ValuePlan): boolean {
  return kinds?.size === 0 || [items, values].some((plan) => plan !== undefined && isContradictory(plan));
}

function decideKinds(
  meanings: readonly Meaning[],
  allowed: readonly unknown[] | undefined,
  { kinds, fallbackKinds, transformed = false }: ValueFacts,
): ReadonlySet<Kind> | undefined {
  const only = kinds || allowed ? undefined : onlyKind(meanings);
  if (only) return singleKinds.get(only);
  const sources: (readonly Kind[])[] = [];
  const isDate = fallbackKinds?.includes('date') || meanings.some((meaning) => meaning.kinds?.includes('date'));
  const dateText: readonly Kind[] = [isDate && !transformed ? 'date' : 'string'];
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
