/**
 * Every constraint of class-validator about types or values, by its name in class-validator. A constraint that is not in the table is
 * custom: it runs, but the listed schema does not contain it.
 */
import { comparable, type Interpret, type Meaning } from './constraint-meaning';
import { stringConstraints } from './string-constraints';
import { hasUniqueItems } from './unique-items';
import type { Kind } from '../value-plan';

const typed =
  (kinds: readonly Kind[], rest: Meaning = {}): Interpret =>
  () => ({ kinds, ...rest });
const isSize = (value: unknown): value is number => Number.isInteger(value) && Number(value) >= 0;

/** A limit that can be listed only where it is a plain number of the right sort. */
function limit(keyword: string, kinds: readonly Kind[], fits: (value: unknown) => boolean): Interpret {
  return ([value]) => (fits(value) ? { kinds, keywords: { [keyword]: value } } : { kinds, stricter: true });
}

const typeConstraints: Readonly<Record<string, Interpret>> = {
  isBoolean: typed(['boolean']),
  isInt: typed(['number'], { integer: true }),
  isNumber: ([options]) => interpretNumber(options),
  isString: typed(['string']),
  isArray: typed(['array']),
  isObject: typed(['object']),
  isDate: typed(['date'], { stricter: true }),
  isInstance: ([type]) => interpretInstance(type),
  isNotEmptyObject: ([options]) => ({
    kinds: ['object'],
    keywords: { minProperties: 1 },
    ...(hasOption(options, 'nullable', false) ? { stricter: true } : { checkedBy: hasMembers }),
  }),
};

const valueConstraints: Readonly<Record<string, Interpret>> = {
  isDefined: () => ({ neverNull: true }),
  isNotEmpty: () => ({ neverNull: true, keywords: { minLength: 1 } }),
  isEmpty: () => ({ allowed: ['', null], mayBeAbsent: true }),
  isEnum: ([entity]) => ({ allowed: enumValues(entity) }),
  isIn: ([values]) => ({ allowed: Array.isArray(values) ? values : [] }),
  isNotIn: ([values]) => ({ excluded: Array.isArray(values) ? values : [] }),
  equals: ([value]) => ({ allowed: [value] }),
  notEquals: ([value]) => ({ excluded: [value] }),
};

const numberConstraints: Readonly<Record<string, Interpret>> = {
  min: limit('minimum', ['number'], Number.isFinite),
  max: limit('maximum', ['number'], Number.isFinite),
  isPositive: () => ({ kinds: ['number'], keywords: { exclusiveMinimum: 0 } }),
  isNegative: () => ({ kinds: ['number'], keywords: { exclusiveMaximum: 0 } }),
  isDivisibleBy: ([divisor]) => interpretDivisor(divisor),
  isLatitude: () => ({ kinds: ['number', 'string'], keywords: { minimum: -90, maximum: 90 }, stricter: true }),
  isLongitude: () => ({ kinds: ['number', 'string'], keywords: { minimum: -180, maximum: 180 }, stricter: true }),
};

const arrayConstraints: Readonly<Record<string, Interpret>> = {
  arrayNotEmpty: () => ({ kinds: ['array'], keywords: { minItems: 1 } }),
  arrayMinSize: limit('minItems', ['array'], isSize),
  arrayMaxSize: limit('maxItems', ['array'], isSize),
  arrayUnique: () => ({ kinds: ['array'], keywords: { uniqueItems: true }, checkedBy: isUniqueArray }),
  arrayContains: ([values]) => interpretContains(values),
  arrayNotContains: ([values]) => ({
    kinds: ['array'],
    keywords: comparable(values).length > 0 ? { not: { contains: { enum: comparable(values) } } } : {},
  }),
};

const dateConstraints: Readonly<Record<string, Interpret>> = {
  minDate: ([date]) => ({
    kinds: ['date'],
    stricter: true,
    ...(date instanceof Date && { period: { earliest: date.getTime() } }),
  }),
  maxDate: ([date]) => ({
    kinds: ['date'],
    stricter: true,
    ...(date instanceof Date && { period: { latest: date.getTime() } }),
  }),
};

const table: ReadonlyMap<string, Interpret> = new Map(
  Object.entries({
    ...typeConstraints,
    ...valueConstraints,
    ...numberConstraints,
    ...arrayConstraints,
    ...dateConstraints,
    ...stringConstraints,
  }),
);

/** The meaning of a constraint; undefined for one that class-validator does not have. */
export function findMeaning(name: string, parameters: readonly unknown[]): Meaning | undefined {
  return table.get(name)?.(parameters);
}

/** A Set and a Map are on the wire what they are made of; of other classes only the finished instance can tell. */
function interpretInstance(type: unknown): Meaning | undefined {
  const checkedBy = (): boolean => true;
  if (type === Set) return { kinds: ['array'], made: 'Set', checkedBy };
  return type === Map ? { kinds: ['object'], made: 'Map', checkedBy } : undefined;
}

function interpretNumber(options: unknown): Meaning {
  const places =
    typeof options === 'object' && options !== null && 'maxDecimalPlaces' in options
      ? options.maxDecimalPlaces
      : undefined;
  if (places === undefined) return { kinds: ['number'] };
  // multipleOf 0.01 would refuse 0.07 in the validators of most languages, so only "no places" can be listed.
  return places === 0 ? { kinds: ['number'], integer: true } : { kinds: ['number'], stricter: true };
}

function interpretDivisor(divisor: unknown): Meaning {
  // class-validator cuts the divisor down to a whole number.
  const whole = typeof divisor === 'number' ? Math.abs(Math.trunc(divisor)) : 0;
  if (whole === 0 || !Number.isFinite(whole)) return { kinds: ['number'], stricter: true };
  return {
    kinds: ['number'],
    keywords: { multipleOf: whole },
    checkedBy: (value) => typeof value === 'number' && isMultiple(value, whole),
  };
}

/** As JSON Schema validators divide, ajv among them: beyond 1e21 they find no multiples. */
function isMultiple(value: number, divisor: number): boolean {
  const quotient = value / divisor;
  return Number.isInteger(quotient) && Math.abs(quotient) < 1e21;
}

function interpretContains(values: unknown): Meaning {
  const wanted = comparable(values);
  if (!Array.isArray(values) || wanted.length < values.length) return { kinds: ['array'], stricter: true };
  if (wanted.length === 0) return { kinds: ['array'] };
  return { kinds: ['array'], keywords: { allOf: wanted.map((value) => ({ contains: { const: value } })) } };
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

function isUniqueArray(value: unknown): boolean {
  return Array.isArray(value) && hasUniqueItems(value);
}

function hasMembers(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

function hasOption(options: unknown, name: string, value: unknown): boolean {
  return (
    typeof options === 'object' &&
    options !== null &&
    new Map<string, unknown>(Object.entries(options)).get(name) === value
  );
}
