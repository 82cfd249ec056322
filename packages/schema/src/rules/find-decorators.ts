/** The table of constraints, read backwards: the JSON Schema of a property -> the decorators that a class would have for it. */
import { isDeepStrictEqual } from 'node:util';
import type { JsonSchema } from '../json-schema';
import { ARGUMENT_MAPS } from './argument-maps';
import type { Constraint } from './constraint';
import { CONSTRAINTS } from './constraint-table';

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
