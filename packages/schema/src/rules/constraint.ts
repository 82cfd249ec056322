/** A constraint of class-validator as data: its decorator, its values, how its arguments become keywords of JSON Schema, and its meaning. */
import type { FormFormat } from '../date-text';
import type { JsonSchema, Kind } from '../value-plan';

/** A value of a keyword that is taken from an argument of the decorator. */
export interface FromArgument {
  /** The position of the argument. */
  readonly argument: number;
  /** How the argument becomes the value of the keyword, and the value the argument. */
  readonly map: ArgumentMap;
}

/** One row of the table. It is read forwards by `findMeaning`, and backwards by `findDecorators`. */
export interface Constraint {
  /** The name of the constraint in class-validator: `isLength`. */
  readonly name: string;
  /** The name of its decorator, without an at sign: `Length`. */
  readonly decorator: string;
  /** The kinds of values that it accepts; left out if it is about values of any kind. */
  readonly kinds?: readonly Kind[];
  /** The keywords that are always listed, as they are. */
  readonly fixed?: JsonSchema;
  /** The keywords whose values are taken from arguments. `enum` and `const` list the only values, `not` the refused ones. */
  readonly taken?: Readonly<Record<string, FromArgument>>;
  /** What else is known of it: it accepts integers only, it refuses more than its keywords say. */
  readonly marks?: Pick<Meaning, 'integer' | 'neverNull' | 'stricter' | 'loose' | 'dateText' | 'mayBeAbsent'>;
  /** The format that a form may publish, if the decorator has no options. */
  readonly format?: FormFormat;
  /** Values are checked by what the keywords say, because class-validator does not agree with them. */
  readonly checkedAsListed?: true;
  /** With an argument it says something that no keyword can say. */
  readonly bareOnly?: true;
  /** Where data are not enough: what the arguments mean. The other members still say what is listed. */
  readonly interpret?: Interpret;
  /** It is not the decorator that its keywords lead back to: they do not say it, or another decorator says the same. */
  readonly oneWay?: true;
}

// How arguments of decorators become values of keywords, and how these become arguments again.

/** The name of a map. */
export type ArgumentMap = keyof typeof ARGUMENT_MAPS;

/** Written in place of a value that cannot be listed: the keyword would say something else. */
export const UNLISTED = Symbol('unlisted');

/** Both directions of one map. */
interface BothWays {
  /** An argument -> the value of the keyword; undefined if the keyword is not needed, `UNLISTED` if no value says the same. */
  readonly write: (argument: unknown) => unknown;
  /** The value of a keyword -> the argument; undefined if the decorator cannot say it. */
  readonly read: (value: unknown) => unknown;
}

const isSize = (value: unknown): value is number => Number.isInteger(value) && Number(value) >= 0;
const only =
  (fits: (value: unknown) => boolean) =>
  (value: unknown): unknown =>
    fits(value) ? value : UNLISTED;
const readIf =
  (fits: (value: unknown) => boolean) =>
  (value: unknown): unknown =>
    fits(value) ? value : undefined;
const isText = (value: unknown): value is string => typeof value === 'string';
const VERSIONS: readonly (readonly [string, string])[] = [
  ['4', 'ipv4'],
  ['6', 'ipv6'],
];

/** Every map by its name. */
export const ARGUMENT_MAPS = {
  /** A finite number, as it is. */
  number: { write: only(Number.isFinite), read: readIf(Number.isFinite) },
  /** A number of items. */
  size: { write: only(isSize), read: readIf(isSize) },
  /** The smallest length: a length is a whole number, and 0 says nothing. */
  least: {
    write: (value: unknown) => {
      if (value === undefined || value === null) return undefined;
      if (typeof value !== 'number' || Number.isNaN(value) || value === -Infinity) return UNLISTED;
      return value > 0 ? Math.ceil(value) : undefined;
    },
    read: readIf(isSize),
  },
  /** The greatest length. */
  most: {
    write: (value: unknown) => {
      if (value === undefined || value === null) return undefined;
      if (typeof value !== 'number' || Number.isNaN(value) || value < 0) return UNLISTED;
      return value < Infinity ? Math.floor(value) : undefined;
    },
    read: readIf(isSize),
  },
  /** class-validator cuts a divisor down to a whole number. */
  divisor: {
    write: (value: unknown) => {
      const whole = typeof value === 'number' ? Math.abs(Math.trunc(value)) : 0;
      return whole === 0 || !Number.isFinite(whole) ? UNLISTED : whole;
    },
    read: readIf((value) => Number.isInteger(value) && Number(value) > 0),
  },
  /** A regular expression, or its source. */
  expression: {
    write: (value: unknown) => (value instanceof RegExp ? value.source : String(value)),
    read: readExpression,
  },
  /** The only values; in an enum, its members. */
  values: {
    write: (value: unknown) => (Array.isArray(value) ? (value as unknown[]) : []),
    read: (value: unknown) => (Array.isArray(value) ? (value as unknown[]) : undefined),
  },
  members: { write: enumValues, read: () => undefined },
  /** The only value. */
  value: { write: (value: unknown) => value, read: (value: unknown) => value },
  /** Values that are refused, in the keyword `not`. */
  refusedValues: {
    write: (value: unknown) => ({ enum: Array.isArray(value) ? (value as unknown[]) : [] }),
    read: (value: unknown) => memberOf(value, 'enum', (list) => Array.isArray(list)),
  },
  refusedValue: { write: (value: unknown) => ({ enum: [value] }), read: () => undefined },
  /** Values that an array must have, as the keyword `allOf`. */
  contained: {
    write: (values: unknown) => {
      const wanted = comparable(values);
      if (!Array.isArray(values) || wanted.length < values.length) return UNLISTED;
      return wanted.length === 0 ? undefined : wanted.map((value) => ({ contains: { const: value } }));
    },
    read: (value: unknown) => readContained(value),
  },
  /** Values that an array must not have, in the keyword `not`. */
  notContained: {
    write: (values: unknown) =>
      comparable(values).length > 0 ? { contains: { enum: comparable(values) } } : undefined,
    read: (value: unknown) =>
      memberOf(
        memberOf(value, 'contains', () => true),
        'enum',
        (list) => Array.isArray(list),
      ),
  },
  /** The version of an IP address, as a format. */
  ipVersion: {
    write: (version: unknown) => VERSIONS.find(([name]) => name === String(version))?.[1],
    read: (format: unknown) => VERSIONS.find(([, name]) => name === format)?.[0],
  },
} as const satisfies Readonly<Record<string, BothWays>>;

function readExpression(source: unknown): RegExp | undefined {
  if (!isText(source)) return undefined;
  try {
    return new RegExp(source, 'u');
  } catch {
    return undefined; // written for another dialect of regular expressions
  }
}

function readContained(value: unknown): readonly unknown[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const found = value.map((each: unknown) =>
    memberOf(
      memberOf(each, 'contains', () => true),
      'const',
      () => true,
    ),
  );
  return found.includes(undefined) ? undefined : found;
}

/** A member of an object that has no other member; undefined if it is another value, or does not fit. */
function memberOf(value: unknown, name: string, fits: (member: unknown) => boolean): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  const [first, ...others] = Object.entries(value) as [string, unknown][];
  return first?.[0] === name && others.length === 0 && fits(first[1]) ? first[1] : undefined;
}

/** A numeric enum also maps its numbers back to the names, which are not values. */
function enumValues(entity: unknown): readonly unknown[] {
  if (typeof entity !== 'object' || entity === null) return [];
  if (Array.isArray(entity)) return entity;
  const members = new Map<string, unknown>(Object.entries(entity));
  return [...members]
    .filter(
      ([key, value]) =>
        !(typeof value === 'string' && String(Number(key)) === key && members.get(value) === Number(key)),
    )
    .map(([, value]) => value);
}

// The meaning of a class-validator constraint in JSON Schema.

/** The part of a constraint that JSON Schema can express. */
export interface Meaning {
  /** The types that it accepts; absent if it accepts any type. */
  readonly kinds?: readonly Kind[];
  readonly integer?: true;
  readonly neverNull?: true;
  readonly keywords?: JsonSchema;
  /** The only values it accepts. */
  readonly allowed?: readonly unknown[];
  /** Values it refuses. */
  readonly excluded?: readonly unknown[];
  /** The value is a Set or a Map in the handler. */
  readonly made?: 'Set' | 'Map';
  /** An absent value satisfies it. */
  readonly mayBeAbsent?: true;
  /**
   * A check to use instead of class-validator's, if that would not agree with the keywords; without it, class-validator's own is used.
   */
  readonly checkedBy?: (value: unknown) => boolean;
  /** The constraint refuses more than the schema does. */
  readonly stricter?: true;
  /**
   * What it accepts, in words: more texts than its format. Clients check values before they send them, and what they receive, so the format
   * is not listed.
   */
  readonly loose?: string;
  /** A format that a form may publish for it; left out if the constraint differs from the format. */
  readonly formFormat?: FormFormat;
  /** It checks the text of a date; a property that is declared as a Date receives the Date. */
  readonly dateText?: true;
  /** The earliest and latest date in milliseconds, if the author names fixed dates. */
  readonly period?: Readonly<Partial<Record<'earliest' | 'latest', number>>>;
  /** The author's regular expression. */
  readonly expression?: RegExp | undefined;
}

/** The decorator's arguments -> the meaning. */
export type Interpret = (parameters: readonly unknown[]) => Meaning | undefined;

/** class-validator compares with `===`, so only the primitives in a list of values can match JSON. */
export function comparable(values: unknown): readonly unknown[] {
  if (!Array.isArray(values)) return [];
  const primitives = values.filter(
    (value: unknown) => value === null || ['string', 'boolean'].includes(typeof value) || Number.isFinite(value),
  );
  return [...new Set<unknown>(primitives)];
}
