/** The rule of a JSON Schema that refused a value, with the message that forms and DTOs have for it. */
import { amount, hasLength } from '../code-points';
import { isObject, shorten } from '@sigil-mcp/base';
import type { JsonSchema } from '../value-plan';

/** The types by the names of JSON Schema. */
const TYPES: ReadonlyMap<unknown, { readonly words: string; test(value: unknown): boolean }> = new Map([
  ['string', { words: 'a string', test: (value: unknown) => typeof value === 'string' }],
  ['number', { words: 'a number', test: (value: unknown) => typeof value === 'number' }],
  ['integer', { words: 'an integer', test: Number.isInteger }],
  ['boolean', { words: 'a boolean', test: (value: unknown) => typeof value === 'boolean' }],
  ['object', { words: 'an object', test: isObject }],
  ['array', { words: 'an array', test: Array.isArray }],
  ['null', { words: 'null', test: (value: unknown) => value === null }],
]);

/** Whether a value is of a type that a schema names; of any, where it names none. */
export function hasTypeOf(schema: JsonSchema, value: unknown): boolean {
  const types = typesOf(schema);
  return types.length === 0 || types.some((type) => TYPES.get(type)?.test(value) ?? true);
}

/**
 * Why a value was refused by schemas of which any would have done.
 * @returns undefined if they do not say it: a refinement did, or they are too many
 */
export function wantedBy(schemas: readonly JsonSchema[], value: unknown): string | undefined {
  const fitting = schemas.filter((schema) => hasTypeOf(schema, value));
  if (fitting.length === 0) return schemas.length > 0 ? typeWords(schemas) : undefined;
  const values = fitting.map(valuesOf);
  if (values.every((list) => list !== undefined)) {
    const all = values.flat();
    return all.includes(value) ? undefined : choiceWords(all);
  }
  const [only, ...others] = fitting;
  return only && others.length === 0 ? boundWords(only, value) : undefined;
}

function typesOf({ type }: JsonSchema): readonly unknown[] {
  if (Array.isArray(type)) return type as unknown[];
  return type === undefined ? [] : [type];
}

function valuesOf(schema: JsonSchema): readonly unknown[] | undefined {
  if ('const' in schema) return [schema['const']];
  return Array.isArray(schema['enum']) ? (schema['enum'] as unknown[]) : undefined;
}

function choiceWords(values: readonly unknown[]): string {
  const words = shorten(values.map((value) => JSON.stringify(value)).join(', '), 300);
  return values.length === 1 ? `must be ${words}` : `must be one of ${words}`;
}

function typeWords(schemas: readonly JsonSchema[]): string | undefined {
  const types = [...new Set(schemas.flatMap(typesOf))];
  const words = types.map((type) => TYPES.get(type)?.words);
  return words.every((word) => word !== undefined) ? `must be ${words.join(' or ')}` : undefined;
}

function boundWords(schema: JsonSchema, value: unknown): string | undefined {
  if (typeof value === 'number') return numberWords(schema, value);
  if (typeof value === 'string') return textWords(schema, value);
  return Array.isArray(value) ? countWords(schema, value.length) : undefined;
}

function numberWords(schema: JsonSchema, value: number): string | undefined {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  if (typeof minimum === 'number' && value < minimum) return `must be at least ${minimum}`;
  if (typeof maximum === 'number' && value > maximum) return `must be at most ${maximum}`;
  if (typeof exclusiveMinimum === 'number' && value <= exclusiveMinimum) return `must be more than ${exclusiveMinimum}`;
  if (typeof exclusiveMaximum === 'number' && value >= exclusiveMaximum) return `must be less than ${exclusiveMaximum}`;
  return typeof multipleOf === 'number' && value % multipleOf !== 0 ? `must be a multiple of ${multipleOf}` : undefined;
}

function textWords({ minLength, maxLength, format, pattern }: JsonSchema, value: string): string | undefined {
  const [least, most] = [numberOr(minLength, 0), numberOr(maxLength, Infinity)];
  if (!hasLength(value, least, most)) return `must have ${amount(least, most, 'character')}`;
  if (typeof format === 'string') return `must be of the format ${shorten(format, 60)}`;
  return typeof pattern === 'string' ? `must match the pattern ${shorten(pattern, 200)}` : undefined;
}

function countWords({ minItems, maxItems, uniqueItems }: JsonSchema, count: number): string | undefined {
  const [least, most] = [numberOr(minItems, 0), numberOr(maxItems, Infinity)];
  if (count < least || count > most) return `must have ${amount(least, most, 'item')}`;
  return uniqueItems === true ? 'must have no item twice' : undefined;
}

function numberOr(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise;
}
