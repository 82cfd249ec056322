/** Finds limits that leave no value between them. */
import { decoratorName } from '../rules/decorator-name';
import type { PlainRule } from '../rules/rule';
import type { Kind, ValuePlan } from '../value-plan';

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
export function mayBeEmpty({ kinds, allowed, keywords }: ValuePlan): boolean {
  if (allowed || kinds?.has('date')) return true;
  if (Object.keys(keywords).length < 2) return false;
  return RANGES.some(({ least, most }) => {
    const from = Math.max(...least.map((keyword) => Number(keywords[keyword] ?? -Infinity)));
    const to = Math.min(...most.map((keyword) => Number(keywords[keyword] ?? Infinity)));
    return to - from < 1;
  });
}

/** Why no value of one of a plan's types is within its limits, where that is so of each of them: `at least 5 (@Min()) and ...`. */
export function findEmptyRange({ kinds, integer }: ValuePlan, rules: readonly PlainRule[]): string | undefined {
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
