/** Finds out from the JSON Schema of a value how a text is converted to it. */
import { isObject } from '@sigil-mcp/base';
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
export interface TextListPlan extends TextPlan {
  readonly items: TextListPlan | undefined;
}

/** Plans the conversion of a text; for a list, with the conversion of its items. */
export function textPlan(schema: JsonSchema): TextListPlan {
  const kinds = kindsOf(schema);
  const isList = kinds?.size === 1 && kinds.has('array');
  const { items } = schema;
  return {
    kinds,
    allowed: valuesOf(schema),
    items: isList ? textPlan(isObject(items) ? items : {}) : undefined,
  };
}

/** Whether a value can be sent as a text, or as a list of texts. */
export function isFlat({ kinds, items }: TextListPlan): boolean {
  if (items) return isFlat(items) && items.items === undefined;
  // If a text is accepted, types that cannot be sent do no harm.
  return kinds === undefined || kinds.has('string') || !(kinds.has('object') || kinds.has('array'));
}

/** The types of a value; undefined if the schema does not declare them. */
function kindsOf(schema: JsonSchema): ReadonlySet<Kind> | undefined {
  const { type } = schema;
  const listed = valuesOf(schema);
  const found =
    type === undefined
      ? (listed?.map(kindOf) ?? alternativesOf(schema)?.flatMap((one) => [...(kindsOf(one) ?? [undefined])]))
      : (Array.isArray(type) ? (type as unknown[]) : [type]).map((one) => KINDS.get(one));
  return found?.every((kind) => kind !== undefined) ? new Set(found) : undefined;
}

/** The only values that a schema accepts; undefined if it accepts others. */
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
