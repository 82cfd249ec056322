/** The rules about one value -> its plan: their types intersected, their keywords merged, their checks collected. */
import { comparable, type Meaning } from './constraint-meaning';
import { mergeKeywords } from './merge-keywords';
import type { Rule } from './rule';
import { shorten } from './rule-message';
import type { Check, ClassPlan, Kind, ValuePlan } from './value-plan';

/** What is known about a value besides the rules. */
export interface ValueFacts {
  /** The types that `@ValidateNested`, `@Type` or the emitted type give it. */
  readonly kinds?: readonly Kind[] | undefined;
  /** The types to assume if neither a rule nor `kinds` tells; undefined means that any value is accepted. */
  readonly fallbackKinds?: readonly Kind[] | undefined;
  readonly nullable: boolean;
  readonly nested?: ClassPlan | undefined;
  readonly items?: ValuePlan | undefined;
}

/** A rule that can be checked on the bare value, without the object around it. */
interface PlainRule extends Rule {
  readonly meaning: Meaning;
}

const everyKind: readonly Kind[] = ['string', 'number', 'boolean', 'object', 'array', 'null'];

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
    keywords: mergeKeywords(meanings, kinds),
    checks: plain.flatMap((rule) => toCheck(rule, kinds)),
    typeMessage: typeMessageOf(plain),
    nested: facts.nested,
    items: facts.items,
    stricter: plain.filter((rule) => rule.meaning.stricter ?? hasIdentifier(rule)).map(({ name }) => name),
  };
}

/** Whether the rules leave no value that could be accepted. */
export function isContradictory({ kinds }: ValuePlan): boolean {
  return kinds?.size === 0;
}

/** Whether a rule can be checked on the bare value, without the object around it. */
export function isPlain(rule: Rule): rule is PlainRule {
  return rule.meaning !== undefined;
}

function decideKinds(
  meanings: readonly Meaning[],
  allowed: readonly unknown[] | undefined,
  { kinds, fallbackKinds }: ValueFacts,
): ReadonlySet<Kind> | undefined {
  const sources: (readonly Kind[])[] = [];
  for (const meaning of meanings) if (meaning.kinds) sources.push(meaning.kinds);
  if (kinds) sources.push(kinds);
  if (allowed) sources.push(allowed.map(kindOf));
  if (sources.length === 0 && fallbackKinds) sources.push(fallbackKinds);
  const neverNull = meanings.some((meaning) => meaning.neverNull);
  if (sources.length === 0) return neverNull ? new Set(everyKind.filter((kind) => kind !== 'null')) : undefined;
  const common = sources.reduce((left, right) => left.filter((kind) => right.includes(kind)));
  // A type that narrows several possible ones: `@IsLatitude() north: number`.
  const narrowed = fallbackKinds ? common.filter((kind) => fallbackKinds.includes(kind)) : [];
  return new Set((narrowed.length > 0 ? narrowed : common).filter((kind) => !(neverNull && kind === 'null')));
}

function intersectAllowed(meanings: readonly Meaning[]): readonly unknown[] | undefined {
  if (!meanings.some(({ allowed }) => allowed)) return undefined;
  const lists = meanings.flatMap(({ allowed }) => (allowed ? [comparable(allowed)] : []));
  return lists.reduce((left, right) => left.filter((value) => right.includes(value)));
}

function kindOf(value: unknown): Kind {
  if (value === null) return 'null';
  return typeof value === 'number' ? 'number' : typeof value === 'boolean' ? 'boolean' : 'string';
}

/**
 * class-validator is asked even where the plan decides alone: a custom validator may bear the name of a built-in one, and
 * must not go unasked.
 */
function toCheck(rule: PlainRule, kinds: ReadonlySet<Kind> | undefined): Check[] {
  const { meaning } = rule;
  const asDate = kinds?.has('date') ?? false;
  const asks = (value: unknown): boolean => asksValidator(rule, asDate ? new Date(String(value)) : value);
  if (meaning.allowed) return [toListCheck(rule, comparable(meaning.allowed), asks)];
  const accepts = meaning.checkedBy ?? asks;
  const check: Check = { name: rule.name, accepts, message: (value) => rule.message(value, {}) };
  // What an identifier of @ArrayUnique finds equal, only class-validator can tell.
  return hasIdentifier(rule) ? [check, { ...check, accepts: asks }] : [check];
}

/** Closed on doubt: a validator that trips over a value has not accepted it. */
function asksValidator(rule: Rule, value: unknown): boolean {
  try {
    return rule.accepts(value, {}) === true;
  } catch {
    return false;
  }
}

function toListCheck(rule: Rule, allowed: readonly unknown[], asks: (value: unknown) => boolean): Check {
  const values = new Set(allowed);
  const listed = shorten(allowed.map((value) => JSON.stringify(value)).join(', '), 300);
  const message = allowed.length === 1 ? `must be ${listed}` : `must be one of ${listed}`;
  return {
    name: rule.name,
    accepts: (value) => values.has(value) && asks(value),
    message: (value) => (rule.hasOwnMessage ? rule.message(value, {}) : message),
  };
}

function typeMessageOf(rules: readonly PlainRule[]): ((value: unknown) => string) | undefined {
  const speaking = rules.find(({ hasOwnMessage, meaning }) => hasOwnMessage && (meaning.kinds ?? meaning.allowed));
  return speaking && ((value) => speaking.message(value, {}));
}

/** `@ArrayUnique(identifier)` hides its function; two bare objects betray it, which are different values without one. */
function hasIdentifier(rule: Rule): boolean {
  return rule.name === 'arrayUnique' && !asksValidator(rule, [{}, {}]);
}
