/** Plan -> JSON Schema 2020-12. Classes are written where they are used; only classes that contain themselves go to `$defs`. */
import type { ClassPlan, JsonSchema, Kind, PropertyPlan, Tag, UnionPlan, ValuePlan } from '../value-plan';

/** Undefined if no class contains itself. */
type SchemaNames = ReadonlyMap<ClassPlan, string> | undefined;

/** A schema that is being written: keyword by keyword, which is much faster than spreading optional parts. */
type UnfinishedSchema = Record<string, unknown>;

const typeWords: Readonly<Record<Kind, string>> = {
  string: 'string', number: 'number', boolean: 'boolean', object: 'object', array: 'array', null: 'null', date: 'string',
}; // prettier-ignore

const NONE: readonly ClassPlan[] = [];

/** The listed schema of a class: always `type: object` at the root, with `$defs` only for recursive classes. */
export function writeSchema(plan: ClassPlan): JsonSchema {
  // In most classes no property holds another class.
  const inside = plan.properties.some(({ value }) => classesIn(value).length > 0) ? reachable(plan, false) : NONE;
  const recursive = [...inside].filter((candidate) => reachable(candidate, false).has(candidate));
  if (recursive.length === 0) return writeClass(plan, undefined);
  const names = nameAll(recursive);
  const definitions = recursive.map((each) => [names.get(each) ?? '', writeClass(each, names)]);
  return { ...writeClass(plan, names), $defs: Object.fromEntries(definitions) as JsonSchema };
}

/** The classes that a class contains, at any depth. */
function reachable(plan: ClassPlan, withItself = true, seen = new Set<ClassPlan>()): Set<ClassPlan> {
  if (withItself) {
    if (seen.has(plan)) return seen;
    seen.add(plan);
  }
  for (const { value } of plan.properties) {
    for (const nested of classesIn(value)) reachable(nested, true, seen);
  }
  return seen;
}

/** The classes that a value may be an instance of, or hold instances of. */
function classesIn({ nested, items, values, union }: ValuePlan): readonly ClassPlan[] {
  // Nearly every value holds no class, and each is examined at every start.
  if (!nested && !items && !values && !union) return NONE;
  const held = [items, values, ...(union?.options ?? [])];
  return [...(nested ? [nested] : []), ...held.flatMap((plan) => (plan ? classesIn(plan) : NONE))];
}

function nameAll(plans: readonly ClassPlan[]): ReadonlyMap<ClassPlan, string> {
  const names = new Map<ClassPlan, string>();
  for (const plan of plans) {
    const base = plan.dto.name || 'Anonymous';
    const taken = new Set(names.values());
    let name = base;
    for (let count = 2; taken.has(name); count += 1) name = `${base}${count}`;
    names.set(plan, name);
  }
  return names;
}

function writeClass({ description, properties, tag }: ClassPlan, names: SchemaNames): JsonSchema {
  const always = properties.filter(({ presence }) => presence.required === 'always').map(({ wireName }) => wireName);
  const required = tag ? [tag.property, ...always.filter((name) => name !== tag.property)] : always;
  const schema: UnfinishedSchema = { type: 'object' };
  if (description !== undefined) schema['description'] = description;
  if (tag) schema['properties'] = writeTagged(tag, properties, names);
  else if (properties.length > 0) schema['properties'] = writeProperties(properties, names);
  if (required.length > 0) schema['required'] = required;
  schema['additionalProperties'] = false;
  return schema;
}

function writeProperties(properties: readonly PropertyPlan[], names: SchemaNames): JsonSchema {
  return Object.fromEntries(properties.map((property) => [property.wireName, writeProperty(property, names)]));
}

/** The discriminator property comes first, with the description of the class's own property if it declares one. */
function writeTagged({ property, value }: Tag, properties: readonly PropertyPlan[], names: SchemaNames): JsonSchema {
  const { description, extraKeywords } = properties.find(({ wireName }) => wireName === property) ?? {};
  const words = { type: 'string', enum: [value], ...(description !== undefined && { description }), ...extraKeywords };
  const others = properties.filter(({ wireName }) => wireName !== property);
  return { [property]: words, ...writeProperties(others, names) };
}

function writeProperty({ description, value, presence, extraKeywords }: PropertyPlan, names: SchemaNames): JsonSchema {
  const { own, schema } = takeDescription(writeValue(value, names));
  const both = description !== undefined && value.words !== undefined;
  const text = both ? `${description.replace(/\.$/, '')} (${value.words})` : (description ?? own);
  if (text !== undefined) schema['description'] = text;
  const { listedDefault } = presence;
  if (listedDefault) schema['default'] = listedDefault.json;
  Object.assign(schema, extraKeywords);
  // The default of the class takes precedence over extra keywords.
  if (listedDefault) schema['default'] = listedDefault.json;
  return schema;
}

/** A class has its own description, which that of the property replaces. */
function takeDescription(written: JsonSchema): { readonly own: unknown; readonly schema: UnfinishedSchema } {
  if (!('description' in written)) return { own: undefined, schema: written };
  const { description: own, ...schema } = written;
  return { own, schema };
}

function writeValue(plan: ValuePlan, names: SchemaNames): JsonSchema {
  const schema = writeBare(plan, names);
  return plan.nullable ? orNull(schema) : schema;
}

function writeBare(plan: ValuePlan, names: SchemaNames): JsonSchema {
  if (plan.union) return writeUnion(plan, plan.union, names);
  return plan.nested ? writeNested(plan, plan.nested, names) : writePlain(plan, names);
}

function writeUnion(plan: ValuePlan, { options, discriminator }: UnionPlan, names: SchemaNames): JsonSchema {
  const schemas = options.map((option) => writeValue(option, names));
  // The discriminator lets one alone be right, so `oneOf`, which fewer APIs of models know, would say no more.
  if (discriminator !== undefined) return { ...writePlain(plan, names), anyOf: schemas };
  const areTypes = schemas.every((schema) => Object.keys(schema).length === 1 && 'type' in schema);
  return areTypes ? { type: [...new Set(schemas.map(({ type }) => type).flat())] } : { anyOf: schemas };
}

function writeNested({ keywords }: ValuePlan, nested: ClassPlan, names: SchemaNames): JsonSchema {
  const name = names?.get(nested);
  return name === undefined
    ? { ...writeClass(nested, names), ...keywords }
    : { $ref: `#/$defs/${escapePointer(name)}`, ...keywords };
}

function writePlain(plan: ValuePlan, names: SchemaNames): JsonSchema {
  const { allowed, keywords } = plan;
  const types = typesOf(plan);
  const schema: UnfinishedSchema = {};
  if (types.length > 0) schema['type'] = types.length === 1 ? types[0] : types;
  if (plan.words !== undefined) schema['description'] = plan.words;
  // Some APIs of models know no `const`, and `enum` for texts alone.
  if (allowed?.length === 1 && typeof allowed[0] !== 'string') schema['const'] = allowed[0];
  else if (allowed) schema['enum'] = allowed;
  Object.assign(schema, keywords);
  const items = plan.items && writeValue(plan.items, names);
  if (items && Object.keys(items).length > 0) schema['items'] = items;
  const values = plan.values && writeValue(plan.values, names);
  if (values && Object.keys(values).length > 0) schema['additionalProperties'] = values;
  return schema;
}

function typesOf({ kinds, integer }: ValuePlan): string[] {
  const types: string[] = [];
  for (const kind of kinds ?? []) types.push(kind === 'number' && integer ? 'integer' : typeWords[kind]);
  return types;
}

/** A schema or null: in `type` if the other keywords do not apply to null, otherwise as an alternative. */
function orNull(schema: JsonSchema): JsonSchema {
  const { type, ...rest } = schema;
  if (Object.keys(schema).length === 0) return schema;
  const speaksOfNull = ['$ref', 'const', 'enum', 'not', 'allOf'].some((keyword) => keyword in rest);
  if (type === undefined || speaksOfNull || type === 'object') return { anyOf: [schema, { type: 'null' }] };
  const types = Array.isArray(type) ? (type as unknown[]) : [type];
  return { type: types.includes('null') ? types : [...types, 'null'], ...rest };
}

function escapePointer(name: string): string {
  return encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));
}

// Where the validator refuses more than the schema, for tools that inspect a server.

/** `email: isEmail`, `stops[].city: validateIf`; a class within itself is listed once. */
export function listStricter(plan: ClassPlan): readonly string[] {
  return fromClass(plan, '', new Set());
}

function fromClass(plan: ClassPlan, prefix: string, open: ReadonlySet<ClassPlan>): string[] {
  if (open.has(plan)) return [];
  const inside = new Set([...open, plan]);
  return plan.properties.flatMap(({ wireName, value, transform }) => [
    ...(transform ? [`${prefix}${wireName}: transform`] : []),
    ...fromValue(value, `${prefix}${wireName}`, inside),
  ]);
}

function fromValue(value: ValuePlan, path: string, open: ReadonlySet<ClassPlan>): string[] {
  return [
    ...value.stricter.map((name) => `${path}: ${name}`),
    ...(value.nested ? fromClass(value.nested, `${path}.`, open) : []),
    ...(value.values ? fromValue(value.values, `${path}.*`, open) : []),
    ...(value.union?.options ?? []).flatMap((option) => fromValue(option, path, open)),
    ...(value.items ? fromValue(value.items, `${path}[]`, open) : []),
  ];
}
