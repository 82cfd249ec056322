/** What handlers return -> plain data of the declared shape. */
import Ajv from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { Transform, Type } from 'class-transformer';
import {
  Allow,
  IsArray,
  IsBoolean,
  IsDate,
  IsDateString,
  IsEmail,
  IsInt,
  IsNumber,
  IsObject,
  IsOptional,
  IsString,
  IsUrl,
  Max,
  ValidateNested,
} from 'class-validator';
import type { Class, Failure } from '@sigil-mcp/base';
import { AnyOf, RecordOf, Nullable } from '../src/decorators/schema-decorators';
import { compileOutput } from '../src/compile-shapes';
import type { OutputShape } from '../src/value-plan';

class City {
  @IsString() city!: string;
}
class Report {
  @IsString() summary!: string;
  @IsNumber({}, { each: true }) highs!: number[];
  @ValidateNested() place!: City;
  @IsOptional() @ValidateNested({ each: true }) @Type(() => City) others?: City[];
  @IsOptional() @IsDate() at?: Date;
  @IsOptional() @IsObject() free?: object;
  @IsOptional() @IsInt() @Max(5) level?: number;
  @IsOptional() @IsString() @Nullable() note?: string | null;
}

function compile(dto: Class): OutputShape {
  return compileOutput(dto, (problem) => { throw new Error(problem.problem); }, 'Test.method')!; // prettier-ignore
}

function written(dto: Class, value: unknown): unknown {
  const writing = compile(dto).write(value);
  if (writing instanceof Promise) throw new Error('expected a synchronous writing');
  expect(writing).toMatchObject({ ok: true });
  return writing.ok && writing.value;
}

function refusals(dto: Class, value: unknown): readonly Failure[] {
  const writing = compile(dto).write(value);
  if (writing instanceof Promise) throw new Error('expected a synchronous writing');
  expect(writing.ok).toBe(false);
  return writing.ok ? [] : writing.failures;
}

const base = { summary: 'fine', highs: [1, 2], place: { city: 'Oslo' } };

describe('writing', () => {
  it('strips what the class does not declare, nested too, and changes nothing of the original [TOOL-010]', () => {
    const returned = {
      ...base,
      password: 'x',
      place: { city: 'Oslo', key: 'y' },
      others: [{ city: 'Rome', key: 'z' }],
    };
    const before = JSON.stringify(returned);
    expect(written(Report, returned)).toEqual({ ...base, others: [{ city: 'Rome' }] });
    expect(JSON.stringify(returned)).toBe(before);
  });

  it('writes instances, getters, dates and toJSON as plain data', () => {
    class Entity {
      highs = [1];
      place = { toJSON: () => ({ city: 'Rome' }) };
      at = new Date(0);
      free = { when: new Date(0), skip: undefined };
      get summary(): string {
        return 'computed';
      }
    }
    const plain = written(Report, new Entity());
    expect(plain).toEqual({
      summary: 'computed', highs: [1], place: { city: 'Rome' }, at: '1970-01-01T00:00:00.000Z',
      free: { when: '1970-01-01T00:00:00.000Z' },
    }); // prettier-ignore
    expect(Object.getPrototypeOf(plain)).toBe(Object.prototype);
  });

  it('does not look at undeclared fields, whatever they hold', () => {
    const cyclic: Record<string, unknown> = { ...base, big: 10n };
    cyclic['self'] = cyclic;
    expect(written(Report, cyclic)).toEqual(base);
  });

  it.each([
    ['a cycle in a declared field', { ...base, free: cycle() }, expect.stringMatching(/^free(\.loop)+/)],
    ['a BigInt in a declared field', { ...base, level: 3n }, 'level'],
    ['a BigInt within a free field', { ...base, free: { n: 3n } }, 'free.n'],
    ['a broken constraint', { ...base, level: 9 }, 'level'],
    ['a missing field', { highs: [], place: base.place }, 'summary'],
    ['NaN', { ...base, highs: [NaN] }, 'highs[0]'],
    ['a hole in a list', { ...base, highs: new Array<number>(1) }, 'highs[0]'],
    ['an invalid date', { ...base, at: new Date('no') }, 'at'],
    ['nothing at all', undefined, ''],
    ['a list for the whole', [], ''],
  ])('refuses %s', (_, value, path) => {
    expect(refusals(Report, value).map((failure) => failure.path)).toEqual([path]);
  });

  it('drops null in optional fields and keeps it in nullable ones', () => {
    expect(written(Report, { ...base, level: null, note: null })).toEqual({ ...base, note: null });
  });

  it('never throws for a getter or a toJSON that does', () => {
    expect(refusals(Report, { ...base, get summary(): string { throw new Error('no'); } })).toHaveLength(1); // prettier-ignore
    expect(refusals(Report, { toJSON: () => { throw new Error('no'); } })).toHaveLength(1); // prettier-ignore
  });

  it('survives a class that contains itself, endlessly', () => {
    class Node {
      @IsOptional() @ValidateNested() @Type(() => Node) next?: object;
    }
    const node: { next?: object } = {};
    node.next = node;
    expect(refusals(Node, node)[0]?.message).toMatch(/nested too deeply/);
  });

  it('writes data of free type as plain data is written: a Map is an object, a Set an array', () => {
    const given = { byName: new Map([['a', new Set([1, 2])]]), at: new Date(0), left: undefined, none: null };
    expect(written(Report, { ...base, free: given })).toEqual({
      ...base,
      free: { byName: { a: [1, 2] }, at: '1970-01-01T00:00:00.000Z', none: null },
    });
    class Free {
      @Allow() value: unknown;
      @IsArray() @Allow() list!: unknown[];
    }
    expect(written(Free, { value: new Set([new Map([['b', 1]])]), list: [new Map(), 1] })).toEqual({
      value: [{ b: 1 }],
      list: [{}, 1],
    });
  });

  it.each([
    ['a function', { rows: [1, { total: () => 1 }] }, 'a function'],
    ['NaN', { rows: [1, { total: NaN }] }, 'NaN'],
    ['a symbol', { rows: [1, { total: Symbol('x') }] }, 'a symbol'],
    ['a promise', { rows: [1, { total: Promise.resolve(1) }] }, 'a promise'],
    ['bytes', { rows: [1, { total: Buffer.from('x') }] }, 'binary data'],
  ])('names the place of %s within data of free type', (_, free, what) => {
    expect(refusals(Report, { ...base, free })).toEqual([
      { path: 'free.rows[1].total', message: `is ${what}, which JSON cannot say` },
    ]);
  });

  class Slots {
    @IsOptional() @Allow() any?: unknown;
    @IsOptional() @IsArray() @Allow() list?: unknown[];
    @IsOptional() @RecordOf() record?: Record<string, unknown>;
    @IsOptional() @IsObject() object?: object;
    @IsOptional() @AnyOf(String, Date) @Nullable() either?: unknown;
    @IsOptional() @Nullable() @IsDate() @Type(() => Date) day?: Date | null;
  }

  it.each<[string, object, string, string]>([
    ['bytes', { any: Buffer.from('ab') }, 'any', 'is binary data, which JSON cannot say'],
    ['bytes', { list: [Buffer.from('ab')] }, 'list[0]', 'is binary data, which JSON cannot say'],
    ['bytes', { record: { a: Buffer.from('ab') } }, 'record.a', 'is binary data, which JSON cannot say'],
    ['bytes', { object: Buffer.from('ab') }, 'object', 'is binary data, which JSON cannot say'],
    ['a bad date', { any: new Date(NaN) }, 'any', 'is an invalid date, which JSON cannot say'],
    ['a bad date', { list: [new Date(NaN)] }, 'list[0]', 'is an invalid date, which JSON cannot say'],
    ['a bad date', { record: { a: new Date(NaN) } }, 'record.a', 'is an invalid date, which JSON cannot say'],
    ['a bad date', { either: new Date(NaN) }, 'either', expect.any(String) as string],
    ['a bad date', { day: new Date(NaN) }, 'day', expect.any(String) as string],
  ])('never writes %s as bytes or null where anything may stand: %p', (_, value, path, message) => {
    expect(refusals(Slots, value)).toEqual([{ path, message }]);
  });

  it('is listed with formats that hold, because clients check them', () => {
    class Formats {
      @IsDate() at!: Date;
      @AnyOf(Number, Date) since!: number | Date;
      @IsDateString() day!: string;
      @IsUrl() page!: string;
      @IsEmail({}, { each: true }) mails!: string[];
      @AnyOf(String, Number) @IsUrl() link!: string | number;
    }
    const { schema } = compile(Formats);
    const ajv = new Ajv({ strict: false });
    addFormats(ajv);
    const day = '2026-01-31';
    const data = { at: day, since: '2026-01-31 10:00:00+01', day, page: 'a.org', mails: ['ü@a.org'], link: 'a.org' };
    const sent = written(Formats, data);
    expect(sent).toEqual({ ...data, at: `${day}T00:00:00.000Z`, since: `${day}T09:00:00.000Z` });
    expect([ajv.validate(schema, sent), ajv.errors]).toEqual([true, null]);
    expect(JSON.stringify(schema).match(/format/g)).toHaveLength(2);
    const offset = { ...data, at: '2026-01-31T10:00:00+01:00' };
    expect(written(Formats, offset)).toMatchObject({ at: offset.at });
  });

  it('applies transformations before it judges', () => {
    class Rounded {
      @IsNumber() @Transform(({ value }: { value: number }) => Math.round(value), { toPlainOnly: true }) value!: number;
      @IsBoolean() @Transform(() => 'x', { toClassOnly: true }) flag!: boolean;
    }
    expect(written(Rounded, { value: 1.6, flag: true })).toEqual({ value: 2, flag: true });
  });
});

function cycle(): object {
  const loop: Record<string, unknown> = {};
  loop['loop'] = loop;
  return loop;
}
