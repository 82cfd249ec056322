/** Whether a value has one of the accepted types, and the words for one that has not. */
import { isDateText } from '../date-text';
import { isObject } from '../../values/plain-object';
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
  date: 'a date and time such as 2026-01-31T12:00:00Z',
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

const jsonKinds = ['string', 'number', 'boolean', 'object', 'array'] as const;

/** Whether every value is accepted, but perhaps null: nothing is said of the type. */
export function isAnything({ kinds, allowed }: Pick<ValuePlan, 'kinds' | 'allowed'>): boolean {
  return !allowed && (kinds === undefined || jsonKinds.every((kind) => kinds.has(kind)));
}

/** Whether null is a value here, rather than another way to say that there is none. */
export function acceptsNull(plan: ValuePlan): boolean {
  return acceptsWhole(plan, null);
}

/** Whether a plan accepts a value, as far as that can be said without looking at what the value contains. */
export function acceptsWhole(plan: ValuePlan, value: unknown): boolean {
  if (value === null && plan.nullable) return true;
  return kindTest(plan)(value) && plan.checks().every((check) => check.accepts(value));
}
