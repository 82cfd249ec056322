/** Values of another type -> the type that the DTO declares: always if the input has only strings, otherwise on request. */
import { parseJson } from '@sigil-mcp/base';
import { isAnything } from './accept-kinds';
import type { Kind, ValuePlan } from '../value-plan';

type Convert = (value: unknown) => unknown;

const numberText = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?\s*$/;
const booleans: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

/** What of a plan says how a text is converted. */
export type TextPlan = Pick<ValuePlan, 'kinds' | 'allowed'> & { readonly items?: unknown };

/** For prompt arguments and URI variables. What cannot be converted stays, and is refused with the other wrong types. */
export function convertText(plan: TextPlan): Convert | undefined {
  if (plan.items) return (value) => (typeof value === 'string' ? splitList(value) : value);
  return plan.kinds === undefined || isPlainText(plan) ? undefined : (value) => fromText(plan, value);
}

/** For tool arguments with `{ coerce: true }`: also the other way round, single values for lists, and JSON within strings. */
export function convertLeniently(plan: ValuePlan): Convert | undefined {
  const { kinds, nullable, union } = plan;
  // Of several types, each converts for itself, where no other one takes the value as it is.
  if (isAnything(plan) || kinds === undefined || (union && union.discriminator === undefined)) return undefined;
  return (value) => {
    if (value === null && (nullable || kinds.has('null'))) return value;
    if (kinds.has('array')) return Array.isArray(value) ? value : toList(value);
    if (typeof value === 'string') return kinds.has('object') ? fromJson(value, 'object') : fromText(plan, value);
    if (typeof value === 'number' || typeof value === 'boolean') return fromScalar(plan, value);
    return value;
  };
}

function isPlainText({ kinds, allowed }: TextPlan): boolean {
  return kinds?.size === 1 && (kinds.has('string') || kinds.has('date')) && allowed === undefined;
}

function fromText({ kinds, allowed }: TextPlan, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (allowed) return allowed.includes(value) ? value : (allowed.find((one) => String(one) === value.trim()) ?? value);
  if (kinds?.has('string') || kinds?.has('date')) return value;
  if (kinds?.has('number') && numberText.test(value)) return Number(value);
  return (kinds?.has('boolean') ? booleans.get(value.trim().toLowerCase()) : undefined) ?? value;
}

function fromScalar({ kinds, allowed }: ValuePlan, value: number | boolean): unknown {
  if (kinds?.has(typeof value as Kind)) return value; // both branches of the type are names of kinds
  if (allowed) return allowed.find((one) => String(one) === String(value)) ?? value;
  if (kinds?.has('string')) return String(value);
  if (kinds?.has('boolean')) return value === 1 ? true : value === 0 ? false : value;
  return value;
}

function splitList(text: string): readonly string[] {
  return text === '' ? [] : text.split(',');
}

function toList(value: unknown): unknown {
  const read = typeof value === 'string' ? fromJson(value, 'array') : value;
  return Array.isArray(read) || value === null || value === undefined ? read : [value];
}

/** Models like to send an object or a list as the text of its JSON. */
function fromJson(text: string, kind: 'object' | 'array'): unknown {
  if (!text.trimStart().startsWith(kind === 'object' ? '{' : '[')) return text;
  return parseJson(text) ?? text;
}
