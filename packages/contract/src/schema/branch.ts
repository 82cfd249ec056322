/** One alternative of a schema: values of one type, with everything that they have to fulfil. */
import type { JsonDocument, Schema } from './json-document';

/** The types of JSON. An integer is a number that is a multiple of 1. */
export type JsonType = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object';

/** The types of JSON. */
export const JSON_TYPES: readonly JsonType[] = ['null', 'boolean', 'number', 'string', 'array', 'object'];

/** What one of the schemas of an object says about its properties. */
export interface Properties {
  readonly named: ReadonlyMap<string, Schema>;
  /** Of all other properties; undefined for no rule. */
  readonly others: Schema | undefined;
}

/** What one of the schemas of an array says about its items. */
export interface Items {
  readonly first: readonly Schema[];
  /** Of the items after them; undefined for no rule. */
  readonly rest: Schema | undefined;
}

/** The smallest and the largest of something. */
export interface Range {
  readonly least: number;
  readonly most: number;
  /** Whether the number itself is out of the range. */
  readonly isLeastOut: boolean;
  readonly isMostOut: boolean;
}

/** All constraints of a branch; those of other types say nothing. */
export interface Branch {
  readonly type: JsonType;
  readonly document: JsonDocument;
  /** The only values that are possible; undefined for any. */
  readonly values: readonly unknown[] | undefined;
  readonly range: Range;
  readonly multiples: readonly number[];
  /** Of characters, items or properties. */
  readonly size: Range;
  readonly patterns: ReadonlySet<string>;
  readonly formats: ReadonlySet<string>;
  readonly isUnique: boolean;
  readonly items: readonly Items[];
  readonly properties: readonly Properties[];
  readonly required: ReadonlySet<string>;
  /** Constraints that are only compared by their text, such as `not`. */
  readonly opaque: ReadonlySet<string>;
}

/** Any number of anything. */
export const ANY_RANGE: Range = { least: -Infinity, most: Infinity, isLeastOut: false, isMostOut: false };

/** A range with another limit on one side, if that is narrower. */
export function limited(range: Range, side: 'least' | 'most', value: number, isOut: boolean): Range {
  const [known, knownOut] = side === 'least' ? [range.least, range.isLeastOut] : [range.most, range.isMostOut];
  const isNarrower = side === 'least' ? value > known : value < known;
  const out = value === known ? knownOut || isOut : isNarrower ? isOut : knownOut;
  const number = isNarrower ? value : known;
  return side === 'least' ? { ...range, least: number, isLeastOut: out } : { ...range, most: number, isMostOut: out };
}

/** The type of a JSON value. */
export function typeOf(value: unknown): JsonType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  const type = typeof value;
  return type === 'boolean' || type === 'number' || type === 'string' ? type : 'object';
}

/** The schemas of a property: of each schema, its own or that of all others. */
export function schemasOfProperty({ properties }: Branch, name: string): readonly Schema[] {
  return properties.flatMap(({ named, others }) => {
    const own = named.get(name) ?? others;
    return own === undefined ? [] : [own];
  });
}

/** The schemas of properties without a schema of their own. */
export function schemasOfOthers({ properties }: Branch): readonly Schema[] {
  return properties.flatMap(({ others }) => (others === undefined ? [] : [others]));
}

/** The schemas of the item at an index. */
export function schemasOfItem({ items }: Branch, index: number): readonly Schema[] {
  return items.flatMap(({ first, rest }) => {
    const own = first[index] ?? rest;
    return own === undefined ? [] : [own];
  });
}

/** The number of items after which all have the same schemas. */
export function lengthOfFirst({ items }: Branch): number {
  return Math.max(0, ...items.map(({ first }) => first.length));
}
