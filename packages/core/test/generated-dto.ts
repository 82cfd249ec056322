/** DTO classes made at run time from random combinations of decorators, and values that nearly fit them. */
import { Type } from 'class-transformer';
import * as cv from 'class-validator';
import fc from 'fast-check';
import { Nullable } from '../src/decorators/nullable';
import type { Class } from '../src/values/class';

/** One property: its decorators, and values that its author had in mind. */
interface Field {
  readonly decorators: readonly PropertyDecorator[];
  readonly values: fc.Arbitrary<unknown>;
}

/** A class and values for it. */
export interface GeneratedDto {
  readonly dto: Class;
  readonly values: fc.Arbitrary<unknown>;
}

type Options = { each?: boolean };
type Rule = (options: Options) => PropertyDecorator;

const hostileKeys = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'p9', ''];
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
const texts = fc.oneof(
  fc.constantFrom(...words),
  fc.string({ maxLength: 6 }),
  fc.string({ unit: 'binary', maxLength: 4 }),
);
const numbers = fc.oneof(
  fc.integer({ min: -10, max: 20 }),
  fc.double({ min: -1e6, max: 1e6, noNaN: true }),
  fc.constantFrom(-0, 0.5, 2 ** 53),
);
const anything = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  texts,
  numbers,
  fc.constantFrom(null, true, [], {}, [[]], [null]),
);

const textRules: readonly Rule[] = [
  (o) => cv.Length(1, 3, o), (o) => cv.MinLength(2, o), (o) => cv.MaxLength(2, o), (o) => cv.Matches(/^.{1,2}$/, o),
  (o) => cv.Matches(/^[a-z]/u, o), (o) => cv.Contains('a', o), (o) => cv.Contains('.', o), (o) => cv.NotContains('b', o),
  (o) => cv.IsNotEmpty(o), (o) => cv.NotEquals('ab', o), (o) => cv.IsNotIn(['a', 'abc'], o), (o) => cv.IsIn(['a', 'ab', '😀'], o),
  (o) => cv.IsAlpha(undefined, o), (o) => cv.IsAlphanumeric(undefined, o), (o) => cv.IsAscii(o), (o) => cv.IsHexadecimal(o),
  (o) => cv.IsMongoId(o), (o) => cv.IsMilitaryTime(o), (o) => cv.IsNumberString(undefined, o), (o) => cv.IsBooleanString(o),
  (o) => cv.IsDefined(o),
]; // prettier-ignore
const numberRules: readonly Rule[] = [
  (o) => cv.Min(0, o), (o) => cv.Min(-2.5, o), (o) => cv.Max(10, o), (o) => cv.IsPositive(o), (o) => cv.IsNegative(o),
  (o) => cv.IsDivisibleBy(3, o), (o) => cv.IsIn([1, 2, 0.5], o), (o) => cv.NotEquals(0, o), (o) => cv.IsInt(o), (o) => cv.IsNotEmpty(o),
]; // prettier-ignore
const otherRules: readonly Rule[] = [
  (o) => cv.IsBoolean(o), (o) => cv.Equals(true, o), (o) => cv.IsObject(o), (o) => cv.IsNotEmptyObject(undefined, o),
  (o) => cv.IsEnum({ A: 0, B: 1, 0: 'A', 1: 'B' }, o), (o) => cv.IsEnum({ A: 'a', B: 'b', C: 3, 3: 'C' }, o), (o) => cv.IsEnum(['a', 'ab'], o),
  (o) => cv.IsIn(['a', 1, null, true], o), (o) => cv.Equals('a', o), (o) => cv.IsEmpty(o),
]; // prettier-ignore
const arrayRules: readonly PropertyDecorator[] = [
  cv.ArrayMinSize(1), cv.ArrayMaxSize(2), cv.ArrayNotEmpty(), cv.ArrayUnique(), cv.ArrayContains(['a']), cv.ArrayNotContains(['ab', 1]),
]; // prettier-ignore

const pick = <T>(rules: readonly T[], maxLength: number): fc.Arbitrary<T[]> => fc.subarray([...rules], { maxLength });

/** Rules for one value, with the type first or last: the order of decorators must not matter. */
const scalarRules: fc.Arbitrary<{ rules: Rule[]; values: fc.Arbitrary<unknown> }> = fc.oneof(
  fc.tuple(pick(textRules, 2), fc.boolean()).map(([rules, last]) => {
    const type: Rule = (o) => cv.IsString(o);
    return { rules: last ? [...rules, type] : [type, ...rules], values: texts };
  }),
  fc.tuple(pick(numberRules, 2), fc.boolean()).map(([rules, last]) => {
    const type: Rule = (o) => cv.IsNumber({}, o);
    return { rules: last ? [...rules, type] : [type, ...rules], values: numbers };
  }),
  pick(otherRules, 1).filter((rules) => rules.length > 0).map((rules) => ({
    rules, values: fc.constantFrom<unknown>(true, false, {}, { a: 1 }, 0, 1, 2, 'A', 'a', 'b', 'ab', null, ''),
  })),
); // prettier-ignore

const scalarField: fc.Arbitrary<Field> = scalarRules.map(({ rules, values }) => ({
  decorators: rules.map((rule) => rule({})),
  values,
}));
const listField: fc.Arbitrary<Field> = fc.tuple(scalarRules, pick(arrayRules, 2)).map(([{ rules, values }, list]) => ({
  decorators: [...rules.map((rule) => rule({ each: true })), ...list],
  values: fc.oneof(fc.array(values, { maxLength: 3 }), values),
}));
const freeField: fc.Arbitrary<Field> = fc.constantFrom<PropertyDecorator[]>(
  [cv.Allow(), emit(Object)], [cv.Allow(), cv.IsNotEmpty(), emit(Object)], [cv.Allow(), cv.IsDefined(), emit(Object)],
  [cv.Allow(), cv.NotEquals(null), emit(Object)], [cv.IsArray()], [cv.IsArray({ each: true })], [cv.IsNotEmpty(), emit(String)], [cv.IsArray(), cv.ArrayUnique()],
).map((decorators) => ({ decorators, values: anything })); // prettier-ignore

/** What the compiler would have emitted. */
function emit(type: unknown): PropertyDecorator {
  return Reflect.metadata('design:type', type);
}

function nestedField(depth: number): fc.Arbitrary<Field> {
  return fc
    .tuple(generatedDto(depth - 1), fc.boolean(), pick(arrayRules.slice(0, 4), 1))
    .map(([{ dto, values }, each, list]) => ({
      decorators: [cv.ValidateNested({ each }), Type(() => dto), ...(each ? list : [])],
      values: each ? fc.oneof(fc.array(values, { maxLength: 3 }), values) : values,
    }));
}

function generatedField(depth: number): fc.Arbitrary<Field> {
  const flat = [scalarField, listField, freeField];
  return fc.oneof(...(depth > 0 ? [...flat, nestedField(depth)] : flat));
}

/** What is asked of the finished instance, and refuses no more than the schema: nothing, yes, or no under a condition that does not hold. */
const lateDecorators: fc.Arbitrary<readonly PropertyDecorator[]> = fc.oneof(
  { weight: 4, arbitrary: fc.constant([]) },
  fc.constant([custom(true)]),
  fc.constant([custom(false), cv.ValidateIf(() => false)]),
);

function custom(accepts: boolean): PropertyDecorator {
  return cv.ValidateBy({ name: 'custom', validator: { validate: () => accepts } });
}

interface Part {
  readonly field: Field;
  readonly optional: boolean;
  readonly nullable: boolean;
  readonly late: readonly PropertyDecorator[];
  /** `[value]` where the class initialises the property. */
  readonly initial: readonly unknown[];
}

function generatedPart(depth: number): fc.Arbitrary<Part> {
  return generatedField(depth).chain((field) =>
    fc.record({
      field: fc.constant(field),
      optional: fc.boolean(),
      nullable: fc.boolean(),
      late: lateDecorators,
      initial: fc.oneof(
        { weight: 3, arbitrary: fc.constant([]) },
        fc.oneof(field.values, anything).map((value) => [value]),
      ),
    }),
  );
}

/** A class with up to four properties, nested up to `depth` levels; some contain themselves. */
export function generatedDto(depth: number): fc.Arbitrary<GeneratedDto> {
  return fc.tuple(fc.array(generatedPart(depth), { maxLength: 4 }), fc.boolean()).map(([parts, recursive]) => {
    const dto = buildClass(parts, recursive);
    return { dto, values: fc.oneof({ weight: 9, arbitrary: valuesOf(parts, recursive ? 2 : 0) }, anything) };
  });
}

function buildClass(parts: readonly Part[], recursive: boolean): Class {
  class Generated {
    constructor() {
      parts.forEach(({ initial }, index) => Object.assign(this, { [`p${index}`]: structuredClone(initial[0]) }));
    }
  }
  parts.forEach(({ field, optional, nullable, late }, index) => {
    const presence = [...(optional ? [cv.IsOptional()] : []), ...(nullable ? [Nullable()] : [])];
    const decorators = [...field.decorators, ...presence, ...late];
    for (const decorate of decorators) decorate(Generated.prototype, `p${index}`);
  });
  if (recursive) {
    for (const decorate of [cv.IsOptional(), cv.ValidateNested(), Type(() => Generated)])
      decorate(Generated.prototype, 'self');
  }
  return Generated;
}

function valuesOf(parts: readonly Part[], depth: number): fc.Arbitrary<unknown> {
  const members = parts.map(({ field }, index) =>
    fc.oneof(
      { weight: 6, arbitrary: field.values.map((value) => [[`p${index}`, value]]) },
      { weight: 1, arbitrary: anything.map((value) => [[`p${index}`, value]]) },
      { weight: 1, arbitrary: fc.constantFrom([[`p${index}`, null]], []) },
    ),
  );
  const more = fc.oneof(
    { weight: 8, arbitrary: fc.constant([]) },
    fc.constantFrom(...hostileKeys).map((key) => [[key, { a: 1 }]]),
  );
  const self =
    depth > 0
      ? fc.oneof(
          fc.constant([]),
          valuesOf(parts, depth - 1).map((value) => [['self', value]]),
        )
      : fc.constant([]);
  // Through JSON, as values come: only so is __proto__ a key like any other.
  return fc.tuple(...members, more, self).map((entries) => {
    const text = entries.flat().map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`);
    return JSON.parse(`{${text.join(',')}}`) as unknown;
  });
}
