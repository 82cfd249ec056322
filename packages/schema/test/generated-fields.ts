/** Generated properties: their decorators, and values that their author had in mind. */
import { Type } from 'class-transformer';
import * as cv from 'class-validator';
import fc from 'fast-check';
import { AnyOf, RecordOf } from '../src';
import type { Class } from '@sigil-mcp/base';
import {
  anything, arrayRules, hostileKeys, numberRules, numbers, otherRules, textRules, texts, type Rule,
} from './generated-values'; // prettier-ignore

/** One property. */
export interface Field {
  readonly decorators: readonly PropertyDecorator[];
  readonly values: fc.Arbitrary<unknown>;
}

/** A class and values for it. */
export interface GeneratedDto {
  readonly dto: Class;
  readonly values: fc.Arbitrary<unknown>;
}

/** Makes a class that is nested so many levels less. */
type Inner = fc.Arbitrary<GeneratedDto>;

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
  values: fc.oneof({ weight: 5, arbitrary: fc.array(values, { maxLength: 3 }) }, values),
}));
/** A class of which nothing is said. */
class WithoutRules {}

const freeField: fc.Arbitrary<Field> = fc.constantFrom<PropertyDecorator[]>(
  [cv.Allow(), emit(Object)], [cv.Allow(), cv.IsNotEmpty(), emit(Object)], [cv.Allow(), cv.IsDefined(), emit(Object)],
  [cv.Allow(), cv.NotEquals(null), emit(Object)], [cv.IsArray()], [cv.IsArray({ each: true })], [cv.IsNotEmpty(), emit(String)], [cv.IsArray(), cv.ArrayUnique()],
  // What says too little.
  [cv.IsDefined(), emit(Object)], [cv.IsOptional(), emit(Object)], [cv.IsNotEmpty(), emit(Object)], [cv.IsNotIn([1, 'a']), emit(Object)],
  [cv.IsDefined(), emit(Array)], [cv.IsOptional(), emit(Set)], [cv.IsDefined(), emit(Map)], [cv.IsDefined(), emit(WithoutRules)],
  [cv.ValidateNested(), emit(WithoutRules)], [cv.IsArray(), Type(() => WithoutRules)],
).map((decorators) => ({ decorators, values: anything })); // prettier-ignore

/** What the compiler would have emitted. */
export function emit(type: unknown): PropertyDecorator {
  return Reflect.metadata('design:type', type);
}

/** Objects whose names are data, some of them hostile. */
function named(values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const names = fc.oneof(fc.constantFrom('a', 'b', 'c'), fc.constantFrom(...hostileKeys));
  const members = fc.array(fc.tuple(names, values), { maxLength: 3 });
  // Through JSON, as values come: only so is __proto__ a key like any other.
  return members.map((entries) => JSON.parse(toObjectText(entries)) as unknown);
}

/** The text of an object, also of one that no literal could be. */
export function toObjectText(entries: readonly (readonly [string, unknown])[]): string {
  return `{${entries.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(',')}}`;
}

const several = (values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 5, arbitrary: fc.array(values, { maxLength: 3 }) }, values);

/** What holds the values of a property: its decorators, and values around values. */
interface Holder {
  readonly decorators: readonly PropertyDecorator[];
  readonly around: (values: fc.Arbitrary<unknown>) => fc.Arbitrary<unknown>;
}

const holders: fc.Arbitrary<Holder> = fc.oneof(
  pick(arrayRules.slice(0, 4), 1).map((list) => ({ decorators: list, around: several })),
  pick(arrayRules, 1).map((list) => ({ decorators: [emit(Set), ...list], around: several })),
  fc.constant({ decorators: [cv.IsInstance(Set)], around: several }),
  fc.constantFrom([emit(Map)], [emit(Map), cv.IsNotEmptyObject()]).map((decorators) => ({ decorators, around: named })),
  fc
    .constantFrom([RecordOf()], [RecordOf(), cv.IsObject()], [RecordOf(), emit(Map)])
    .map((decorators) => ({ decorators, around: named })),
);

/** A validator of the author's, about which the schema says nothing. */
export function custom(accepts: boolean, each = false): PropertyDecorator {
  return cv.ValidateBy({ name: 'custom', validator: { validate: () => accepts } }, { each });
}

const heldField: fc.Arbitrary<Field> = fc
  .tuple(scalarRules, holders, fc.boolean())
  .map(([{ rules, values }, { decorators, around }, asked]) => ({
    decorators: [...rules.map((rule) => rule({ each: true })), ...decorators, ...(asked ? [custom(true, true)] : [])],
    values: around(fc.oneof({ weight: 12, arbitrary: values }, anything)),
  }));

const recordField: fc.Arbitrary<Field> = fc
  .constantFrom<readonly [unknown, fc.Arbitrary<unknown>]>([String, texts], [Number, numbers], [Boolean, fc.boolean()])
  .map(([type, values]) => ({ decorators: [RecordOf(type as StringConstructor)], values: named(values) }));

/** `string | number` and the like, with rules of some of them. */
const primitiveUnion: fc.Arbitrary<Field> = fc
  .tuple(
    fc.shuffledSubarray<unknown>([String, Number, Boolean], { minLength: 2 }),
    pick(textRules, 1), pick(numberRules, 1), fc.option(holders),
  )
  .map(([types, textual, numeric, holder]) => {
    const each = holder !== null;
    const rules = [...(types.includes(String) ? textual : []), ...(types.includes(Number) ? numeric : [])];
    const values = fc.oneof(texts, numbers, fc.boolean());
    return {
      decorators: [
        AnyOf(() => types as StringConstructor[], { each }), ...rules.map((rule) => rule({ each })), ...(holder?.decorators ?? []),
      ],
      values: holder ? holder.around(values) : values,
    };
  }); // prettier-ignore

function nestedField(inner: Inner): fc.Arbitrary<Field> {
  return fc.tuple(inner, fc.option(holders), fc.boolean()).map(([{ dto, values }, holder, byRecord]) => {
    const isRecord = byRecord && holder?.around === named;
    const types = isRecord ? [RecordOf(dto)] : [cv.ValidateNested({ each: holder !== null }), Type(() => dto)];
    return {
      decorators: [...types, ...(isRecord ? [] : (holder?.decorators ?? []))],
      values: holder ? holder.around(values) : values,
    };
  });
}

function classUnion(inner: Inner): fc.Arbitrary<Field> {
  return fc.tuple(inner, inner, fc.boolean(), fc.option(holders)).map(([one, other, orText, holder]) => {
    const types: Class[] = [one.dto, other.dto, ...(orText ? [String as unknown as Class] : [])];
    const values = fc.oneof(one.values, other.values, ...(orText ? [texts] : []));
    return {
      decorators: [AnyOf(() => types, { each: holder !== null }), ...(holder?.decorators ?? [])],
      values: holder ? holder.around(values) : values,
    };
  });
}

/** Two classes that a discriminator chooses from; some of them declare it. */
function discriminated(inner: Inner): fc.Arbitrary<Field> {
  return fc
    .tuple(inner, inner, fc.subarray(['a', 'b']), fc.boolean(), fc.option(holders))
    .map(([one, other, declaring, keepDiscriminatorProperty, holder]) => {
      const subTypes = [{ value: taggable(one.dto), name: 'a' }, { value: taggable(other.dto), name: 'b' }]; // prettier-ignore
      for (const { value, name } of subTypes) {
        if (declaring.includes(name)) for (const decorate of [cv.IsString(), cv.IsIn(['a', 'b'])]) decorate(value.prototype as object, 'kind');
      }
      const discriminator = { property: 'kind', subTypes: subTypes as never };
      const [named, misnamed] = [fc.constantFrom('a', 'b'), fc.constantFrom<unknown>('c', null, 1, undefined)];
      const values = fc.oneof(
        { weight: 4, arbitrary: one.values.map((value) => withKind(value, 'a')) },
        { weight: 4, arbitrary: other.values.map((value) => withKind(value, 'b')) },
        fc.tuple(one.values, fc.oneof(named, misnamed)).map(([value, kind]) => withKind(value, kind)),
      );
      return {
        decorators: [
          cv.ValidateNested({ each: holder !== null }), Type(() => Object, { discriminator, keepDiscriminatorProperty }), ...(holder?.decorators ?? []),
        ],
        values: holder ? holder.around(values) : values,
      };
    }); // prettier-ignore
}

/** A class of its own, so that what is said of it is said of no other. */
function taggable(dto: Class): Class {
  const Base = dto as unknown as new () => object;
  return class Tagged extends Base {};
}

function withKind(value: unknown, kind: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || kind === undefined) return value;
  return JSON.parse(toObjectText([...Object.entries(value), ['kind', kind]])) as unknown;
}

/** A property of one of all kinds; of a class where `inner` makes some. */
export function generatedField(inner: Inner | undefined): fc.Arbitrary<Field> {
  const flat = [scalarField, scalarField, listField, heldField, recordField, primitiveUnion, freeField];
  return fc.oneof(
    ...flat,
    ...(inner ? [nestedField(inner), nestedField(inner), classUnion(inner), discriminated(inner)] : []),
  );
}
