/** Values and rules that generated classes are made of. */
import * as cv from 'class-validator';
import fc from 'fast-check';

type Options = { each?: boolean };
/** A decorator, for a value or for each item. */
export type Rule = (options: Options) => PropertyDecorator;

/** Names that objects have by themselves, and others that nobody declares. */
export const hostileKeys = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'p9', ''];
const words = [
  '',
  'a',
  'ab',
  'abc',
  'a.b',
  'A1',
  '😀',
  '❤️',
  '\ud83d',
  '12',
  '-1.5',
  '23:59',
  'true',
  'x'.repeat(24),
  'f'.repeat(24),
  '0x1f',
];
/** Texts that some rules accept. */
export const texts = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom('a', 'ab', 'abc') },
  { weight: 2, arbitrary: fc.constantFrom(...words) },
  fc.string({ maxLength: 6 }),
  fc.string({ unit: 'binary', maxLength: 4 }),
);
/** Numbers that some rules accept. */
export const numbers = fc.oneof(
  fc.constantFrom(3, 6, 9, 1, 2),
  fc.integer({ min: -10, max: 20 }),
  fc.double({ min: -1e6, max: 1e6, noNaN: true }),
  fc.constantFrom(-0, 0.5, 2 ** 53),
);
/** Any JSON. */
export const anything = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  texts,
  numbers,
  fc.constantFrom(null, true, [], {}, [[]], [null]),
);

/** Rules of texts. */
export const textRules: readonly Rule[] = [
  (o) => cv.Length(1, 3, o), (o) => cv.MinLength(2, o), (o) => cv.MaxLength(2, o), (o) => cv.Matches(/^.{1,2}$/, o),
  (o) => cv.Matches(/^[a-z]/u, o), (o) => cv.Contains('a', o), (o) => cv.Contains('.', o), (o) => cv.NotContains('b', o),
  (o) => cv.IsNotEmpty(o), (o) => cv.NotEquals('ab', o), (o) => cv.IsNotIn(['a', 'abc'], o), (o) => cv.IsIn(['a', 'ab', '😀'], o),
  (o) => cv.IsAlpha(undefined, o), (o) => cv.IsAlphanumeric(undefined, o), (o) => cv.IsAscii(o), (o) => cv.IsHexadecimal(o),
  (o) => cv.IsMongoId(o), (o) => cv.IsMilitaryTime(o), (o) => cv.IsNumberString(undefined, o), (o) => cv.IsBooleanString(o),
  (o) => cv.IsDefined(o),
]; // prettier-ignore
/** Rules of numbers. */
export const numberRules: readonly Rule[] = [
  (o) => cv.Min(0, o), (o) => cv.Min(-2.5, o), (o) => cv.Max(10, o), (o) => cv.IsPositive(o), (o) => cv.IsNegative(o),
  (o) => cv.IsDivisibleBy(3, o), (o) => cv.IsIn([1, 2, 0.5], o), (o) => cv.NotEquals(0, o), (o) => cv.IsInt(o), (o) => cv.IsNotEmpty(o),
]; // prettier-ignore
/** Rules that name a type or values. */
export const otherRules: readonly Rule[] = [
  (o) => cv.IsBoolean(o), (o) => cv.Equals(true, o), (o) => cv.IsObject(o), (o) => cv.IsNotEmptyObject(undefined, o),
  (o) => cv.IsEnum({ A: 0, B: 1, 0: 'A', 1: 'B' }, o), (o) => cv.IsEnum({ A: 'a', B: 'b', C: 3, 3: 'C' }, o), (o) => cv.IsEnum(['a', 'ab'], o),
  (o) => cv.IsIn(['a', 1, null, true], o), (o) => cv.Equals('a', o), (o) => cv.IsEmpty(o),
]; // prettier-ignore
/** Rules of arrays. */
export const arrayRules: readonly PropertyDecorator[] = [
  cv.ArrayMinSize(1), cv.ArrayMaxSize(2), cv.ArrayNotEmpty(), cv.ArrayUnique(), cv.ArrayContains(['a']), cv.ArrayNotContains(['ab', 1]),
]; // prettier-ignore
