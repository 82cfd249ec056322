/** Automatic completion of arguments whose type is a short list of values: enums, constants, true and false. */
import type { JsonSchema } from '@sigil-mcp/schema';
import type { CompleterPlan } from './member';

/**
 * Adds a completer for each property that lists its values and has no completer.
 * @param input schema of an input class; undefined if there is no input
 * @param lists arguments whose values are completed item by item
 */
export function completeValues(
  completers: readonly CompleterPlan[],
  input: JsonSchema | undefined,
  lists?: ReadonlySet<string>,
): readonly CompleterPlan[] {
  // The compiler of schemas always writes an object schema in this form.
  const properties = (input?.['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>;
  const own = Object.entries(properties).flatMap(([argument, schema]): CompleterPlan[] => {
    const values = (lists?.has(argument) ? itemValuesOf(schema) : valuesOf(schema)).map(String);
    const isCompleted = values.length === 0 || completers.some((completer) => completer.argument === argument);
    return isCompleted ? [] : [planValues(argument, values)];
  });
  return own.length > 0 ? [...completers, ...own] : completers;
}

function planValues(argument: string, values: readonly string[]): CompleterPlan {
  const folded = values.map((value) => [value, value.toLowerCase()] as const);
  const run = (prefix: unknown): string[] => {
    const typed = String(prefix).toLowerCase();
    return folded.flatMap(([value, lower]) => (lower.startsWith(typed) ? [value] : []));
  };
  return { argument, handler: { run }, parameters: ['prefix'] };
}

/** The values that a schema lists for the items of a list. */
function itemValuesOf({ items, anyOf }: JsonSchema): readonly unknown[] {
  // The compiler of schemas writes one schema for all items.
  if (items !== undefined) return valuesOf(items as JsonSchema);
  return Array.isArray(anyOf) ? anyOf.flatMap((one: JsonSchema) => itemValuesOf(one)) : [];
}

/** The values that a schema lists, except null, which cannot be typed. */
function valuesOf({ type, enum: listed, const: only, anyOf }: JsonSchema): readonly unknown[] {
  if (Array.isArray(listed)) return listed.filter((value) => value !== null);
  if (only !== undefined && only !== null) return [only];
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  if (types.every((one) => one === 'boolean' || one === 'null') && types.includes('boolean')) return [true, false];
  // The form of a schema that allows null in addition to its values.
  return Array.isArray(anyOf) ? anyOf.flatMap((one: JsonSchema) => valuesOf(one)) : [];
}
