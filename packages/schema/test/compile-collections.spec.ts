/** Maps, Sets and records: an object or an array on the wire, the real thing in the handler. */
import { Transform, Type } from 'class-transformer';
import {
  Allow, ArrayMaxSize, IsIn, IsInstance, IsInt, IsNotEmptyObject, IsObject, IsOptional, IsString, Min, MinLength, ValidateBy, ValidateNested,
} from 'class-validator'; // prettier-ignore
import { AnyOf, Nullable, RecordOf } from '../src';
import { codesOf, compile, read, refusals, write } from '../../../test/support/supplies/compiled-dto';
import { compileForm } from '../src/forms/compile-form';

class Author {
  @IsString() name!: string;
}

class Library {
  @ValidateNested({ each: true }) @Type(() => Author) authors!: Map<string, Author>;
  @IsString({ each: true }) @MinLength(2, { each: true }) tags!: Set<string>;
  @IsOptional() @Type(() => Number) @Min(0, { each: true }) stock?: Map<string, number>;
  @IsOptional() @ValidateNested() @Type(() => Author) people?: Set<Author>;
  @IsOptional() @RecordOf(Author) byName?: Record<string, Author>;
  @IsOptional() @RecordOf(() => Author) later?: Record<string, Author>;
  @IsOptional() @RecordOf(Number) @IsInt({ each: true }) @IsNotEmptyObject() counts?: Record<string, number>;
  @IsOptional() @RecordOf() @IsIn(['a', 'b'], { each: true }) grades?: Record<string, string>;
  @IsOptional() @RecordOf() anything?: Record<string, unknown>;
  @IsOptional() @RecordOf(Date) days?: Map<string, Date>;
  @IsOptional() @AnyOf(() => [String, Number], { each: true }) mixed?: Map<string, string | number>;
  @IsOptional() @Nullable() @IsInstance(Set) @ArrayMaxSize(2) @IsInt({ each: true }) few?: Set<number> | null;
}

const least = { authors: {}, tags: [] };

describe('a Map, a Set, a record', () => {
  it('is listed as an object with any names, or as an array of different items', () => {
    const author = {
      type: 'object',
      properties: { name: { type: 'string' } },
      required: ['name'],
      additionalProperties: false,
    };
    expect(compile(Library).schema).toEqual({
      type: 'object',
      properties: {
        authors: { type: 'object', additionalProperties: author },
        tags: { type: 'array', uniqueItems: true, items: { type: 'string', minLength: 2 } },
        stock: { type: 'object', additionalProperties: { type: 'number', minimum: 0 } },
        people: { type: 'array', uniqueItems: true, items: author },
        byName: { type: 'object', additionalProperties: author },
        later: { type: 'object', additionalProperties: author },
        counts: { type: 'object', minProperties: 1, additionalProperties: { type: 'integer' } },
        grades: { type: 'object', additionalProperties: { type: 'string', enum: ['a', 'b'] } },
        anything: { type: 'object' },
        days: {
          type: 'object',
          additionalProperties: { type: 'string', description: 'a date: 2026-01-31 or 2026-01-31T12:00:00Z' },
        },
        mixed: { type: 'object', additionalProperties: { type: ['string', 'number'] } },
        few: { type: ['array', 'null'], maxItems: 2, uniqueItems: true, items: { type: 'integer' } },
      },
      required: ['authors', 'tags'],
      additionalProperties: false,
    });
  });

  it('is a real one in the handler, with real instances', () => {
    const library = read<Library>(Library, {
      authors: { jane: { name: 'Jane' } }, tags: ['old', 'good'], stock: { a: 1 }, people: [{ name: 'Ann' }], days: { a: '2026-01-31' },
      byName: { jane: { name: 'Jane' } }, counts: { a: 3 }, mixed: { a: 'x', b: 1 },
    }); // prettier-ignore
    expect(library.authors).toBeInstanceOf(Map);
    expect(library.authors.get('jane')).toBeInstanceOf(Author);
    expect(library.tags).toEqual(new Set(['old', 'good']));
    expect(library.stock).toEqual(new Map([['a', 1]]));
    expect([...library.people!][0]).toBeInstanceOf(Author);
    expect(library.byName!['jane']).toBeInstanceOf(Author);
    expect(library.counts).toEqual({ a: 3 });
    expect(read<Library>(Library, { ...least, few: [1] }).few).toEqual(new Set([1]));
    expect(write(Library, { ...least, few: new Set([1]) })).toEqual({ ...least, few: [1] });
    expect(library.days).toEqual(new Map([['a', new Date('2026-01-31')]]));
    expect(library.mixed).toEqual(new Map<string, unknown>([['a', 'x'], ['b', 1]])); // prettier-ignore
  });

  it('names what it refuses by its path', () => {
    expect(
      refusals(Library, {
        authors: { 'a b': { name: 1 } }, tags: ['old', 'old'], stock: { a: -1, b: 'x' }, counts: {}, grades: { a: 'c' }, byName: [],
      }),
    ).toEqual([
      'authors["a b"].name must be a string, not 1',
      'tags must not hold an item twice',
      'stock.a must not be less than 0',
      'stock.b must be a number, not a string',
      'byName must be an object, not an array',
      'counts must be a non-empty object',
      'grades.a must be one of "a", "b"',
    ]); // prettier-ignore
  });

  it('takes hostile names for data', () => {
    const text =
      '{"authors":{"__proto__":{"name":"x"},"constructor":{"name":"y"}},"tags":["__proto__"],"anything":{"__proto__":{"polluted":true}},"counts":{"__proto__":1}}';
    const library = read<Library>(Library, JSON.parse(text));
    expect([...library.authors.keys()]).toEqual(['__proto__', 'constructor']);
    expect(Object.keys(library.anything!)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(library.anything)).toBe(Object.prototype);
    expect(Object.getOwnPropertyDescriptor(library.counts, '__proto__')?.value).toBe(1);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    expect(JSON.stringify(write(Library, library))).toBe(
      '{"authors":{"__proto__":{"name":"x"},"constructor":{"name":"y"}},"tags":["__proto__"],"counts":{"__proto__":1},"anything":{"__proto__":{"polluted":true}}}',
    );
  });

  it('is written from a Map, a Set, an object or an array', () => {
    class Numbered {
      @Type(() => String) names!: Map<number, string>;
      @IsInt({ each: true }) ids!: Set<number>;
    }
    expect(write(Numbered, { names: new Map([[1, 'one']]), ids: new Set([1, 2]) })).toEqual({
      names: { 1: 'one' },
      ids: [1, 2],
    });
    expect(write(Numbered, { names: { a: 'b', c: undefined }, ids: [3] })).toEqual({ names: { a: 'b' }, ids: [3] });
    const both = new Map<unknown, string>([[1, 'one'], ['1', 'uno']]); // prettier-ignore
    expect(write(Numbered, { names: both, ids: [] })).toEqual([
      { path: 'names', message: 'is a Map with the key 1 as a number and as text, which JSON cannot say' },
    ]);
    expect(write(Numbered, { names: new Map([[{}, 'one']]), ids: [] })).toEqual([
      { path: 'names', message: 'is a Map with keys that are no text, which JSON cannot say' },
    ]);
    expect(write(Numbered, { names: new Map([[1, 2]]), ids: [3, 3] })).toEqual([
      { path: 'names["1"]', message: 'must be a string, not 2' },
    ]);
    expect(write(Library, { ...least, people: new Set([{ name: 'Ann', secret: 1 }]) })).toEqual({
      ...least,
      people: [{ name: 'Ann' }],
    });
  });

  it('has defaults', () => {
    class Search {
      @IsString({ each: true }) fields: Set<string> = new Set(['title']);
      @Type(() => Number) @Min(0, { each: true }) weights: Map<string, number> = new Map([['title', 2]]);
      @RecordOf(Number) limits: Record<string, number> = { all: 10 };
    }
    expect(compile(Search).schema).toMatchObject({
      properties: {
        fields: { default: ['title'] },
        weights: { default: { title: 2 } },
        limits: { default: { all: 10 } },
      },
    });
    const search = read<Search>(Search, {});
    expect([search.fields, search.weights]).toEqual([new Set(['title']), new Map([['title', 2]])]);
  });

  it('asks custom validators of each value', () => {
    const isShort = ValidateBy(
      { name: 'isShort', validator: { validate: (value) => String(value).length < 3 } },
      { each: true },
    );
    class Short {
      @RecordOf(String) @isShort record!: Record<string, string>;
      @IsString({ each: true }) @isShort map!: Map<string, string>;
      @IsString({ each: true }) @isShort set!: Set<string>;
    }
    expect(refusals(Short, { record: { a: 'long' }, map: { b: 'long' }, set: ['ok', 'long'] }).map((text) => text.split(' ')[0])).toEqual(
      ['record.a', 'map.b', 'set[1]'],
    ); // prettier-ignore
    expect(refusals(Short, { record: {}, map: { b: 'ok' }, set: ['ok'] })).toEqual([]);
  });

  it('is left to a @Transform that makes it', () => {
    class Own {
      @IsObject() @Transform(({ value }) => new Map(Object.entries(value as object))) sizes!: Map<string, number>;
    }
    // The rules are asked again of what came out: class-validator takes a Map for an object.
    expect(read<Own>(Own, { sizes: { a: 1 } }).sizes).toEqual(new Map([['a', 1]]));
  });

  it('is within another as a class that has the inner one', () => {
    class Row {
      @ValidateNested({ each: true }) @Type(() => Author) cells!: Author[];
    }
    class Grid {
      @ValidateNested({ each: true }) @Type(() => Row) rows!: Row[];
      @IsOptional() @ValidateNested({ each: true }) @Type(() => Author) flat?: Author[][];
    }
    expect(read<Grid>(Grid, { rows: [{ cells: [{ name: 'Ann' }] }] }).rows[0]!.cells[0]).toBeInstanceOf(Author);
    expect(refusals(Grid, { rows: [], flat: [[{ name: 'Ann' }]] })).toEqual([
      'flat[0] must be an object, not an array',
    ]);
  });

  it('says at start what it does not know', () => {
    class Bare {
      @RecordOf(Author) list!: Author[];
      @RecordOf(() => undefined as never) nobody!: Record<string, Author>;
      @RecordOf(Number) @IsString({ each: true }) both!: Record<string, string>;
    }
    expect(codesOf(Bare)).toEqual([
      'SIGIL_DTO_NO_RECORD', 'SIGIL_DTO_PROPERTY_WITHOUT_TYPE', 'SIGIL_DTO_CONTRADICTION',
    ]); // prettier-ignore
    class Free {
      @Allow() tags!: Set<unknown>;
      @Allow() map!: Map<string, unknown>;
    }
    expect(read<Free>(Free, { tags: [1, 'a', {}], map: { a: [1] } })).toEqual({
      tags: new Set([1, 'a', {}]),
      map: new Map([['a', [1]]]),
    });
  });

  it('is a list of texts in a prompt, and no object there', () => {
    class Texts {
      @IsInt({ each: true }) ids!: Set<number>;
    }
    expect(read<Texts>(Texts, { ids: '1,2' }, { strings: true }).ids).toEqual(new Set([1, 2]));
    expect(new Set(codesOf(Library, { strings: true }))).toEqual(new Set(['SIGIL_DTO_NOT_FLAT']));
  });

  it('is a choice of several in a form', () => {
    class Order {
      @IsIn(['a', 'b'], { each: true }) toppings!: Set<string>;
    }
    const form = compileForm(Order, () => undefined, 'here');
    expect(form?.schema.properties).toEqual({
      toppings: { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
    });
    expect(form?.read({ toppings: ['a', 'a'] })).toEqual({ ok: true, value: { toppings: new Set(['a']) } });
  });
});
