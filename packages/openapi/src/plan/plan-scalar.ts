/** Values without members: their type, their only values, and the limits that decorators can say. */
import { runsAway } from '@sigil-mcp/schema';
import type { LooseObject } from '@sigil-mcp/cli/kit';
import type { ScalarPlan } from './type-plan';
import type { Shape } from '../operations/shape';

/** The direction in which a value travels. */
export type ValueDirection = 'input' | 'output';

const KINDS = ['string', 'number', 'integer', 'boolean'] as const;
/** More values than this say less than a few examples. */
const MOST_VALUES = 40;
const NUMBERS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'];
const TEXTS = ['minLength', 'maxLength', 'pattern', 'format'];
/** Formats whose decorators accept what APIs accept. */
const FORMATS = ['date-time', 'uuid', 'ipv4', 'ipv6', 'email'];
/** Limits of storage, which tell a model nothing. */
const HUGE_LENGTH = 5000;

/** The plan of one type. @param note takes what cannot be said */
export function planScalar(
  shape: Shape,
  direction: ValueDirection,
  note: (text: string) => void,
): ScalarPlan | undefined {
  const types = scalarTypes(shape);
  const [kind] = types;
  if (kind === undefined || types.length > 1) return undefined;
  const values = valuesOf(shape, kind);
  // An API adds values in time: an answer with a new one is still an answer.
  if (direction === 'output') return { kind, values: undefined, keywords: {} };
  if (values && values.length > MOST_VALUES) return { kind, values: undefined, keywords: {} };
  return { kind, values, keywords: values ? {} : limitsOf(shape, kind, note) };
}

/** The types without members that a schema accepts. */
export function scalarTypes({ types }: Shape): ScalarPlan['kind'][] {
  const known = KINDS.filter((kind) => types.includes(kind));
  return known.includes('number') ? known.filter((kind) => kind !== 'integer') : known;
}

/** The only values of a schema, of one type; undefined if there are others. */
export function valuesOf(shape: Shape, kind: ScalarPlan['kind']): readonly (string | number | boolean)[] | undefined {
  const type = kind === 'integer' ? 'number' : kind;
  const values = shape.enum?.filter((value): value is string | number | boolean => typeof value === type);
  return values && values.length > 0 ? [...new Set(values)] : undefined;
}

function limitsOf({ keywords }: Shape, kind: ScalarPlan['kind'], note: (text: string) => void): LooseObject {
  const names = kind === 'string' ? TEXTS : kind === 'boolean' ? [] : NUMBERS;
  return Object.fromEntries(
    Object.entries(keywords).filter(([name, value]) => names.includes(name) && isSayable(name, value, note)),
  );
}

function isSayable(name: string, value: unknown, note: (text: string) => void): boolean {
  if (name === 'format') return FORMATS.some((format) => format === value);
  if (name === 'pattern') return isSoundPattern(value, note);
  if (typeof value !== 'number' || !Number.isFinite(value)) return false;
  if (name === 'maxLength') return Number.isInteger(value) && value > 0 && value < HUGE_LENGTH;
  if (name === 'minLength') return Number.isInteger(value) && value > 0;
  if (name === 'multipleOf') return Number.isInteger(value) && value > 0;
  return Math.abs(value) < Number.MAX_SAFE_INTEGER;
}

function isSoundPattern(pattern: unknown, note: (text: string) => void): boolean {
  if (typeof pattern !== 'string') return false;
  try {
    const expression = new RegExp(pattern, 'u');
    // eslint-disable-next-line no-control-regex -- it looks for them
    if (/[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff]|\p{Cs}|\\x[01]|\\u00[01]|\\u\{0*[01]?.\}|\\c/u.test(pattern))
      note(`the pattern ${shown(pattern)} has control characters: it is left to the API`);
    else if (runsAway(expression)) note(`the pattern ${shown(pattern)} can take too long: it is left to the API`);
    else return true;
  } catch {
    note(`the pattern ${shown(pattern)} is none of JavaScript: it is left to the API`);
  }
  return false;
}

function shown(pattern: string): string {
  return JSON.stringify(pattern.slice(0, 60));
}
