/** What several schemas say together, keyword by keyword. */
import { isObject } from '@sigil-mcp/base';
import {
  ANY_RANGE,
  JSON_TYPES,
  type Branch,
  type Items,
  type JsonType,
  type Properties,
  type Range,
  limited,
  typeOf,
} from './branch';
import { canonicalText, isNamedSchema, isSchema, type JsonDocument, type Schema } from './json-document';
import { TOGETHER, TYPES, isWord, withoutWords } from './words';

type Keywords = Readonly<Record<string, unknown>>;

/** References behind references, without anything between them. */
export const DEEPEST = 32;

/** A keyword of ours, for a constraint that is compared by its text. */
export const OPAQUE = '\u0000opaque';

/** The constraint, and the type whose values it is about; undefined for all. */
interface OpaqueConstraint {
  readonly type: JsonType | undefined;
  readonly text: string;
}

/** Alternatives. */
export interface Union {
  readonly keyword: 'anyOf' | 'oneOf';
  readonly schemas: readonly Schema[];
}

/** Collects constraints. */
export class Constraints {
  readonly unions: Union[] = [];
  readonly #plain: Schema[] = [];
  #types = new Set<JsonType>(JSON_TYPES);
  #values: readonly unknown[] | undefined;
  #range: Range = ANY_RANGE;
  readonly #sizes = new Map<JsonType, Range>();
  readonly #multiples: number[] = [];
  readonly #patterns = new Set<string>();
  readonly #formats = new Set<string>();
  #isUnique = false;
  readonly #items: Items[] = [];
  readonly #properties: Properties[] = [];
  readonly #required = new Set<string>();
  readonly #opaque: OpaqueConstraint[] = [];

  /** The references that were followed to get here: none is followed twice. */
  readonly followed: Set<string>;

  constructor(
    private readonly document: JsonDocument,
    followed: ReadonlySet<string>,
  ) {
    this.followed = new Set(followed);
  }

  /** Adds schemas. Returns whether a value can be valid at all, as far as is known. */
  add(schemas: readonly Schema[], depth: number): boolean {
    return schemas.every((schema) => this.#add(schema, depth));
  }

  /** The schemas without their alternatives. */
  plain(): readonly Schema[] {
    return this.#plain;
  }

  /** A text for a constraint: the same for the same constraint with the same definitions behind it. */
  opaqueText(keyword: string, value: unknown): string {
    const text = canonicalText(withoutWords({ [keyword]: value }));
    if (!/"\$(ref|dynamicRef|recursiveRef)"/.test(text)) return text;
    return `${text} in ${canonicalText(withoutWords(this.document.root))}`;
  }

  branches(): readonly Branch[] {
    return [...this.#types].flatMap((type) => this.#branch(type));
  }

  #branch(type: JsonType): readonly Branch[] {
    const branch: Branch = {
      type,
      document: this.document,
      values: undefined,
      range: this.#range,
      multiples: this.#multiples,
      size: this.#sizes.get(type) ?? { ...ANY_RANGE, least: 0 },
      patterns: this.#patterns,
      formats: this.#formats,
      isUnique: this.#isUnique,
      items: this.#items,
      properties: this.#properties,
      required: this.#required,
      opaque: new Set(this.#opaque.filter((each) => (each.type ?? type) === type).map(({ text }) => text)),
    };
    const given = this.#values ?? allOf(type);
    if (!given) return [branch];
    const values = given.filter((value) => typeOf(value) === type);
    return values.length === 0 ? [] : [{ ...branch, values }];
  }

  #add(schema: Schema, depth: number): boolean {
    if (typeof schema === 'boolean') return schema;
    const { $ref, allOf, anyOf, oneOf, ...all } = schema;
    const { unevaluatedProperties, unevaluatedItems, ...keywords } = all;
    // What is evaluated depends on all parts of the schema, which are read apart.
    if (unevaluatedProperties !== undefined) this.#keep('object', this.opaqueText('unevaluatedProperties', schema));
    if (unevaluatedItems !== undefined) this.#keep('array', this.opaqueText('unevaluatedItems', schema));
    if (typeof $ref === 'string' && !this.#follow($ref, depth)) return false;
    if (Array.isArray(allOf) && !this.add(allOf.filter(isSchema), depth)) return false;
    this.#union('anyOf', anyOf);
    this.#union('oneOf', oneOf);
    this.#plain.push(keywords);
    this.#read(keywords);
    return true;
  }

  #follow(reference: string, depth: number): boolean {
    const schema = this.document.resolve(reference);
    if (schema !== undefined && depth <= DEEPEST && !this.followed.has(reference)) {
      this.followed.add(reference);
      return this.add([schema], depth + 1);
    }
    this.#keep(undefined, this.opaqueText('$ref', reference));
    return true;
  }

  #union(keyword: Union['keyword'], given: unknown): void {
    if (Array.isArray(given)) this.unions.push({ keyword, schemas: given.filter(isSchema) });
  }

  #note(type: JsonType | undefined, text: string): void {
    this.#opaque.push({ type, text });
  }

  /** Notes a constraint that no keyword of the plain schemas has. */
  #keep(type: JsonType | undefined, text: string): void {
    this.#plain.push({ [OPAQUE]: { type, text } });
    this.#note(type, text);
  }

  #read(keywords: Keywords): void {
    const { properties, additionalProperties, patternProperties, items, prefixItems, ...others } = keywords;
    this.#readProperties({ properties, additionalProperties, patternProperties });
    if (items !== undefined || prefixItems !== undefined) this.#readItems({ items, prefixItems });
    const known = new Set<string>();
    for (const group of TOGETHER) {
      const own = Object.entries(keywords).filter(([keyword]) => group.includes(keyword));
      if (own.length === 0 || !Object.hasOwn(keywords, group[0])) continue;
      this.#note(TYPES.get(group[0]), this.opaqueText(group[0], own));
      for (const [keyword] of own) known.add(keyword);
    }
    for (const [keyword, value] of Object.entries(others)) if (!known.has(keyword)) this.#readKeyword(keyword, value);
  }

  #readProperties({ properties, additionalProperties, patternProperties }: Keywords): void {
    const named = new Map(isObject(properties) ? Object.entries(properties).filter(isNamedSchema) : []);
    if (patternProperties !== undefined) {
      // Which properties are others depends on the patterns and on the names.
      const text = this.opaqueText('patternProperties', [
        patternProperties,
        additionalProperties,
        [...named.keys()].sort(),
      ]);
      this.#note('object', text);
      if (named.size > 0) this.#properties.push({ named, others: undefined });
      return;
    }
    const others = isSchema(additionalProperties) ? additionalProperties : undefined;
    if (named.size > 0 || others !== undefined) this.#properties.push({ named, others });
  }

  #readItems({ items, prefixItems }: Keywords): void {
    // The first items, as older drafts have them.
    if (Array.isArray(items)) return this.#note('array', this.opaqueText('items', items));
    const list = Array.isArray(prefixItems) ? (prefixItems as unknown[]) : [];
    this.#items.push({ first: list.filter(isSchema), rest: isSchema(items) ? items : undefined });
  }

  #readKeyword(keyword: string, value: unknown): void {
    if (isWord(keyword)) return;
    if (keyword === OPAQUE) return void this.#opaque.push(value as OpaqueConstraint);
    const read = READERS[keyword];
    if (!read || !read(this, value)) this.#note(TYPES.get(keyword), this.opaqueText(keyword, value));
  }

  /** Numbers from here on, or up to here. */
  narrow(side: 'least' | 'most', value: number, isOut: boolean): void {
    this.#range = limited(this.#range, side, value, isOut);
  }

  /** Characters, items or properties. */
  resize(type: JsonType, side: 'least' | 'most', value: number): void {
    const known = this.#sizes.get(type) ?? { ...ANY_RANGE, least: 0 };
    this.#sizes.set(type, limited(known, side, value, false));
  }

  /** Only values of these types. */
  keepTypes(given: readonly unknown[]): void {
    const isInteger = given.includes('integer') && !given.includes('number');
    const wanted = new Set(given.map((type) => (type === 'integer' ? 'number' : type)));
    this.#types = new Set([...this.#types].filter((type) => wanted.has(type)));
    if (isInteger) this.#multiples.push(1);
  }

  /** Only these values. */
  keepValues(given: readonly unknown[]): void {
    const texts = new Set(given.map((value) => canonicalText(value)));
    this.#values = this.#values ? this.#values.filter((value) => texts.has(canonicalText(value))) : given;
  }

  multiple(value: number): void {
    this.#multiples.push(value);
  }

  pattern(value: string): void {
    this.#patterns.add(value);
  }

  format(value: string): void {
    this.#formats.add(value);
  }

  unique(): void {
    this.#isUnique = true;
  }

  require(names: readonly unknown[]): void {
    for (const name of names) this.#required.add(String(name));
  }
}

/** Reads one keyword. Returns whether its value is in order; otherwise it is compared as text. */
type KeywordReader = (found: Constraints, value: unknown) => boolean;

const number =
  (read: (found: Constraints, value: number) => void): KeywordReader =>
  (found, value) => {
    if (typeof value !== 'number') return false;
    read(found, value);
    return true;
  };
const text =
  (read: (found: Constraints, value: string) => void): KeywordReader =>
  (found, value) => {
    if (typeof value !== 'string') return false;
    read(found, value);
    return true;
  };
const list =
  (read: (found: Constraints, value: readonly unknown[]) => void): KeywordReader =>
  (found, value) => {
    if (!Array.isArray(value)) return false;
    read(found, value);
    return true;
  };

const READERS: Readonly<Record<string, KeywordReader | undefined>> = {
  type: (found, value) => {
    found.keepTypes(Array.isArray(value) ? (value as unknown[]) : [value]);
    return true;
  },
  const: (found, value) => {
    found.keepValues([value]);
    return true;
  },
  enum: list((found, values) => found.keepValues(values)),
  minimum: number((found, value) => found.narrow('least', value, false)),
  exclusiveMinimum: number((found, value) => found.narrow('least', value, true)),
  maximum: number((found, value) => found.narrow('most', value, false)),
  exclusiveMaximum: number((found, value) => found.narrow('most', value, true)),
  multipleOf: number((found, value) => found.multiple(value)),
  minLength: number((found, value) => found.resize('string', 'least', value)),
  maxLength: number((found, value) => found.resize('string', 'most', value)),
  minItems: number((found, value) => found.resize('array', 'least', value)),
  maxItems: number((found, value) => found.resize('array', 'most', value)),
  minProperties: number((found, value) => found.resize('object', 'least', value)),
  maxProperties: number((found, value) => found.resize('object', 'most', value)),
  pattern: text((found, value) => found.pattern(value)),
  format: text((found, value) => found.format(value)),
  uniqueItems: (found, value) => {
    if (value === true) found.unique();
    return typeof value === 'boolean';
  },
  required: list((found, names) => found.require(names)),
};

/** The values of a type that has only a few. */
function allOf(type: JsonType): readonly unknown[] | undefined {
  if (type === 'null') return [null];
  return type === 'boolean' ? [false, true] : undefined;
}
