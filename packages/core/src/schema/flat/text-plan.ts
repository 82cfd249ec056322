/** What a JSON Schema of one value says of a text that stands for it. */
import { isObject } from '../../values/plain-object';
import type { JsonSchema } from '../json-schema';
import type { TextPlan } from '../read/convert-text';
import type { Kind } from '../value-plan';

const KINDS: ReadonlyMap<unknown, Kind> = new Map([
  ['string', 'string'],
  ['number', 'number'],
  ['integer', 'number'],
  ['boolean', 'boolean'],
  ['object', 'object'],
  ['array', 'array'],
  ['null', 'null'],
]);

/** How one text is converted, or each of a list. */
export interface ListPlan extends TextPlan {
  readonly items: ListPlan | undefined;
}

/** Reads how a text is converted, for a list with what is said of its items. */
export function textPlan(schema: JsonSchema): ListPlan {
  const kinds = kindsOf(schema);
  const isList = kinds?.size === 1 && kinds.has('array');
  const { items } = schema;
  return {
    kinds,
    allowed: valuesOf(schema),
    items: isList ? textPlan(isObject(items) ? items : {}) : undefined,
  };
}

/** Whether a value can come as a text, or as a list of texts. */
export function isFlat({ kinds, items }: ListPlan): boolean {
  if (items) return isFlat(items) && items.items === undefined;
  // Beside a text, what cannot come does no harm.
  return kinds === undefined || kinds.has('string') || !(kinds.has('object') || kinds.has('array'));
}

/** The types of a value; undefined where the schema does not say them. */
function kindsOf(schema: JsonSchema): ReadonlySet<Kind> | undefined {
  const { type } = schema;
  const listed = valuesOf(schema);
  const found =
    type === undefined
      ? (listed?.map(kindOf) ?? alternativesOf(schema)?.flatMap((one) => [...(kindsOf(one) ?? [undefined])]))
      : (Array.isArray(type) ? (type as unknown[]) : [type]).map((one) => KINDS.get(one));
  return found?.every((kind) => kind !== undefined) ? new Set(found) : undefined;
}

/** The only values that a schema accepts; undefined where there are others. */
function valuesOf(schema: JsonSchema): readonly unknown[] | undefined {
  if ('const' in schema) return [schema['const']];
  if (Array.isArray(schema['enum'])) return schema['enum'] as unknown[];
  const lists = alternativesOf(schema)?.map(valuesOf);
  return lists?.every((list) => list !== undefined) ? lists.flat() : undefined;
}

function alternativesOf({ anyOf, oneOf }: JsonSchema): readonly JsonSchema[] | undefined {
  const list: unknown = anyOf ?? oneOf;
  return Array.isArray(list) ? list.filter(isObject) : undefined;
}

function kindOf(value: unknown): Kind | undefined {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : KINDS.get(typeof value);
}
