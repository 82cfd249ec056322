/** The table of constraints, read forwards: a decorator with its arguments -> what JSON Schema says of it. */
import { hasLength } from '../code-points';
import { ARGUMENT_MAPS, UNLISTED } from './argument-maps';
import type { Constraint } from './constraint';
import type { Meaning } from './constraint-meaning';
import { CONSTRAINTS } from './constraint-table';
import { hasUniqueItems } from './unique-items';

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
