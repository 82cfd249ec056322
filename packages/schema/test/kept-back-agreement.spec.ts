/** For generated classes, what travels of an instance is what `instanceToPlain` of class-transformer makes of it. */
import { Exclude, Expose, instanceToPlain, Type, type ExposeOptions } from 'class-transformer';
import { Allow, IsArray, ValidateNested } from 'class-validator';
import fc from 'fast-check';
import { OmitType, RecordOf } from '../src';
import { writeData } from '../src/plain/json-data';
import type { Class } from '@sigil-mcp/base';
import { write } from '../../../test/support/supplies/compiled-dto';
import { runs } from '../../../test/support/matrix';

type Constructor = new () => object;

const sides = fc.constantFrom(
  {},
  { toClassOnly: true },
  { toPlainOnly: true },
  { toClassOnly: true, toPlainOnly: true },
);
const exposing: fc.Arbitrary<(index: number) => PropertyDecorator> = fc
  .tuple(
    sides,
    fc.constantFrom<ExposeOptions>({}, {}, { groups: ['admin'] }, { groups: [] }, { since: 2 }, { until: 1 }),
    fc.constantFrom({}, {}, 'renamed'),
  )
  .map(
    ([side, rest, name]) =>
      (index: number) =>
        Expose({ ...side, ...rest, ...(name === 'renamed' && { name: `wire${index}` }) }),
  );
const excluding = sides.map((side) => () => Exclude(side));
/** What is said of a member: nothing, one of both, or both. */
const said = fc.array(fc.oneof(exposing, excluding), { maxLength: 2 });

interface Member {
  readonly said: readonly ((index: number) => PropertyDecorator)[];
  readonly value: unknown;
  /** How a property says that it holds that. */
  readonly rules: readonly PropertyDecorator[];
}

const plainValues = fc.constantFrom<unknown>('text', 1, true, null, new Date(0), ['a'], { a: 1 });

/** Instances of a class, held in one of the ways in which a class holds others. */
const held = (inner: Class): fc.Arbitrary<Omit<Member, 'said'>> => {
  const made = (): object => new (inner as Constructor)();
  const one = [ValidateNested(), Type(() => inner)];
  const many = [IsArray(), ValidateNested({ each: true }), Type(() => inner)];
  const record = [RecordOf(inner), Type(() => inner)];
  return fc.constantFrom<Omit<Member, 'said'>>(
    { value: made(), rules: [Allow()] },
    { value: made(), rules: one },
    { value: { ...made() }, rules: one },
    { value: [made(), { ...made() }], rules: many },
    { value: [[made()]], rules: [Allow()] },
    { value: new Map([['k', made()]]), rules: record },
    { value: { within: made() }, rules: [Allow()] },
  );
};

function members(inner: Class | undefined): fc.Arbitrary<Member[]> {
  const values = plainValues.map((value) => ({ value, rules: [Allow()] }));
  const any = inner ? fc.oneof(values, held(inner)) : values;
  return fc.array(
    fc.tuple(said, any).map(([words, { value, rules }]): Member => ({ said: words, value, rules })),
    { maxLength: 4 },
  );
}

function build(own: readonly Member[], Base: Constructor, from: number): Constructor {
  class Generated extends Base {
    constructor() {
      super();
      own.forEach(({ value }, index) => Object.assign(this, { [`p${index + from}`]: value }));
    }
  }
  own.forEach(({ said: words, rules }, index) => {
    const decorators = [...rules, ...words.map((word) => word(index + from))];
    for (const decorate of decorators) decorate(Generated.prototype, `p${index + from}`);
  });
  return Generated;
}

const whole = fc.constantFrom<readonly ClassDecorator[]>([], [], [Exclude()], [Expose()]);

/** A class, perhaps a subclass that speaks of inherited members anew, perhaps one that holds another. */
function generated(depth: number): fc.Arbitrary<Constructor> {
  const inner = depth > 0 ? generated(depth - 1) : fc.constant(undefined);
  return inner.chain((held) =>
    fc
      .tuple(members(held), members(held), whole, whole, fc.nat(2), fc.boolean())
      .map(([first, second, one, other, from, isSub]) => {
        const base = build(first, Object, 0);
        for (const decorate of one) decorate(base);
        if (!isSub) return base;
        // What it says anew of an inherited member is not about its type.
        const sub = build(
          second.map((member, index) => ({ ...member, ...first[index + from], said: member.said })),
          base,
          from,
        );
        for (const decorate of other) decorate(sub);
        return sub;
      }),
  );
}

const expected = (value: object): unknown => JSON.parse(JSON.stringify(instanceToPlain(value))) as unknown;

const times = Number(process.env['AGREEMENT_RUNS'] ?? runs(400));

describe('what travels of an instance', () => {
  it('is what instanceToPlain makes of it, where no class is declared', () => {
    fc.assert(
      fc.property(generated(2), (dto) => {
        const written = writeData([new dto()]);
        expect(written).toEqual({ ok: true, data: [expected(new dto())] });
      }),
      { numRuns: times },
    );
  });

  it('is the same where the class is declared', () => {
    fc.assert(
      fc.property(generated(1), (dto) => {
        expect(write(dto, new dto())).toEqual(expected(new dto()));
      }),
      { numRuns: times },
    );
  });

  it('is the same of a class that is made of it', () => {
    fc.assert(
      fc.property(generated(1), (dto) => {
        const made = OmitType(dto, []) as Constructor;
        expect(write(made, new made())).toEqual(expected(new dto()));
      }),
      { numRuns: times },
    );
  });
});
