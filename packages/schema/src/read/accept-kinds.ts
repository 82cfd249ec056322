/** Whether a value has one of the accepted types, and the message for a value that has not. */
import { DATE_WORDS, isDateText } from '../date-text';
import { isObject } from '@sigil-mcp/base';
import type { Kind, ValuePlan } from '../value-plan';

type Accepts = (value: unknown) => boolean;

const accepts: Readonly<Record<Kind, Accepts>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number' && Number.isFinite(value),
  boolean: (value) => typeof value === 'boolean',
  object: isObject,
  array: Array.isArray,
  null: (value) => value === null,
  date: isDateText,
};

const words: Readonly<Record<Kind, string>> = {
  string: 'a string',
  number: 'a number',
  boolean: 'a boolean',
  object: 'an object',
  array: 'an array',
  null: 'null',
  date: DATE_WORDS,
};

/** The test for a plan's types. */
export function kindTest({ kinds, integer }: Pick<ValuePlan, 'kinds' | 'integer'>): Accepts {
  if (kinds === undefined) return () => true;
  const tests = [...kinds].map((kind) => (kind === 'number' && integer ? Number.isInteger : accepts[kind]));
  const [first, second] = tests;
  if (first === undefined) return () => false;
  if (second === undefined) return first;
  return (value) => tests.some((test) => test(value));
}

/** `must be a string`, `must be an integer or null`. */
export function kindWords({ kinds, integer, nullable }: ValuePlan): string {
  const names = [...(kinds ?? [])].map((kind) => (kind === 'number' && integer ? 'an integer' : words[kind]));
  return `must be ${[...names, ...(nullable ? ['null'] : [])].join(' or ')}`;
}

/**
 * The same with the given type or value, which shows a model what to change: `must be an integer, not a string`, `must be an integer, not
 * 1.5`. For a text that is not a date, the wanted format is enough.
 */
export function wordsAgainst(plan: ValuePlan, value: unknown): string {
  const wanted = kindWords(plan);
  const given = nameGiven(value);
  return given === undefined || (typeof value === 'string' && plan.kinds?.has('date'))
    ? wanted
    : `${wanted}, not ${given}`;
}

function nameGiven(value: unknown): string | undefined {
  if (value === null) return 'null';
  if (Array.isArray(value)) return words.array;
  switch (typeof value) {
    case 'string':
      return words.string;
    case 'boolean':
      return words.boolean;
    case 'object':
      return words.object;
    case 'number':
      return String(value);
    default:
      return undefined;
  }
}

const jsonKinds = ['string', 'number', 'boolean', 'object', 'array'] as const;

/** Whether every value is accepted, perhaps except null: there is no rule about the type. */
export function isAnything({ kinds, allowed }: Pick<ValuePlan, 'kinds' | 'allowed'>): boolean {
  return !allowed && (kinds === undefined || jsonKinds.every((kind) => kinds.has(kind)));
}

/** Whether null is a value here, not another way to leave a value out. */
export function acceptsNull(plan: ValuePlan): boolean {
  return acceptsWhole(plan, null);
}

/** Whether a plan accepts a value, without checking the members of the value. */
export function acceptsWhole(plan: ValuePlan, value: unknown): boolean {
  if (value === null && plan.nullable) return true;
  return kindTest(plan)(value) && plan.checks().every((check) => check.accepts(value));
}
