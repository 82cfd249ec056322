/** A schema as text: its type and its constraints. */
import { isAnything } from './find-unsaid';
import type { SchemaView } from './json-schema';

/** The depth to which a name spells out nested types. */
const DEEPEST = 3;
/** The number of values that a type's name lists; further values are counted. */
const SHOWN_CHOICES = 12;

/** A type's name, such as `integer`, `string[]` or `"a" | "b"`. */
export function describeType(view: SchemaView, depth = 0): string {
  const { choices, alternatives, types } = view;
  if (choices !== undefined) return describeChoices(choices);
  if (alternatives.length > 0 && depth < DEEPEST) {
    return [...new Set(alternatives.map((one) => describeType(one, depth + 1)))].join(' | ');
  }
  if (types.length === 0) return view.properties.size > 0 ? 'object' : 'any';
  if (isAnything(view)) return types.includes('null') ? 'any' : 'any but null';
  return types.map((type) => (type === 'array' ? describeArray(view, depth) : type)).join(' | ');
}

/** The constraints of a value in addition to its type, such as `from 1 to 14`. */
export function describeConstraints(view: SchemaView): string[] {
  const size = view.types.includes('array')
    ? describeSpan(view.number('minItems'), view.number('maxItems'))
    : undefined;
  const length = describeSpan(view.number('minLength'), view.number('maxLength'));
  const format = view.text('format');
  const pattern = view.text('pattern');
  const step = view.number('multipleOf');
  return [
    ...(format === undefined ? [] : [format]),
    ...(length === undefined ? [] : [`${length} characters`]),
    ...describeRange(view),
    ...(step === undefined ? [] : [`a multiple of ${step}`]),
    ...(size === undefined ? [] : [`${size} items`]),
    ...(view.resolved.schema['uniqueItems'] === true ? ['no duplicates'] : []),
    ...(pattern === undefined ? [] : [`matches ${pattern}`]),
    ...(view.types.includes('array') ? describeConstraints(view.items).map((one) => `each: ${one}`) : []),
  ];
}

function describeArray(view: SchemaView, depth: number): string {
  const item = depth < DEEPEST ? describeType(view.items, depth + 1) : 'any';
  return item.includes(' | ') ? `(${item})[]` : `${item}[]`;
}

function describeChoices(choices: readonly unknown[]): string {
  const shown = choices.slice(0, SHOWN_CHOICES).map((one) => JSON.stringify(one));
  const more = choices.length - shown.length;
  return [...shown, ...(more > 0 ? [`${more} more`] : [])].join(' | ');
}

function describeSpan(least: number | undefined, most: number | undefined): string | undefined {
  if (least === undefined || (least === 0 && most !== undefined)) {
    return most === undefined ? undefined : `at most ${most}`;
  }
  if (most === undefined) return least === 0 ? undefined : `at least ${least}`;
  return least === most ? `exactly ${least}` : `${least} to ${most}`;
}

function describeRange(view: SchemaView): string[] {
  const least = view.number('minimum');
  const most = view.number('maximum');
  const above = view.number('exclusiveMinimum');
  const below = view.number('exclusiveMaximum');
  return [
    ...(least !== undefined && most !== undefined ? [`from ${least} to ${most}`] : []),
    ...(least !== undefined && most === undefined ? [`at least ${least}`] : []),
    ...(least === undefined && most !== undefined ? [`at most ${most}`] : []),
    ...(above === undefined ? [] : [`more than ${above}`]),
    ...(below === undefined ? [] : [`less than ${below}`]),
  ];
}
