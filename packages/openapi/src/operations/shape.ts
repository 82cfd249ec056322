/** A schema of OpenAPI 3.0 or 3.1, one level deep, in one form: references followed, `allOf` merged, `nullable` and old limits converted. */
import { isObject } from '@sigil-mcp/base';
import type { LooseObject } from '@sigil-mcp/cli/kit';
import type { Pointers } from '../document/pointers';

/** One level of a schema. */
export interface Shape {
  /** The component that it is; undefined for a schema without a name. */
  readonly reference: string | undefined;
  /** Types of JSON Schema, without null. Empty if the schema does not say it. */
  readonly types: readonly string[];
  readonly nullable: boolean;
  readonly properties: ReadonlyMap<string, unknown>;
  readonly required: ReadonlySet<string>;
  readonly items: unknown;
  /** Undefined if nothing is said, and for `true`. */
  readonly additional: unknown;
  /** `oneOf` or `anyOf`, without null and without those that only say which members go together. */
  readonly alternatives: readonly unknown[];
  readonly discriminator: LooseObject | undefined;
  readonly enum: readonly unknown[] | undefined;
  /** Limits, patterns and formats. */
  readonly keywords: LooseObject;
  readonly description: string;
  readonly title: string;
  readonly initial: unknown;
  readonly readOnly: boolean;
  readonly writeOnly: boolean;
  readonly deprecated: boolean;
}

const EMPTY: Shape = {
  reference: undefined,
  types: [],
  nullable: false,
  properties: new Map(),
  required: new Set(),
  items: undefined,
  additional: undefined,
  alternatives: [],
  discriminator: undefined,
  enum: undefined,
  keywords: {},
  description: '',
  title: '',
  initial: undefined,
  readOnly: false,
  writeOnly: false,
  deprecated: false,
};
const KEYWORDS = [
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'minimum',
  'maximum',
  'multipleOf',
  'minItems',
  'maxItems',
  'uniqueItems',
  'contentMediaType',
  'contentEncoding',
];

/** Reads one level. A schema that leads nowhere says nothing. */
export function readShape(schema: unknown, pointers: Pointers): Shape {
  return isObject(schema) ? pointers.once(schema, 'shape', () => read(schema, pointers, new Set())) : EMPTY;
}

/** @param merged references that were merged already: once is enough, and a schema may refer to itself */
function read(schema: unknown, pointers: Pointers, merged: Set<string>): Shape {
  const found = pointers.follow(schema);
  // `true` and `false` of 3.1 say nothing that a class could say.
  if (!found || (found.reference !== undefined && merged.has(found.reference))) return EMPTY;
  const { value, reference } = found;
  if (reference !== undefined) merged.add(reference);
  const { alternatives, ...said } = readOwn(value, pointers);
  // The only one besides null, as in `anyOf: [schema, { type: 'null' }]`, is that schema.
  const isOnly = alternatives.length === 1;
  const parts = [...listOf(value['allOf']), ...(isOnly ? alternatives : [])].map((part) =>
    read(part, pointers, merged),
  );
  const own = parts.reduceRight(merge, { ...said, alternatives: isOnly ? [] : alternatives });
  // A single part with words of its own around it is still that component.
  const alone = parts.length === 1 && !isObject(value['properties']) ? parts[0]?.reference : undefined;
  // Of several lists of alternatives one stays, and of the others the members, which the API requires or not.
  const others = parts.flatMap((part) => (part.alternatives === own.alternatives ? [] : part.alternatives));
  const members = others.flatMap((each) => [...read(each, pointers, merged).properties]);
  return { ...own, properties: new Map([...members, ...own.properties]), reference: reference ?? alone };
}

function readOwn(value: LooseObject, pointers: Pointers): Shape {
  const alternatives = [...listOf(value['oneOf']), ...listOf(value['anyOf'])];
  const useful = alternatives.filter((each) => !isNull(each, pointers) && !saysOnlyRequired(each, pointers));
  const values = 'const' in value ? [value['const']] : Array.isArray(value['enum']) ? value['enum'] : undefined;
  const types = typesOf(value);
  return {
    ...EMPTY,
    types: types.filter((type) => type !== 'null'),
    nullable:
      value['nullable'] === true ||
      types.includes('null') ||
      alternatives.some((each) => isNull(each, pointers)) ||
      (values?.includes(null) ?? false),
    properties: new Map(isObject(value['properties']) ? Object.entries(value['properties']) : []),
    required: new Set(listOf(value['required']).filter((name) => typeof name === 'string')),
    items: value['items'],
    additional: isObject(value['additionalProperties']) ? value['additionalProperties'] : undefined,
    alternatives: useful,
    discriminator: isObject(value['discriminator']) ? value['discriminator'] : undefined,
    enum: values?.filter((each) => each !== null),
    keywords: keywordsOf(value),
    description: textOf(value['description']),
    title: textOf(value['title']),
    initial: value['default'],
    readOnly: value['readOnly'] === true,
    writeOnly: value['writeOnly'] === true,
    deprecated: value['deprecated'] === true,
  };
}

/** @param whole what is known so far, which counts more. @param part one of `allOf` */
function merge(whole: Shape, part: Shape): Shape {
  return {
    ...whole,
    types: whole.types.length > 0 ? whole.types : part.types,
    nullable: whole.nullable || part.nullable,
    properties: new Map([
      ...part.properties,
      ...[...whole.properties].map(([name, said]) => [name, narrowed(said, part.properties.get(name))] as const),
    ]),
    required: new Set([...part.required, ...whole.required]),
    items: whole.items ?? part.items,
    additional: whole.additional ?? part.additional,
    alternatives: whole.alternatives.length > 0 ? whole.alternatives : part.alternatives,
    discriminator: whole.discriminator ?? part.discriminator,
    enum: whole.enum ?? part.enum,
    keywords: { ...part.keywords, ...whole.keywords },
    description: whole.description === '' ? part.description : whole.description,
    title: whole.title === '' ? part.title : whole.title,
    initial: whole.initial ?? part.initial,
    readOnly: whole.readOnly || part.readOnly,
    writeOnly: whole.writeOnly || part.writeOnly,
  };
}

/** A member of one part that another part only narrows, such as with a limit or a description, keeps its type. */
function narrowed(said: unknown, before: unknown): unknown {
  if (!isObject(said) || !isObject(before) || !saysNoType(said)) return said;
  if (typeof before['type'] === 'string' && saysNoType({ ...before, type: undefined })) return { ...before, ...said };
  return said['readOnly'] === true || said['writeOnly'] === true ? said : before;
}

const OF_TYPES = ['type', '$ref', 'enum', 'const', 'properties', 'items', 'allOf', 'anyOf', 'oneOf'];

function saysNoType(schema: LooseObject): boolean {
  return OF_TYPES.every((word) => schema[word] === undefined);
}

function typesOf({ type, properties, items, enum: values, const: only }: LooseObject): string[] {
  if (typeof type === 'string') return [type];
  if (Array.isArray(type)) return type.filter((each) => typeof each === 'string');
  if (isObject(properties)) return ['object'];
  if (isObject(items)) return ['array'];
  const known = Array.isArray(values) ? (values as unknown[]) : only === undefined ? [] : [only];
  return [...new Set(known.map((value) => (value === null ? 'null' : typeof value)))];
}

/** `exclusiveMinimum: true` of 3.0 becomes the number of 3.1. */
function keywordsOf(value: LooseObject): LooseObject {
  const taken = Object.entries(value).filter(([name, each]) => KEYWORDS.includes(name) && each !== undefined);
  const keywords: Record<string, unknown> = Object.fromEntries(taken);
  for (const [exclusive, limit] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    if (typeof value[exclusive] === 'number') keywords[exclusive] = value[exclusive];
    if (value[exclusive] !== true) continue;
    keywords[exclusive] = keywords[limit];
    delete keywords[limit];
  }
  return keywords;
}

function isNull(schema: unknown, pointers: Pointers): boolean {
  const value = pointers.follow(schema)?.value;
  if (!value) return false;
  const { type, enum: values } = value;
  return type === 'null' || (Array.isArray(values) && values.length === 1 && values[0] === null);
}

/** `anyOf: [{ required: ['a'] }, { required: ['b'] }]`: no type, and no members. */
function saysOnlyRequired(schema: unknown, pointers: Pointers): boolean {
  const value = pointers.follow(schema)?.value;
  return !value || Object.keys(value).every((name) => ['required', 'title', 'description', 'not'].includes(name));
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
