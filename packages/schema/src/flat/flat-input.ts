/**
 * A schema that is not a DTO for inputs that are only strings: the arguments of a prompt, the variables of a URI. As for a class, the
 * strings are converted to the types that the schema lists, before the schema validates them.
 */
import { isObject, shorten, type ErrorWords } from '@sigil-mcp/base';
import { schemaWords } from '../errors/errors';
import type { InputShape, JsonSchema, Kind } from '../value-plan';
import { resolveReference } from '../local-reference';
import { convertText, type TextPlan } from '../read/convert-text';
import { readWithoutBlanks } from '../read/read-whole';

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
interface TextListPlan extends TextPlan {
  readonly items: TextListPlan | undefined;
}

/** One property, with the function that parses its value. */
interface FlatProperty {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly isFlat: boolean;
  readonly convert: (value: unknown) => unknown;
}

/**
 * Makes the shape of a schema one that reads strings.
 * @returns the shape, whose schema has each property as it is; or what cannot come as a string
 */
export function flatInput(shape: InputShape): InputShape | readonly ErrorWords[] {
  const { schema } = shape;
  const { properties, required, ...others } = resolveReference(schema, schema);
  const names = Array.isArray(required) ? (required as unknown[]) : [];
  const flat = Object.entries(isObject(properties) ? properties : {}).map(([name, property]) =>
    flatProperty(name, resolveProperty(property, schema)),
  );
  const nested = flat.filter((property) => !property.isFlat);
  const quote = (name: string): string => shorten(JSON.stringify(name), 100);
  if (nested.length > 0)
    return nested.map(({ name }) => schemaWords('SIGIL_SCHEMA_NOT_FLAT', { property: quote(name) }));
  const optional = new Set(flat.map(({ name }) => name).filter((name) => !names.includes(name)));
  const listed = Object.fromEntries(flat.map((property) => [property.name, property.schema]));
  return {
    schema: { ...others, properties: listed, required: names },
    read: (value) => readWithoutBlanks((given) => shape.read(convertMembers(flat, given)), optional, value),
  };
}

function flatProperty(name: string, schema: JsonSchema): FlatProperty {
  const plan = textPlan(schema);
  const one = convertText({ ...plan, items: undefined }) ?? ((value: unknown) => value);
  const { items } = plan;
  const item = items && convertText({ ...items, items: undefined });
  const split = convertText({ kinds: undefined, allowed: undefined, items: true });
  const toList = (value: unknown): unknown => {
    const list = split?.(value);
    return Array.isArray(list) && item ? list.map(item) : list;
  };
  return {
    name,
    schema,
    isFlat: isFlat(plan),
    convert: items ? toList : one,
  };
}

/** A property without references, in it and in its items. */
function resolveProperty(property: unknown, root: JsonSchema): JsonSchema {
  if (!isObject(property)) return {};
  const resolved = resolveReference(property, root);
  const { items } = resolved;
  return isObject(items) ? { ...resolved, items: resolveReference(items, root) } : resolved;
}

function convertMembers(properties: readonly FlatProperty[], value: unknown): unknown {
  if (!isObject(value)) return value;
  const converted = new Map(Object.entries(value));
  for (const { name, convert } of properties) {
    if (converted.has(name)) converted.set(name, convert(converted.get(name)));
  }
  return Object.fromEntries(converted);
}

/** Plans the conversion of a text; for a list, with the conversion of its items. */
function textPlan(schema: JsonSchema): TextListPlan {
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
function isFlat({ kinds, items }: TextListPlan): boolean {
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
