/**
 * Dates never wrap the functions of an author: rules, conditions and transformations get what class-validator and class-transformer would
 * give them, the text that was sent, unless `@Type(() => Date)` says otherwise. The handler gets a Date.
 */
import { Transform, Type } from 'class-transformer';
import {
  Equals, IsDate, IsDateString, IsIn, IsInstance, IsNotEmpty, IsOptional, IsString, Length, Matches, MaxDate, MinDate, ValidateBy, ValidateIf,
  ValidateNested,
} from 'class-validator'; // prettier-ignore
import type { Class } from '@sigil-mcp/base';
import { AnyOf, RecordOf } from '../src';
import { compileOutput } from '../src/compile-shapes';
import type { Reading } from '../src/value-plan';
import { codesOf, compile, read, refusals, write } from '../../../test/support/supplies/compiled-dto';

const DAY = '2026-02-03';
const asDate = (text: string): Date => new Date(text);
const each = { each: true };

/** A rule that writes down what it is given. */
function noting(seen: unknown[], options: { each?: boolean } = {}): PropertyDecorator {
  return ValidateBy({ name: 'noting', validator: { validate: (value) => seen.push(value) > 0 } }, options);
}

/** A class with one property, as the compiler would emit it. */
function classOf(emitted: unknown, decorators: readonly PropertyDecorator[]): Class<{ it: unknown }> {
  class Sent {
    it!: unknown;
  }
  for (const decorate of decorators) decorate(Sent.prototype, 'it');
  Reflect.defineMetadata('design:type', emitted, Sent.prototype, 'it');
  return Sent;
}

describe('a property that is declared as a Date, without @Type', () => {
  it.each<[string, readonly PropertyDecorator[]]>([
    ['no other rule', []],
    ['@IsOptional()', [IsOptional()]],
    ['@IsDateString()', [IsDateString()]],
    ['@IsDate()', [IsDate()]],
    ['@IsDate() and a limit', [IsDate(), MinDate(asDate('2026-01-01'))]],
    ['@Matches()', [Matches(/^\d{4}-\d\d-\d\d$/)]],
    ['@Length()', [Length(10, 10)]],
    ['@IsString()', [IsString()]],
    ['@IsIn()', [IsIn([DAY])]],
    ['@Equals()', [Equals(DAY)]],
    ['@IsInstance(Date)', [IsInstance(Date)]],
  ])('gives a custom rule the text beside %s, and the handler a Date', (_, decorators) => {
    const seen: unknown[] = [];
    const { it: made } = read(classOf(Date, [...decorators, noting(seen)]), { it: DAY });
    expect([seen, made]).toEqual([[DAY], asDate(DAY)]);
    expect(read(classOf(Date, [...decorators, IsNotEmpty()]), { it: DAY }).it).toEqual(asDate(DAY));
  });

  it('is refused by rules that refuse the text', () => {
    expect(refusals(classOf(Date, [Matches(/^\d{4}-\d\d-\d\d$/)]), { it: `${DAY}T00:00:00Z` })).toHaveLength(1);
    expect(refusals(classOf(Date, [Length(10, 10)]), { it: `${DAY}T00:00:00Z` })).toHaveLength(1);
    expect(refusals(classOf(Date, [IsIn([DAY])]), { it: '2026-02-04' })).toHaveLength(1);
  });

  it('is refused where the text names no moment, whatever the rules are', () => {
    expect(refusals(classOf(Date, [Matches(/^\d\d\.\d\d\.\d{4}$/)]), { it: '03.02.2026' })).toEqual([
      'it must be a date such as 2026-01-31 or a date and time such as 2026-01-31T12:00:00Z',
    ]);
    expect(refusals(classOf(Date, [IsString()]), { it: 5 })).toHaveLength(1);
  });

  it('has limits that are about the moment, also with a condition of their own', () => {
    const from = MinDate(asDate('2026-01-01'), { validateIf: () => true });
    const sent = classOf(Date, [IsDate({ validateIf: () => true }), from]);
    expect(read(sent, { it: DAY }).it).toEqual(asDate(DAY));
    expect(refusals(sent, { it: '2025-12-31' })).toHaveLength(1);
  });

  it('gives conditions the text', () => {
    const seen: unknown[] = [];
    const sent = classOf(Date, [IsDate(), ValidateIf((object: { it: unknown }, value) => seen.push(object.it, value) > 0)]); // prettier-ignore
    seen.length = 0;
    const shape = compile(sent);
    seen.length = 0;
    expect(shape.read({ it: DAY })).toMatchObject({ ok: true, value: { it: asDate(DAY) } });
    expect(seen).toEqual([DAY, DAY]);
  });

  it('gives an asynchronous rule an object that still has the text when it comes back to it', async () => {
    const later: unknown[] = [];
    const slow = ValidateBy({
      name: 'slow',
      validator: {
        validate: async (_value, given) => {
          await Promise.resolve();
          later.push((given!.object as { it: unknown }).it);
          return true;
        },
      },
    });
    const reading = await compile(classOf(Date, [slow])).read({ it: DAY });
    expect([later, reading]).toEqual([[DAY], { ok: true, value: { it: asDate(DAY) } }]);
  });
});

describe('a property whose class @Type names', () => {
  it.each<[string, readonly PropertyDecorator[]]>([
    ['no other rule', []],
    ['@IsDate()', [IsDate()]],
    ['@IsDateString(), which is about the text', [IsDateString()]],
  ])('gives custom rules the Date beside %s', (_, decorators) => {
    const seen: unknown[] = [];
    const { it: made } = read(classOf(Date, [Type(() => Date), ...decorators, noting(seen)]), { it: DAY });
    expect([seen, made]).toEqual([[asDate(DAY)], asDate(DAY)]);
  });

  it('gives @Transform the Date, whatever rules there are about the text', () => {
    for (const rules of [[], [IsDate()], [IsDateString()], [IsString()], [Matches(/^\d{4}-/)]]) {
      const seen: unknown[] = [];
      const transform = Transform(({ value }) => (seen.push(value), value as Date));
      const { it: made } = read(classOf(Date, [Type(() => Date), ...rules, transform]), { it: DAY });
      expect([seen, made]).toEqual([[asDate(DAY)], asDate(DAY)]);
    }
  });

  it('has no rules about texts without a @Transform: they would be given the Date', () => {
    expect(codesOf(classOf(Date, [Type(() => Date), IsString()]))).toEqual(['SIGIL_DTO_WRONG_TYPE']);
    expect(codesOf(classOf(Date, [Type(() => Date), Matches(/^2/)]))).toEqual(['SIGIL_DTO_WRONG_TYPE']);
  });
});

describe('@Transform of what a client sent', () => {
  const parse = Transform(({ value }: { value: string }) => asDate(value.slice(0, 10)));

  it.each<[string, unknown, readonly PropertyDecorator[]]>([
    ['@IsDate()', Date, [IsDate()]],
    ['@IsDate(), where the compiler writes no type', Object, [IsDate()]],
    ['a limit', Date, [MinDate(asDate('2026-01-01'))]],
    ['no rule', Date, []],
    ['@IsDateString()', Date, [IsDateString()]],
  ])('gets the text beside %s', (_, emitted, rules) => {
    expect(read(classOf(emitted, [...rules, parse]), { it: `${DAY}T10:00:00Z` }).it).toEqual(asDate(DAY));
  });

  it('is followed by the rules about its Date, and custom rules get that', () => {
    const seen: unknown[] = [];
    const late = Transform(({ value }: { value: string }) => new Date(asDate(value).getTime() + 86_400_000));
    const sent = classOf(Date, [IsDate(), MaxDate(asDate(DAY)), noting(seen), late]);
    expect(read(sent, { it: '2026-02-02' }).it).toEqual(asDate(DAY));
    expect(seen).toEqual([asDate(DAY)]);
    expect(refusals(sent, { it: DAY })).toHaveLength(1);
  });

  it('may leave the text as it is: the handler still gets a Date', () => {
    const sent = classOf(Date, [IsDate(), MinDate(asDate(DAY)), Transform(({ value }: { value: string }) => value.trim())]); // prettier-ignore
    expect(read(sent, { it: DAY }).it).toEqual(asDate(DAY));
    expect(refusals(sent, { it: '2026-02-02' })).toHaveLength(1);
    const odd = classOf(Date, [Transform(() => 'some day')]);
    expect(read(odd, { it: DAY }).it).toBe('some day');
    expect(refusals(classOf(Date, [IsDate(), Transform(() => 'some day')]), { it: DAY })).toHaveLength(1);
  });

  it('has the last word where a rule says that a text is sent', () => {
    const shorten = Transform(({ value }: { value: string }) => value.slice(0, 7));
    expect(read(classOf(Date, [IsDateString(), shorten]), { it: DAY }).it).toBe('2026-02');
  });
});

describe('dates that something holds', () => {
  const items: unknown[] = [];
  class Held {
    @IsDate() day!: Date;
  }
  class Holder {
    @IsDate(each) @noting(items, each) list!: Date[];
    @IsDate(each) @noting(items, each) set!: Set<Date>;
    @IsDate(each) @noting(items, each) map!: Map<string, Date>;
    @IsDate(each) @RecordOf() @noting(items, each) record!: Record<string, Date>;
    @ValidateNested() @Type(() => Held) @noting(items) held!: Held;
    @ValidateNested(each) @Type(() => Held) @noting(items, each) many!: Map<string, Held>;
  }
  const sent = {
    list: [DAY], set: [DAY], map: { a: DAY }, record: { a: DAY }, held: { day: DAY }, many: { a: { day: DAY } },
  }; // prettier-ignore

  it('are texts for custom rules, and Dates for the handler', () => {
    const day = asDate(DAY);
    const days: unknown[] = [];
    const watched = classOf(Holder, [
      ValidateNested(),
      ValidateBy({
        name: 'watching',
        validator: {
          validate: (value) => {
            const { list, set, map, record, held, many } = value as Holder;
            days.push(list[0], [...set][0], map.get('a'), record['a'], held.day, many.get('a')?.day);
            return true;
          },
        },
      }),
    ]);
    items.length = 0;
    const { it: made } = read(watched, { it: sent });
    expect(days).toEqual([DAY, DAY, DAY, DAY, DAY, DAY]);
    expect(items.slice(0, 4)).toEqual([DAY, DAY, DAY, DAY]);
    expect(made).toEqual(
      Object.assign(new Holder(), {
        list: [day], set: new Set([day]), map: new Map([['a', day]]), record: { a: day },
        held: Object.assign(new Held(), { day }), many: new Map([['a', Object.assign(new Held(), { day })]]),
      }),
    ); // prettier-ignore
  });

  it('are Dates for custom rules where @Type or a decorator of Sigil names the class', () => {
    const seen: unknown[] = [];
    const note = noting(seen, each);
    read(classOf(Array, [IsDate(each), Type(() => Date), note]), { it: [DAY] });
    read(classOf(Set, [Type(() => Date), note]), { it: [DAY] });
    read(classOf(Object, [RecordOf(Date), note]), { it: { a: DAY } });
    read(classOf(Array, [AnyOf(() => [Date, Number], each), note]), { it: [DAY] });
    expect(seen).toEqual([asDate(DAY), asDate(DAY), asDate(DAY), asDate(DAY)]);
  });

  it('are what @Transform gets and makes', () => {
    const slice = Transform(({ value }: { value: string[] }) => value.map((text) => asDate(text.slice(0, 10))));
    expect(read(classOf(Array, [IsDate(each), slice]), { it: [`${DAY}T10:00:00Z`] }).it).toEqual([asDate(DAY)]);
    const same = Transform(({ value }: { value: Set<string> }) => new Set([...value].map((text) => text.trim())));
    expect(read(classOf(Set, [IsDate(each), same]), { it: [DAY] }).it).toEqual(new Set([asDate(DAY)]));
    const times = Transform(({ value }: { value: Date[] }) => value.map((date) => date.getTime()));
    expect(read(classOf(Array, [IsDateString({}, each), Type(() => Date), times]), { it: [DAY] }).it).toEqual([
      asDate(DAY).getTime(),
    ]);
  });

  it('are read the same in one of several types', () => {
    class Other {
      @IsString() @noting(items) name!: string;
    }
    const seen: unknown[] = [];
    const dates = ValidateBy({
      name: 'seeing',
      validator: { validate: (value) => seen.push((value as Held).day) > 0 },
    });
    const { it: made } = read(classOf(Object, [AnyOf(Other, Held), dates]), { it: { day: DAY } });
    expect([seen, made]).toEqual([[DAY], Object.assign(new Held(), { day: asDate(DAY) })]);
  });
});

describe('@Transform of what a handler returned', () => {
  const toDay = Transform(({ value }: { value: Date }) => value.toISOString().slice(0, 10), { toPlainOnly: true });

  it.each<[string, readonly PropertyDecorator[]]>([
    ['@IsDate()', [IsDate()]],
    ['@IsDate() @Type(() => Date)', [IsDate(), Type(() => Date)]],
    ['@IsDateString()', [IsDateString()]],
    ['@IsString()', [IsString()]],
    ['a limit', [MinDate(asDate('2027-01-01'))]],
    ['no rule', [IsOptional()]],
  ])('is sent as it is beside %s', (_, rules) => {
    expect(write(classOf(Date, [...rules, toDay]), { it: asDate(DAY) })).toEqual({ it: DAY });
  });

  it.each<[string, (value: Date) => unknown, unknown]>([
    ['a year', (value) => value.getFullYear(), 2026],
    ['a text that is no date', () => 'in spring', 'in spring'],
    ['a Date', (value) => new Date(value.getTime()), `${DAY}T00:00:00.000Z`],
    ['whether it is past', () => true, true],
  ])('may be %s', (_, transform, written) => {
    for (const rules of [[IsDate()], [IsOptional()], [IsDate(), Type(() => Date)]]) {
      const shown = classOf(Date, [...rules, Transform(({ value }) => transform(value as Date))]);
      expect(write(shown, { it: asDate(DAY) })).toEqual({ it: written });
    }
  });

  it('is sent as it is in lists, Sets, Maps and of several types', () => {
    const days = Transform(({ value }: { value: Date[] }) => value.map((date) => date.toISOString().slice(0, 10)));
    const ofSet = Transform(({ value }: { value: Set<Date> }) => [...value].map((date) => date.getFullYear()));
    const ofMap = Transform(({ value }: { value: Map<string, Date> }) => ({ a: value.get('a')?.getUTCMonth() }));
    expect(write(classOf(Array, [IsDate(each), days]), { it: [asDate(DAY)] })).toEqual({ it: [DAY] });
    expect(write(classOf(Array, [Type(() => Date), days]), { it: [asDate(DAY)] })).toEqual({ it: [DAY] });
    expect(write(classOf(Set, [IsDate(each), ofSet]), { it: new Set([asDate(DAY)]) })).toEqual({ it: [2026] });
    expect(write(classOf(Map, [RecordOf(Date), ofMap]), { it: new Map([['a', asDate(DAY)]]) })).toEqual({
      it: { a: 1 },
    });
    expect(write(classOf(Object, [AnyOf(Date, Number), toDay]), { it: asDate(DAY) })).toEqual({ it: DAY });
  });

  it('is listed as what it may be', () => {
    class Shown {
      @IsDate() @Transform(({ value }: { value: Date }) => value.getTime()) at!: Date;
      @IsString() @toDay day!: Date;
    }
    const shape = compileOutput(Shown, () => undefined, 'Test.method')!;
    expect(shape.schema['properties']).toEqual({
      at: { type: ['string', 'number', 'boolean'] },
      day: { type: 'string' },
    });
    expect(shape.vague).toEqual([]);
  });
});

it('keeps a Date that the class itself initialises', () => {
  class Since {
    @IsDate() since: Date = new Date(0);
    @IsOptional() @IsDate() until?: Date;
  }
  const reading = compile(Since).read({}) as Reading<Since>;
  expect(reading).toEqual({ ok: true, value: Object.assign(new Since(), { since: new Date(0) }) });
});
