/**
 * Every constraint of class-validator about types or values, as data. A constraint that is not in the table is custom: it runs, but the
 * listed schema does not contain it. Where several decorators say the same, the first of them is the one that keywords lead back to.
 */
import type { Constraint, Interpret, Meaning } from './constraint';
import { STRING_CONSTRAINTS } from './string-constraints';

const NUMBER = ['number'] as const;
const ARRAY = ['array'] as const;
const STRICTER = { stricter: true } as const;

const TYPES: readonly Constraint[] = [
  { name: 'isBoolean', decorator: 'IsBoolean', kinds: ['boolean'] },
  { name: 'isInt', decorator: 'IsInt', kinds: NUMBER, marks: { integer: true } },
  { name: 'isNumber', decorator: 'IsNumber', kinds: NUMBER, interpret: ([options]) => interpretNumber(options) },
  { name: 'isString', decorator: 'IsString', kinds: ['string'] },
  { name: 'isArray', decorator: 'IsArray', kinds: ARRAY },
  { name: 'isObject', decorator: 'IsObject', kinds: ['object'] },
  { name: 'isDate', decorator: 'IsDate', kinds: ['date'], marks: STRICTER, oneWay: true },
  { name: 'isInstance', decorator: 'IsInstance', interpret: ([type]) => interpretInstance(type), oneWay: true },
  {
    name: 'isNotEmptyObject',
    decorator: 'IsNotEmptyObject',
    kinds: ['object'],
    fixed: { minProperties: 1 },
    interpret: ([options]) => ({
      kinds: ['object'],
      keywords: { minProperties: 1 },
      ...(hasOption(options, 'nullable', false) ? STRICTER : { checkedBy: hasMembers }),
    }),
  },
];

const VALUES: readonly Constraint[] = [
  { name: 'isDefined', decorator: 'IsDefined', marks: { neverNull: true }, oneWay: true },
  {
    name: 'isNotEmpty',
    decorator: 'IsNotEmpty',
    fixed: { minLength: 1 },
    marks: { neverNull: true },
    // Of a text, Length(1) says it, too, and the number of its characters with it.
    oneWay: true,
  },
  { name: 'isEmpty', decorator: 'IsEmpty', fixed: { enum: ['', null] }, marks: { mayBeAbsent: true }, oneWay: true },
  { name: 'isIn', decorator: 'IsIn', taken: { enum: { argument: 0, map: 'values' } } },
  { name: 'isEnum', decorator: 'IsEnum', taken: { enum: { argument: 0, map: 'members' } }, oneWay: true },
  { name: 'equals', decorator: 'Equals', taken: { const: { argument: 0, map: 'value' } } },
  { name: 'isNotIn', decorator: 'IsNotIn', taken: { not: { argument: 0, map: 'refusedValues' } } },
  { name: 'notEquals', decorator: 'NotEquals', taken: { not: { argument: 0, map: 'refusedValue' } }, oneWay: true },
];

const NUMBERS: readonly Constraint[] = [
  { name: 'isPositive', decorator: 'IsPositive', kinds: NUMBER, fixed: { exclusiveMinimum: 0 } },
  { name: 'isNegative', decorator: 'IsNegative', kinds: NUMBER, fixed: { exclusiveMaximum: 0 } },
  { name: 'min', decorator: 'Min', kinds: NUMBER, taken: { minimum: { argument: 0, map: 'number' } } },
  { name: 'max', decorator: 'Max', kinds: NUMBER, taken: { maximum: { argument: 0, map: 'number' } } },
  {
    name: 'isDivisibleBy',
    decorator: 'IsDivisibleBy',
    kinds: NUMBER,
    taken: { multipleOf: { argument: 0, map: 'divisor' } },
    checkedAsListed: true,
  },
  latitude('isLatitude', 'IsLatitude', 90),
  latitude('isLongitude', 'IsLongitude', 180),
];

const ARRAYS: readonly Constraint[] = [
  { name: 'arrayNotEmpty', decorator: 'ArrayNotEmpty', kinds: ARRAY, fixed: { minItems: 1 } },
  { name: 'arrayMinSize', decorator: 'ArrayMinSize', kinds: ARRAY, taken: { minItems: { argument: 0, map: 'size' } } },
  { name: 'arrayMaxSize', decorator: 'ArrayMaxSize', kinds: ARRAY, taken: { maxItems: { argument: 0, map: 'size' } } },
  {
    name: 'arrayUnique',
    decorator: 'ArrayUnique',
    kinds: ARRAY,
    fixed: { uniqueItems: true },
    checkedAsListed: true,
  },
  {
    name: 'arrayContains',
    decorator: 'ArrayContains',
    kinds: ARRAY,
    taken: { allOf: { argument: 0, map: 'contained' } },
  },
  {
    name: 'arrayNotContains',
    decorator: 'ArrayNotContains',
    kinds: ARRAY,
    taken: { not: { argument: 0, map: 'notContained' } },
  },
];

const DATES: readonly Constraint[] = [
  { name: 'minDate', decorator: 'MinDate', kinds: ['date'], interpret: period('earliest'), oneWay: true },
  { name: 'maxDate', decorator: 'MaxDate', kinds: ['date'], interpret: period('latest'), oneWay: true },
];

/** All rows. */
export const CONSTRAINTS: readonly Constraint[] = [
  ...TYPES,
  ...VALUES,
  ...NUMBERS,
  ...ARRAYS,
  ...DATES,
  ...STRING_CONSTRAINTS,
];

/** Accepts texts, too. */
function latitude(name: string, decorator: string, most: number): Constraint {
  const fixed = { minimum: -most, maximum: most };
  return { name, decorator, kinds: ['number', 'string'], fixed, marks: STRICTER, oneWay: true };
}

/** Only a fixed date is known at start. */
function period(end: 'earliest' | 'latest'): Interpret {
  return ([date]) => ({
    kinds: ['date'],
    stricter: true,
    ...(date instanceof Date && { period: { [end]: date.getTime() } }),
  });
}

/** A Date, a Set and a Map are on the wire what they are made of; of other classes only the finished instance can tell. */
function interpretInstance(type: unknown): Meaning | undefined {
  const checkedBy = (): boolean => true;
  if (type === Date) return { kinds: ['date'], stricter: true };
  if (type === Set) return { kinds: ['array'], made: 'Set', checkedBy };
  return type === Map ? { kinds: ['object'], made: 'Map', checkedBy } : undefined;
}

function interpretNumber(options: unknown): Meaning {
  const places =
    typeof options === 'object' && options !== null && 'maxDecimalPlaces' in options
      ? options.maxDecimalPlaces
      : undefined;
  if (places === undefined) return { kinds: NUMBER };
  // multipleOf 0.01 would refuse 0.07 in the validators of most languages, so only "no places" can be listed.
  return places === 0 ? { kinds: NUMBER, integer: true } : { kinds: NUMBER, stricter: true };
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
