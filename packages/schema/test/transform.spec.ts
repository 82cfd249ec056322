/** `@Transform`: what travels is validated, then converted; what comes out is asked again only where it is of the same type. */
import { Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize, ArrayMinSize, IsArray, IsDate, IsDateString, IsInt, IsNotEmpty, IsNumber, IsNumberString, IsObject, IsOptional, IsString, Length,
  MaxDate, Min, ValidateBy,
} from 'class-validator'; // prettier-ignore
import type { Class, DefinitionProblem } from '@sigil-mcp/base';
import { compileInput, compileOutput } from '../src/compile-shapes';
import type { InputShape } from '../src/value-plan';
import { Nullable } from '../src/decorators/schema-decorators';
import { PartialType } from '../src';

function compile(dto: Class): InputShape {
  const problems: DefinitionProblem[] = [];
  const shape = compileInput(dto, {}, (problem) => problems.push(problem), 'Library.add');
  expect(problems).toEqual([]);
  return shape!;
}

async function read(
  decorators: readonly PropertyDecorator[],
  sent: unknown,
  emitted: unknown = Object,
): Promise<unknown> {
  class Sent {
    it: unknown;
  }
  for (const decorate of decorators) decorate(Sent.prototype, 'it');
  Reflect.defineMetadata('design:type', emitted, Sent.prototype, 'it');
  const reading = await compile(Sent).read({ it: sent });
  return reading.ok ? (reading.value as Sent).it : reading.failures.map(({ path, message }) => `${path} ${message}`);
}

const each = { each: true };
const to = (convert: (value: never) => unknown, options = {}): PropertyDecorator =>
  Transform(({ value }) => convert(value as never), options);
const custom = (accepts: (value: unknown) => boolean): PropertyDecorator =>
  ValidateBy({ name: 'custom', validator: { validate: accepts, defaultMessage: () => 'is taken' } });

describe('a @Transform that makes another type', () => {
  it.each<[string, readonly PropertyDecorator[], unknown, unknown, unknown]>([
    ['a number of a text', [IsString(), to(Number)], Number, '5', 5],
    ['a number of a text, on the way in only', [IsString(), to(Number, { toClassOnly: true })], Number, '5', 5],
    ['a Buffer', [IsString(), to((text: string) => Buffer.from(text))], Buffer, 'a', Buffer.from('a')],
    ['a bigint', [IsNumberString(), to(BigInt)], BigInt, '12', 12n],
    ['a text of a number', [IsInt(), Min(1), to(String)], String, 5, '5'],
    ['a Set', [IsArray(), IsString(each), to((items: string[]) => new Set(items))], Object, ['a', 'a'], new Set(['a'])],
    ['a Date', [IsDateString(), to((text: string) => new Date(text))], Date, '2026-01-31', new Date('2026-01-31')],
    ['a number of a Date', [IsDate(), Type(() => Date), to((day: Date) => day.getTime())], Number, '1970-01-01', 0],
    ['a list of a text', [IsString(), to((text: string) => text.split(','))], Array, 'a,b', ['a', 'b']],
    ['a Set of a text', [IsString(), to((text: string) => new Set(text.split(',')))], Set, 'a,b', new Set(['a', 'b'])],
    ['a Map', [IsObject(), to((object: object) => new Map(Object.entries(object)))], Map, { a: 1 }, new Map([['a', 1]])],
    ['null', [Nullable(), IsString(), to((text: string) => text || null)], Object, '', null],
    ['a text of null', [Nullable(), Length(3, 5), to((text: string | null) => text ?? '-')], Object, null, '-'],
  ])('makes %s', async (_, decorators, emitted, sent, made) => {
    expect(await read(decorators, sent, emitted)).toEqual(made);
  }); // prettier-ignore

  it('is called with nothing that the rules refuse', async () => {
    expect(await read([IsString(), to(Number)], 5, Number)).toEqual(['it must be a string, not 5']);
    expect(await read([IsString(), Length(2, 3), to(Number)], '5', Number)).toMatchObject([
      expect.stringContaining('it '),
    ]);
  });

  it('makes a list of other items', async () => {
    const numbers = [IsArray(), IsString(each), to((items: string[]) => items.map(Number))];
    expect(await read(numbers, ['1', '2'], Array)).toEqual([1, 2]);
    expect(await read(numbers, [], Array)).toEqual([]);
    expect(await read(numbers, ['1', 'x'], Array)).toEqual(['it could not be converted']);
    expect(await read([IsInt(each), to((items: number[]) => items.map(String))], [1], Array)).toEqual(['1']);
  });

  it('makes nothing only where nothing may be sent', async () => {
    const filled = to((text: string) => text || undefined);
    const orNull = to((text: string) => text || null);
    expect(await read([IsString(), filled], '', String)).toEqual(['it is required']);
    expect(await read([IsString(), orNull], '', String)).toEqual(['it is required']);
    expect(await read([IsNotEmpty({ message: 'name it' }), to(() => undefined)], 'a')).toEqual(['it name it']);
    expect(await read([Nullable(), IsString(), orNull], '', Object)).toBeNull();
    expect(await read([IsOptional(), IsString(), orNull], '', String)).toBeNull();
  });

  it('leaves out what it makes nothing of, as if it had not been sent', async () => {
    class Changes {
      @IsOptional() @IsString() @Transform(({ value }: { value: string }) => value || undefined) title?: string;
      @IsString() @Transform(({ value }: { value: string }) => value || undefined) size: string = 'small';
      @Nullable() @IsString() @Transform(({ value }: { value: unknown }) => value ?? undefined) shelf?: string;
    }
    const reading = await compile(Changes).read({ title: '', size: '', shelf: null });
    expect(reading.ok && Object.entries(reading.value as Changes)).toEqual([['size', 'small']]);
  });

  it('has an initialiser of what it makes as its default, which the schema cannot say', async () => {
    class Query {
      @IsString() @Transform(({ value }: { value: string }) => value.split(',')) tags: string[] = ['new'];
      @IsOptional() @IsNumberString() @Transform(({ value }: { value: string }) => Number(value)) page: number = 1;
      @IsString() @Transform(({ value }: { value: string }) => new Set(value)) letters = new Set<string>();
      @IsString() @custom((value) => value === 'a') @Transform(({ value }) => Buffer.from(String(value))) raw =
        Buffer.of();
      @IsNotEmpty() @IsString() @Transform(({ value }: { value: string }) => value.trim()) name: string = '';
    }
    const shape = compile(Query);
    const { schema } = shape;
    expect(schema['required']).toEqual(['name']);
    expect(JSON.stringify(schema)).not.toContain('default');
    expect(await shape.read({ name: 'a' })).toMatchObject({
      ok: true,
      value: { tags: ['new'], page: 1, letters: new Set(), raw: Buffer.of(), name: 'a' },
    });
    const sent = { tags: 'a,b', page: '2', letters: 'ab', raw: 'a', name: 'a' };
    expect(await shape.read(sent)).toMatchObject({ ok: true, value: { tags: ['a', 'b'], page: 2 } });
    expect(await shape.read({ name: 'a', raw: 'b' })).toMatchObject({ ok: false });
    class Changes extends PartialType(Query) {}
    const changes = await compile(Changes).read({});
    expect(changes.ok && Object.keys(changes.value as Changes)).toEqual([]);
  });

  it('refuses what is no number and no day', async () => {
    expect(await read([IsString(), to(Number)], 'five', Number)).toEqual(['it could not be converted']);
    expect(await read([IsString(), to((text: string) => new Date(text))], 'someday', Date)).toEqual([
      'it could not be converted',
    ]);
  });

  it('leaves custom validators to judge what was sent', async () => {
    const rules = [IsString(), custom((value) => value === '5'), to(Number)];
    expect(await read(rules, '5', Number)).toBe(5);
    expect(await read(rules, '6', Number)).toEqual(['it is taken']);
  });

  it('is listed as what is sent', () => {
    class Listed {
      @IsString() @Transform(({ value }: { value: string }) => value.split(',')) tags!: string[];
      @Transform(({ value }: { value: string[] }) => value.slice(0, 1)) first!: string[];
      @IsNotEmpty() @Transform(({ value }: { value: string[] }) => value.slice(0, 1)) filled!: string[];
    }
    const array = { type: 'array' };
    expect(compile(Listed).schema['properties']).toMatchObject({
      tags: { type: 'string' },
      first: array,
      filled: array,
    });
  });
});

describe('a @Transform that keeps the type', () => {
  const trim = to((text: string) => text.trim());

  it('is asked the rules again', async () => {
    expect(await read([Length(1, 5), trim], ' ab ', String)).toBe('ab');
    expect(await read([Length(1, 5), trim], '     ', String)).toMatchObject([expect.stringContaining('it ')]);
    expect(await read([Length(1, 5), trim], '   ab     ', String)).toMatchObject([expect.stringContaining('it ')]);
    const fewer = [IsInt(each), ArrayMinSize(2), to((items: number[]) => [...new Set(items)])];
    expect(await read(fewer, [1, 2, 1], Array)).toEqual([1, 2]);
    expect(await read(fewer, [1, 1], Array)).toMatchObject([expect.stringContaining('it ')]);
    const later = [IsDate(), MaxDate(new Date(5)), Type(() => Date), to((day: Date) => new Date(day.getTime() + 6))];
    expect(await read(later, '1970-01-01', Date)).toMatchObject([expect.stringContaining('it ')]);
  });

  it('leaves custom validators to judge what came out', async () => {
    const rules = [IsString(), custom((value) => value === 'ab'), trim];
    expect(await read(rules, ' ab ', String)).toBe('ab');
  });

  it('keeps a Set, whose rules are about what was sent', async () => {
    const rules = [
      IsInt(each),
      ArrayMaxSize(2),
      Type(() => Number),
      to((items: Set<number>) => new Set([...items, 3])),
    ];
    expect(await read(rules, [1, 2], Set)).toEqual(new Set([1, 2, 3]));
    expect(await read(rules, [1, 2, 4], Set)).toMatchObject([expect.stringContaining('it ')]);
  });
});

describe('a @Transform of an output', () => {
  it('is asked its rules once, of what is written', async () => {
    class Out {
      @IsDate() @Transform(({ value }: { value: Date }) => value, { toPlainOnly: true }) day!: Date;
      @IsString() @Transform(({ value }: { value: string[] }) => value.join(',')) tags!: string[];
      @IsNumber() @Transform(({ value }: { value: string }) => Number(value)) count!: string;
    }
    const problems: DefinitionProblem[] = [];
    const shape = compileOutput(Out, (problem) => problems.push(problem), 'Library.add')!;
    expect(problems).toEqual([]);
    const written = await shape.write({ day: new Date(0), tags: ['a', 'b'], count: '3' });
    expect(written).toMatchObject({ ok: true, value: { day: '1970-01-01T00:00:00.000Z', tags: 'a,b', count: 3 } });
  });
});
