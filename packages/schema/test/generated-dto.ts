/** DTO classes made at run time from random combinations of decorators, and values that nearly fit them. */
import { Type } from 'class-transformer';
import * as cv from 'class-validator';
import fc from 'fast-check';
import { IntersectionType, Nullable, OmitType, PartialType, PickType } from '../src';
import type { Class } from '@sigil-mcp/base';
import { custom, emit, generatedField, toObjectText, type Field, type GeneratedDto } from './generated-fields';
import { anything, hostileKeys } from './generated-values';

export type { GeneratedDto } from './generated-fields';

/** What is asked of the finished instance, and refuses no more than the schema: nothing, yes, or no under a condition that does not hold. */
const lateDecorators: fc.Arbitrary<readonly PropertyDecorator[]> = fc.oneof(
  { weight: 4, arbitrary: fc.constant([]) },
  fc.constant([custom(true)]),
  fc.constant([custom(false), cv.ValidateIf(() => false)]),
  fc.constant([cv.ValidateIf(() => true), cv.IsOptional()]),
);

interface Part {
  readonly field: Field;
  readonly optional: boolean;
  readonly nullable: boolean;
  readonly late: readonly PropertyDecorator[];
  /** `[value]` where the class initialises the property. */
  readonly initial: readonly unknown[];
}

function generatedPart(inner: fc.Arbitrary<GeneratedDto> | undefined): fc.Arbitrary<Part> {
  return generatedField(inner).chain((field) =>
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

/** A class with up to four properties, nested up to `depth` levels: some contain themselves, extend others, or are made of others. */
export function generatedDto(depth: number): fc.Arbitrary<GeneratedDto> {
  const plain = plainDto(depth);
  return fc.oneof(
    { weight: 4, arbitrary: plain },
    { weight: 1, arbitrary: extended(depth) },
    { weight: 1, arbitrary: mapped(depth) },
  );
}

/** A class that is neither extended nor made of others. */
export function plainDto(depth: number, prefix = 'p'): fc.Arbitrary<GeneratedDto> {
  const inner = depth > 0 ? generatedDto(depth - 1) : undefined;
  return fc
    .tuple(fc.array(generatedPart(inner), { maxLength: depth > 1 ? 4 : 2 }), fc.boolean())
    .map(([parts, recursive]) => {
      const dto = buildClass(parts, { recursive, Base: Object, prefix });
      return { dto, values: fc.oneof({ weight: 16, arbitrary: valuesOf(parts, prefix, recursive ? 2 : 0) }, anything) };
    });
}

/** A class that decorates some properties of another one anew. */
function extended(depth: number): fc.Arbitrary<GeneratedDto> {
  const inner = depth > 0 ? generatedDto(depth - 1) : undefined;
  return fc.tuple(plainDto(depth), fc.array(generatedPart(inner), { maxLength: 2 })).map(([base, parts]) => {
    const dto = buildClass(parts, { recursive: false, Base: base.dto as unknown as new () => object, prefix: 'p' });
    return { dto, values: together(base.values, valuesOf(parts, 'p', 0)) };
  });
}

const names = ['p0', 'p1', 'p2', 'p3'] as never[];

/** A class that is made of one or two others. */
function mapped(depth: number): fc.Arbitrary<GeneratedDto> {
  return fc
    .tuple(
      plainDto(depth),
      plainDto(depth, 'q'),
      fc.subarray(names),
      fc.constantFrom('partial', 'pick', 'omit', 'intersection', 'patch'),
    )
    .map(([one, other, some, how]) => {
      const known = some.filter((name) => Object.hasOwn(new (one.dto as unknown as new () => object)(), name));
      const made = {
        partial: () => PartialType(one.dto),
        pick: () => PickType(one.dto, known),
        omit: () => OmitType(one.dto, known),
        intersection: () => IntersectionType(one.dto, other.dto),
        patch: () => IntersectionType(PartialType(one.dto), PickType(one.dto, known)),
      }[how] as () => Class;
      return { dto: made(), values: how === 'intersection' ? together(one.values, other.values) : one.values };
    });
}

/** Objects with the members of two, and either of them. */
function together(left: fc.Arbitrary<unknown>, right: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const both = fc.tuple(left, right).map(([one, other]) => {
    if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one;
    return JSON.parse(toObjectText([...Object.entries(one), ...Object.entries(other)])) as unknown;
  });
  return fc.oneof({ weight: 4, arbitrary: both }, left, right);
}

interface Building {
  /** It has an optional property of its own class. */
  readonly recursive: boolean;
  readonly Base: new () => object;
  /** Of the names of its properties. */
  readonly prefix: string;
}

function buildClass(parts: readonly Part[], { recursive, Base, prefix }: Building): Class {
  class Generated extends Base {
    constructor() {
      super();
      parts.forEach(({ initial }, index) =>
        Object.assign(this, { [`${prefix}${index}`]: structuredClone(initial[0]) }),
      );
    }
  }
  parts.forEach(({ field, optional, nullable, late }, index) => {
    const presence = [...(optional ? [cv.IsOptional()] : []), ...(nullable ? [Nullable()] : [])];
    // The compiler emits a type wherever a property is decorated, also where a base class has it.
    const decorators = [...(Base === Object ? [] : [emit(Object)]), ...field.decorators, ...presence, ...late];
    for (const decorate of decorators) decorate(Generated.prototype, `${prefix}${index}`);
  });
  if (recursive) {
    for (const decorate of [cv.IsOptional(), cv.ValidateNested(), Type(() => Generated)])
      decorate(Generated.prototype, 'self');
  }
  return Generated;
}

function valuesOf(parts: readonly Part[], prefix: string, depth: number): fc.Arbitrary<unknown> {
  const members = parts.map(({ field }, index) =>
    fc.oneof(
      { weight: 14, arbitrary: field.values.map((value) => [[`${prefix}${index}`, value]]) },
      { weight: 1, arbitrary: anything.map((value) => [[`${prefix}${index}`, value]]) },
      { weight: 1, arbitrary: fc.constantFrom([[`${prefix}${index}`, null]], []) },
    ),
  );
  const more = fc.oneof(
    { weight: 16, arbitrary: fc.constant([]) },
    fc.constantFrom(...hostileKeys).map((key) => [[key, { a: 1 }]]),
  );
  const self =
    depth > 0
      ? fc.oneof(
          fc.constant([]),
          valuesOf(parts, prefix, depth - 1).map((value) => [['self', value]]),
        )
      : fc.constant([]);
  // Through JSON, as values come: only so is __proto__ a key like any other.
  return fc
    .tuple(...members, more, self)
    .map((entries) => JSON.parse(toObjectText(entries.flat() as [string, unknown][])) as unknown);
}
