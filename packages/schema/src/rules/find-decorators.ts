/** The table of constraints, read backwards: the JSON Schema of a property -> the decorators that a class would have for it. */
import { isDeepStrictEqual } from 'node:util';
import { hasLength } from '../code-points';
import type { JsonSchema } from '../value-plan';
import { ARGUMENT_MAPS, UNLISTED, type Constraint, type Meaning } from './constraint';
import { CONSTRAINTS } from './constraint-table';
import { hasUniqueItems } from './unique-items';

/** A decorator of class-validator, as it would be written. */
export interface FoundDecorator {
  /** `Length`. */
  readonly decorator: string;
  /** Its arguments, in their order: `[1, 60]`. */
  readonly parameters: readonly unknown[];
}

/** The decorators of a schema, and the keywords that none of them says. */
export interface FoundDecorators {
  readonly decorators: readonly FoundDecorator[];
  readonly rest: JsonSchema;
}

/**
 * Finds the decorators that say the keywords of a property. Decorators with fixed keywords come first: `{ exclusiveMinimum: 0 }` is
 * `@IsPositive()`. Items and properties of a schema, and alternatives, are not followed.
 * @example
 * findDecorators({ type: 'string', maxLength: 60 })
 * // { decorators: [{ decorator: 'IsString', parameters: [] }, { decorator: 'MaxLength', parameters: [60] }], rest: {} }
 */
export function findDecorators(schema: JsonSchema): FoundDecorators {
  const { type, ...others } = schema;
  const rest: Record<string, unknown> = others;
  const decorators: FoundDecorator[] = [];
  const typed = CONSTRAINTS.find((row) => isOfType(row, type));
  if (typed) decorators.push({ decorator: typed.decorator, parameters: [] });
  else if (type !== undefined) rest['type'] = type;
  const kind = type === 'integer' ? 'number' : type;
  const fitting = CONSTRAINTS.filter(
    ({ kinds, oneWay }) => !oneWay && (!kinds || kind === undefined || kinds.some((each) => each === kind)),
  );
  const ordered = [...fitting.filter(({ fixed }) => fixed), ...fitting.filter(({ fixed }) => !fixed)];
  for (const row of ordered) {
    const parameters = parametersOf(row, rest);
    if (!parameters) continue;
    decorators.push({ decorator: row.decorator, parameters });
    for (const keyword of keywordsOf(row)) delete rest[keyword];
  }
  return { decorators, rest };
}

/** Whether a constraint says the type of a value and nothing else. */
function isOfType({ kinds, marks, fixed, taken, oneWay }: Constraint, type: unknown): boolean {
  if (fixed || taken || oneWay || kinds?.length !== 1) return false;
  return (marks?.integer ? 'integer' : kinds[0]) === type;
}

function keywordsOf({ fixed, taken }: Constraint): string[] {
  return [...Object.keys(fixed ?? {}), ...Object.keys(taken ?? {})];
}

/** The arguments with which a decorator says its keywords; undefined if a schema does not have them all, or no argument says them. */
function parametersOf(row: Constraint, schema: JsonSchema): readonly unknown[] | undefined {
  const keywords = keywordsOf(row);
  if (keywords.length === 0 || !keywords.every((keyword) => schema[keyword] !== undefined)) return undefined;
  const { fixed = {}, taken = {} } = row;
  if (!Object.entries(fixed).every(([keyword, value]) => isDeepStrictEqual(schema[keyword], value))) return undefined;
  const parameters: unknown[] = [];
  for (const [keyword, { argument, map }] of Object.entries(taken)) {
    const read = ARGUMENT_MAPS[map].read(schema[keyword]);
    if (read === undefined) return undefined;
    parameters[argument] = read;
  }
  return parameters;
}

// The table of constraints, read forwards: a decorator with its arguments -> what JSON Schema says of it.

const ROWS: ReadonlyMap<string, Constraint> = new Map(CONSTRAINTS.map((row) => [row.name, row]));

/** The row of a constraint, by its name in class-validator; undefined for one that class-validator does not have. */
export function findConstraint(name: string): Constraint | undefined {
  return ROWS.get(name);
}

/** The meaning of a constraint with these arguments; undefined if nothing is known of it. */
export function findMeaning(name: string, parameters: readonly unknown[]): Meaning | undefined {
  const row = ROWS.get(name);
  if (!row) return undefined;
  return row.interpret ? row.interpret(parameters) : meaningOf(row, parameters);
}

function meaningOf(row: Constraint, parameters: readonly unknown[]): Meaning {
  const { kinds, fixed, taken, marks, format } = row;
  const about = kinds && { kinds };
  if (row.bareOnly && parameters[0] !== undefined) return { ...about, stricter: true };
  const listed: Record<string, unknown> = { ...fixed };
  for (const [keyword, { argument, map }] of Object.entries(taken ?? {})) {
    const value = ARGUMENT_MAPS[map].write(parameters[argument]);
    if (value === UNLISTED) return { ...about, stricter: true };
    if (value !== undefined) listed[keyword] = value;
  }
  return {
    ...about,
    ...marks,
    ...valuesOf(listed, row),
    ...(row.checkedAsListed && { checkedBy: checkOf(listed) }),
    ...(format && parameters[0] === undefined && { formFormat: format }),
  };
}

/** The values that a constraint names are compared with those of other constraints; its other keywords are listed as they are. */
function valuesOf(listed: Record<string, unknown>, { taken }: Constraint): Meaning {
  const { enum: several, const: single, ...keywords } = listed;
  // The maps and the table write lists of values here.
  if (several !== undefined) return { allowed: several as readonly unknown[] };
  if ('const' in listed || taken?.['const']) return { allowed: [single] };
  const refused = /^refused/.test(taken?.['not']?.map ?? '') ? (keywords['not'] as { enum: unknown[] }) : undefined;
  return refused ? { excluded: refused.enum } : { keywords };
}

/** The check that agrees with keywords where class-validator's does not. */
function checkOf({ pattern, multipleOf, uniqueItems, minLength, maxLength }: Record<string, unknown>): ValueTest {
  if (typeof pattern === 'string') {
    const expression = new RegExp(pattern, 'u');
    return (value) => typeof value === 'string' && expression.test(value);
  }
  if (typeof multipleOf === 'number') return (value) => typeof value === 'number' && isMultiple(value, multipleOf);
  if (uniqueItems === true) return (value) => Array.isArray(value) && hasUniqueItems(value);
  // validator.js takes an emoji and its variation selector for one character, JSON Schema for two.
  const [least, most] = [Number(minLength ?? 0), Number(maxLength ?? Infinity)];
  return (value) => typeof value === 'string' && hasLength(value, least, most);
}

type ValueTest = (value: unknown) => boolean;

/** As JSON Schema validators divide, ajv among them: beyond 1e21 they find no multiples. */
function isMultiple(value: number, divisor: number): boolean {
  const quotient = value / divisor;
  return Number.isInteger(quotient) && Math.abs(quotient) < 1e21;
}
