/** DTO -> schema and reader, by example. That the two agree on everything is proven in schema-agreement.spec.ts. */
import { Transform, Type, Expose } from 'class-transformer';
import {
  Allow, ArrayMaxSize, ArrayMinSize, ArrayNotEmpty, ArrayUnique, Contains, Equals, IsArray, IsBoolean, IsDate, IsDateString, IsEmail, IsEnum, IsIn, IsInt, IsISO8601, IsLatitude,
  IsNotEmpty, IsNumber, IsObject, IsOptional, IsString, Length, Matches, Max, MaxLength, Min, MinDate, MinLength, IsRFC3339, NotEquals, registerDecorator, useContainer, Validate,
  ValidateIf, ValidateNested, ValidatorConstraint, type ValidatorConstraintInterface,
} from 'class-validator'; // prettier-ignore
import type { Class, DefinitionProblem, Failure } from '@sigil-mcp/base';
import { listKeywords, Describe, Nullable, type Ref } from '../src/decorators/schema-decorators';
import { compileInput } from '../src/compile-shapes';
import type { InputShape } from '../src/value-plan';

function compile(dto: Class, options = {}): InputShape {
  const problems: DefinitionProblem[] = [];
  const shape = compileInput(dto, options, (problem) => problems.push(problem), 'Test.method(query)');
  expect(problems).toEqual([]);
  return shape!;
}

function problemsOf(dto: Class, options = {}): DefinitionProblem[] {
  const problems: DefinitionProblem[] = [];
  expect(compileInput(dto, options, (problem) => problems.push(problem), 'Test.method(query)')).toBeUndefined();
  return problems;
}

function accept<T = Record<string, unknown>>(shape: InputShape, value: unknown): T {
  const reading = shape.read(value);
  if (reading instanceof Promise) throw new Error('expected a synchronous reading');
  expect(reading).toMatchObject({ ok: true });
  return reading.ok ? (reading.value as T) : ({} as T);
}

function refusals(shape: InputShape, value: unknown): readonly Failure[] {
  const reading = shape.read(value);
  if (reading instanceof Promise) throw new Error('expected a synchronous reading');
  expect(reading.ok).toBe(false);
  return reading.ok ? [] : reading.failures;
}

enum Unit {
  Metric,
  Imperial,
}
enum Colour {
  Red = 'red',
  Blue = 'blue',
}

@Describe('Where and how far to look')
class ForecastQuery {
  @Describe('City name') @IsString() @Length(2, 60) city!: string;
  @IsInt() @Min(1) @Max(14) days: number = 3;
  @IsOptional() @IsEnum(Unit) unit?: Unit;
}

class Stop {
  @IsString() city!: string;
  @IsOptional() @IsNumber() @Min(0) nights?: number;
}

class Trip {
  @ValidateNested({ each: true }) @Type(() => Stop) @ArrayMaxSize(3) stops!: Stop[];
  @ValidateNested() home: Stop = Object.assign(new Stop(), { city: 'Oslo' });
  @IsNumber({}, { each: true }) highs: number[] = [];
}

class Tree {
  @IsString() name!: string;
  @IsOptional() @ValidateNested({ each: true }) @Type(() => Tree) children?: Tree[];
  @IsOptional() @ValidateNested() @Type(() => Tree) @Nullable() parent?: Ref<Tree> | null;
}

describe('the listed schema', () => {
  it('says types, limits, descriptions, defaults and what is required [TOOL-006]', () => {
    expect(compile(ForecastQuery).schema).toEqual({
      type: 'object',
      description: 'Where and how far to look',
      properties: {
        city: { type: 'string', minLength: 2, maxLength: 60, description: 'City name' },
        days: { type: 'integer', minimum: 1, maximum: 14, default: 3 },
        unit: { type: 'number', enum: [0, 1] },
      },
      required: ['city'],
      additionalProperties: false,
    });
  });

  it('is exact for a class without properties [TOOL-007]', () => {
    class Nothing {}
    expect(JSON.stringify(compile(Nothing).schema)).toBe('{"type":"object","additionalProperties":false}');
  });

  it('inlines nested classes and arrays', () => {
    const stop = {
      type: 'object',
      properties: { city: { type: 'string' }, nights: { type: 'number', minimum: 0 } },
      required: ['city'],
      additionalProperties: false,
    };
    expect(compile(Trip).schema).toEqual({
      type: 'object',
      properties: {
        stops: { type: 'array', maxItems: 3, items: stop },
        home: { ...stop, default: { city: 'Oslo' } },
        highs: { type: 'array', items: { type: 'number' }, default: [] },
      },
      required: ['stops'],
      additionalProperties: false,
    });
  });

  it('defines a recursive class once and keeps type object at the root [TOOL-006]', () => {
    const node = { $ref: '#/$defs/Tree' };
    const tree = {
      type: 'object',
      properties: {
        name: { type: 'string' },
        children: { type: 'array', items: node },
        parent: { anyOf: [node, { type: 'null' }] },
      },
      required: ['name'],
      additionalProperties: false,
    };
    expect(compile(Tree).schema).toEqual({ ...tree, $defs: { Tree: tree } });
  });

  it('lists what each kind of constraint means', () => {
    class Many {
      @IsIn(['a', 'b', 2]) mixed!: string | number;
      @Equals('yes') agreed!: string;
      @IsEnum(Colour) @Nullable() colour!: Colour | null;
      @IsString() @NotEquals('x') @Contains('a.b') @Matches(/^\w+/u) text!: string;
      @IsString() @Matches(/^a/i) loose!: string;
      @IsEmail() mail!: string;
      @IsLatitude() north!: number;
      @IsDate() @Type(() => Date) at!: Date;
      @IsObject() free!: Record<string, unknown>;
      @Allow() anything!: unknown;
      @IsNotEmpty() word!: string;
      @IsBoolean() @Nullable() flag!: boolean | null;
      @ArrayUnique() @IsString({ each: true }) tags!: string[];
      @IsNumber({ maxDecimalPlaces: 2 }) price!: number;
    }
    const { schema, stricter } = compile(Many);
    expect(schema['properties']).toEqual({
      mixed: { type: ['string', 'number'], enum: ['a', 'b', 2] },
      agreed: { type: 'string', enum: ['yes'] },
      colour: { anyOf: [{ type: 'string', enum: ['red', 'blue'] }, { type: 'null' }] },
      text: { type: 'string', pattern: 'a\\.b', allOf: [{ pattern: '^\\w+' }, { not: { enum: ['x'] } }] },
      loose: { type: 'string' },
      mail: { type: 'string', description: 'an e-mail address' },
      north: { type: 'number', minimum: -90, maximum: 90 },
      at: { type: 'string', description: 'a date: 2026-01-31 or 2026-01-31T12:00:00Z' },
      free: { type: 'object' },
      anything: {},
      word: { type: 'string', minLength: 1 },
      flag: { type: ['boolean', 'null'] },
      tags: { type: 'array', uniqueItems: true, items: { type: 'string' } },
      price: { type: 'number' },
    });
    expect(stricter).toEqual(['loose: matches', 'mail: isEmail', 'north: isLatitude', 'at: isDate', 'price: isNumber']);
  });

  it('keeps inherited properties first and merges keywords of other decorators', () => {
    class Base {
      @IsString() first!: string;
    }
    class Derived extends Base {
      @IsString() second!: string;
    }
    listKeywords('@Unit', { 'x-unit': 'Second' })(Derived.prototype, 'second');
    const { schema } = compile(Derived);
    expect(Object.keys(schema['properties'] as object)).toEqual(['first', 'second']);
    expect(schema).toMatchObject({ properties: { second: { type: 'string', 'x-unit': 'Second' } } });
  });

  it('lists a default only if it satisfies the rules and does not depend on the moment', () => {
    class Defaults {
      @IsString() @IsNotEmpty() name: string = '';
      @IsNumber() now: number = Date.now();
      @IsOptional() @IsString() note: string | null = null;
      @IsDate() since: Date = new Date(0);
    }
    expect(compile(Defaults).schema).toMatchObject({
      required: ['name'],
      properties: { name: { minLength: 1 }, now: { type: 'number' }, since: { default: '1970-01-01T00:00:00.000Z' } },
    });
    expect(JSON.stringify(compile(Defaults).schema)).not.toMatch(/"default":(""|\d|null)/);
  });
});

describe('reading', () => {
  it('makes an instance with its defaults', () => {
    const query = accept<ForecastQuery>(compile(ForecastQuery), { city: 'Oslo' });
    expect(query).toBeInstanceOf(ForecastQuery);
    expect(query).toMatchObject({ city: 'Oslo', days: 3 });
  });

  it('takes null for an optional property as absent and keeps the default', () => {
    const query = accept(compile(ForecastQuery), { city: 'Oslo', days: null, unit: null });
    expect(query).toEqual({ city: 'Oslo', days: 3 });
    expect('unit' in query).toBe(false);
  });

  it('makes nested instances and names the path of every failure', () => {
    const trip = accept<Trip>(compile(Trip), { stops: [{ city: 'Rome' }] });
    expect(trip.stops[0]).toBeInstanceOf(Stop);
    expect(trip.home.city).toBe('Oslo');
    expect(
      refusals(compile(Trip), { stops: [{ city: 'Rome' }, { city: 5, nights: -1, car: true }], highs: [1, 'x'] }),
    ).toEqual([
      { path: 'stops[1].car', message: 'is not a known property (known: city, nights)' },
      { path: 'stops[1].city', message: 'must be a string, not 5' },
      { path: 'stops[1].nights', message: 'must not be less than 0' },
      { path: 'highs[1]', message: 'must be a number, not a string' },
    ]);
  });

  it.each([
    ['a scalar where each demands an array', Trip, { stops: [], highs: 5 }, 'highs'],
    ['a single object where each demands an array', Trip, { stops: { city: 'Rome' } }, 'stops'],
    ['a string for a number', ForecastQuery, { city: 'Oslo', days: '3' }, 'days'],
    ['the name of a numeric enum member', ForecastQuery, { city: 'Oslo', unit: 'Metric' }, 'unit'],
    ['a missing property', ForecastQuery, {}, 'city'],
    ['null for a required property', ForecastQuery, { city: null }, 'city'],
    ['an array for the whole', ForecastQuery, [], ''],
    ['null for the whole', ForecastQuery, null, ''],
    ['a number beyond all numbers', Trip, JSON.parse('{"stops":[],"highs":[1e400]}'), 'highs[0]'],
  ])('refuses %s', (_, dto, value, path) => {
    expect(refusals(compile(dto), value).map((failure) => failure.path)).toEqual([path]);
  });

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'unknown'])(
    'refuses the unknown key %s',
    (key) => {
      const value: unknown = JSON.parse(`{"city":"Oslo","${key}":{"polluted":true}}`);
      expect(refusals(compile(ForecastQuery), value)).toHaveLength(1);
      expect({}).not.toHaveProperty('polluted');
    },
  );

  it('does not take an inherited member for a sent property', () => {
    class Odd {
      @IsString() toString!: () => string;
      @IsOptional() @IsString() valueOf!: () => object;
    }
    expect(refusals(compile(Odd), {})).toEqual([{ path: 'toString', message: 'is required' }]);
  });

  it('takes 5.0 for an integer and keeps -0', () => {
    class Numbers {
      @IsInt() whole!: number;
      @IsNumber() zero!: number;
    }
    expect(accept(compile(Numbers), JSON.parse('{"whole":5.0,"zero":-0}'))).toEqual({ whole: 5, zero: -0 });
  });

  it('counts code points, also of lone surrogates and variation selectors', () => {
    class Short {
      @IsString() @Length(2, 2) text!: string;
    }
    for (const text of ['ab', '😀b', '❤️', '\ud83da', '\ude00\ud83d']) accept(compile(Short), { text });
    for (const text of ['a', '😀', '😀ab', '\ud83d']) refusals(compile(Short), { text });
  });

  it('has sentences that a model can follow for the rules of class-validator', () => {
    class Order {
      @Matches(/^\$value-\d+$/) code!: string;
      @Matches(/^[a-z]+$/i, { each: true }) words!: string[];
      @Matches('^a$') text!: string;
      @ArrayMinSize(1) lines!: string[];
      @ArrayMaxSize(2) extras!: string[];
      @ArrayNotEmpty() tags!: string[];
      @MinLength(1) name!: string;
      @MaxLength(3) short!: string;
      @Length(2, 3) both!: string;
      @IsISO8601() day!: string;
      @IsRFC3339() moment!: string;
      @ArrayMinSize(1, { message: 'at least $constraint1 of them' }) own!: string[];
    }
    const given = {
      code: 'a',
      words: ['a', '1'],
      text: 'b',
      lines: [],
      extras: ['a', 'b', 'c'],
      tags: [],
      name: '',
      short: 'abcd',
      both: 'a',
      day: 'noon',
      moment: '2026-01-31',
      own: [],
    };
    expect(refusals(compile(Order), given).map(({ path, message }) => `${path} ${message}`)).toEqual([
      'code must match the pattern ^\\$value-\\d+$',
      'words[1] must match the pattern /^[a-z]+$/i',
      'text must match the pattern ^a$',
      'lines must have at least 1 item',
      'extras must have at most 2 items',
      'tags must not be empty',
      'name must have at least 1 character',
      'short must have at most 3 characters',
      'both must have 2 to 3 characters',
      'day must be a date such as 2026-01-31 or a date and time such as 2026-01-31T12:00:00Z',
      'moment must be a date and time such as 2026-01-31T12:00:00Z',
      'own at least 1 of them',
    ]);
  });

  it('uses the messages of the author', () => {
    class Own {
      @IsInt({ message: 'give me a whole number' }) count!: number;
      @IsString()
      @Length(3, 9, { message: '$property has $constraint1 to $constraint2 letters, not "$value"' })
      word!: string;
      @IsNotEmpty({ message: 'say something' }) said!: string;
    }
    expect(refusals(compile(Own), { count: 'x', word: 'a'.repeat(5000) })).toEqual([
      { path: 'count', message: 'give me a whole number' },
      { path: 'word', message: `word has 3 to 9 letters, not "${'a'.repeat(100)}…"` },
      { path: 'said', message: 'say something' },
    ]);
  });

  it('keeps failures few and short', () => {
    const value = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`${'k'.repeat(10_000)}${index}`, 1]));
    const failures = refusals(compile(ForecastQuery), value);
    expect(failures).toHaveLength(50);
    expect(JSON.stringify(failures).length).toBeLessThan(20_000);
  });

  it('survives any depth', () => {
    const deep: unknown = JSON.parse(
      `${'{"name":"a","children":['.repeat(10_000)}{"name":"leaf"}${']}'.repeat(10_000)}`,
    );
    expect(refusals(compile(Tree), deep)[0]?.message).toMatch(/nested too deeply/);
    class Free {
      @Allow() any!: unknown;
      @IsOptional() @ArrayUnique() unique?: unknown[];
    }
    const list: unknown = JSON.parse('['.repeat(10_000) + ']'.repeat(10_000));
    accept(compile(Free), { any: list });
    expect(refusals(compile(Free), { any: 1, unique: [list] })).toHaveLength(1);
  });

  it('reads dates, nullable values, own wire names and transformations', () => {
    class Varied {
      @IsDate() at!: Date;
      @IsString() @Nullable() nick!: string | null;
      @IsString() @Expose({ name: 'user_name' }) userName!: string;
      @IsString() @Length(2, 5) @Transform(({ value }: { value: string }) => value.trim()) short!: string;
    }
    const shape = compile(Varied);
    const good = { at: '2026-01-31T12:00:00Z', nick: null, user_name: 'x', short: ' ab ' };
    expect(accept(shape, good)).toMatchObject({
      at: new Date('2026-01-31T12:00:00Z'),
      nick: null,
      userName: 'x',
      short: 'ab',
    });
    expect(refusals(shape, { ...good, at: 'yesterday', userName: 'y', short: ' a ' }).map(({ path }) => path)).toEqual([
      'userName',
      'at',
    ]);
    expect(refusals(shape, { ...good, short: ' a ' }).map(({ path }) => path)).toEqual(['short']);
  });

  it('says what was wanted and what was given', () => {
    class Query {
      @IsInt() days!: number;
      @IsDate() at!: Date;
    }
    const told = (value: unknown): string[] =>
      refusals(compile(Query), value).map(({ path, message }) => `${path} ${message}`);
    const date = 'a date such as 2026-01-31 or a date and time such as 2026-01-31T12:00:00Z';
    const days = ['3', 1.5, null, true, [], {}].flatMap((given) => told({ days: given, at: '2026-01-31' }));
    expect(days).toEqual(
      ['a string', '1.5', 'null', 'a boolean', 'an array', 'an object'].map(
        (given) => `days must be an integer, not ${given}`,
      ),
    );
    expect(told({ days: 1, at: 'x' })).toEqual([`at must be ${date}`]);
    expect(told({ days: 1, at: 5 })).toEqual([`at must be ${date}, not 5`]);
  });

  it('demands a conditional property only where its condition holds, and checks it wherever it is sent', () => {
    class Conditional {
      @IsString() kind!: string;
      @ValidateIf((object: Conditional) => object.kind === 'car') @IsString() plate?: string;
    }
    const shape = compile(Conditional);
    accept(shape, { kind: 'bike' });
    expect(refusals(shape, { kind: 'car' })).toEqual([{ path: 'plate', message: 'is required' }]);
    expect(refusals(shape, { kind: 'bike', plate: 5 })).toEqual([
      { path: 'plate', message: 'must be a string, not 5' },
    ]);
    expect(shape.stricter).toEqual(['plate: validateIf']);
  });

  it('asks custom validators with the finished instance and awaits asynchronous ones', async () => {
    const custom = (name: string, validate: (value: unknown, object: object) => boolean | Promise<boolean>) =>
      (prototype: object, property: string): void =>
        registerDecorator({
          name, propertyName: property, target: prototype.constructor,
          validator: { validate: (value, given) => validate(value, given!.object), defaultMessage: () => '$property is taken' },
        }); // prettier-ignore
    class Account {
      @IsString() @custom('differs', (value, object) => value !== (object as Account).second) first!: string;
      @IsString()
      @custom('throws', (value) => {
        if (value === 'bomb') throw new Error('no');
        return true;
      })
      second!: string;
    }
    expect(refusals(compile(Account), { first: 'a', second: 'a' })).toEqual([{ path: 'first', message: 'is taken' }]);
    expect(refusals(compile(Account), { first: 'a', second: 'bomb' })).toHaveLength(1);
    expect(compile(Account).stricter).toEqual(['first: differs', 'second: throws']);
    class Remote {
      @IsString() @custom('free', async (value) => value !== 'taken') name!: string;
    }
    await expect(compile(Remote).read({ name: 'new' })).resolves.toMatchObject({ ok: true, value: { name: 'new' } });
    await expect(compile(Remote).read({ name: 'taken' })).resolves.toMatchObject({ ok: false });
  });

  it("takes validators from class-validator's container, each of them once", () => {
    let built = 0;
    @ValidatorConstraint({ name: 'known' })
    class Known implements ValidatorConstraintInterface {
      readonly names = ['Oslo'];
      constructor(readonly more: readonly string[] = []) {
        built += 1;
      }
      validate(value: string): boolean {
        return [...this.names, ...this.more].includes(value);
      }
    }
    class City {
      @IsString() @Validate(Known) name!: string;
    }
    class Town {
      @IsString() @Validate(Known) name: string = 'Oslo';
    }
    expect([compile(City), compile(Town)].map((shape) => refusals(shape, { name: 'Rome' }).length)).toEqual([1, 1]);
    accept(compile(City), { name: 'Oslo' });
    expect(built).toBe(1);
    const known = new Known(['Rome']);
    // The cast stands for a container that only makes what it knows.
    useContainer({ get: (wanted: unknown) => (wanted === Known ? known : undefined) }, { fallback: true });
    try {
      accept(compile(City), { name: 'Rome' });
    } finally {
      useContainer(undefined as never);
    }
    expect(refusals(compile(City), { name: 'Rome' })).toEqual([{ path: 'name', message: 'is not valid' }]);
  });
});

describe('the text of a date', () => {
  class Printed {
    @IsDateString() text!: string;
    @IsDateString() date!: Date;
    @IsISO8601({ strict: true }) @MinDate(new Date('2026-01-01')) late!: Date;
    @IsOptional() @IsRFC3339() @Type(() => Date) maybe?: Date;
    @IsOptional() @IsDateString() @Transform(({ value }: { value: string }) => value.slice(0, 10)) day?: Date;
  }
  const sent = { text: '2026-01-31', date: '2026-01-31', late: '2026-01-31T12:00:00Z', maybe: '2026-01-31T12:00:00Z' };

  it('is a Date in the handler where the property is one', () => {
    const printed = accept<Printed>(compile(Printed), { ...sent, day: '2026-01-31T12:00:00Z' });
    expect({ ...printed }).toEqual({
      text: '2026-01-31',
      date: new Date('2026-01-31'),
      late: new Date('2026-01-31T12:00:00Z'),
      maybe: new Date('2026-01-31T12:00:00Z'),
      day: '2026-01-31',
    });
    const listed = compile(Printed).schema['properties'] as Readonly<Record<string, { description?: string }>>;
    const date = 'a date: 2026-01-31 or 2026-01-31T12:00:00Z';
    expect(Object.keys(sent).map((name) => listed[name]?.description)).toEqual([
      date, date, date, 'a date and time: 2026-01-31T12:00:00Z',
    ]); // prettier-ignore
  });

  it('is still what its rules ask for', () => {
    const wrong = { text: 'x', date: '2026-01-31 12:00:00', late: '2025-12-31', maybe: '2026-01-31' };
    expect(refusals(compile(Printed), wrong).map(({ path }) => path)).toEqual(['text', 'date', 'late', 'maybe']);
  });
});

describe('strings and coercion', () => {
  class Wide {
    @IsInt() count!: number;
    @IsBoolean() flag!: boolean;
    @IsEnum(Unit) unit!: Unit;
    @IsOptional() @IsString() text?: string;
    @IsOptional() @IsInt({ each: true }) list?: number[];
  }

  it('types the strings of prompts and URIs', () => {
    const shape = compile(Wide, { strings: true });
    expect(accept(shape, { count: '5', flag: 'true', unit: '1', text: '12', list: '1,2' })).toMatchObject({
      count: 5, flag: true, unit: Unit.Imperial, text: '12', list: [1, 2],
    }); // prettier-ignore
    class Blank {
      @IsOptional() @IsInt() days?: number;
      @IsOptional() @IsString() note?: string;
    }
    const blank = accept(compile(Blank, { strings: true }), { days: '', note: '' });
    expect(Object.entries(blank)).toEqual([['note', '']]);
    expect(refusals(shape, { count: '', flag: 'maybe', unit: '7' }).map(({ path }) => path)).toEqual([
      'count',
      'flag',
      'unit',
    ]);
  });

  it('coerces tool arguments only on request', () => {
    const sent = { count: '5', flag: 1, unit: '0', text: 12, list: '[1,"2"]' };
    expect(accept(compile(Wide, { coerce: true }), sent)).toMatchObject({
      count: 5,
      flag: true,
      unit: 0,
      text: '12',
      list: [1, 2],
    });
    expect(refusals(compile(Wide), sent)).toHaveLength(5);
  });

  it('refuses nested classes where the wire has only strings', () => {
    expect(problemsOf(Trip, { strings: true }).map(({ code }) => code)).toEqual([
      'SIGIL_DTO_NOT_FLAT',
      'SIGIL_DTO_NOT_FLAT',
    ]);
  });

  it('refuses lists of lists where the wire has only strings, and takes them elsewhere', () => {
    class Table {
      @IsArray({ each: true }) rows!: string[][];
      @IsString({ each: true }) names!: string[];
    }
    expect(problemsOf(Table, { strings: true }).map(({ code, problem }) => [code, problem.split(' ')[0]])).toEqual([
      ['SIGIL_DTO_NOT_FLAT', 'Table.rows'],
    ]);
    accept(compile(Table), { rows: [['a'], []], names: ['b'] });
  });
});

describe('definition errors', () => {
  it('names class and property of everything that is wrong, at once', () => {
    class Wrong {
      undecorated = 1;
      @Allow() @IsOptional() union?: string;
      @IsOptional() @Type(() => undefined as never) untyped!: string | number;
      @IsOptional() nested!: Stop;
      @ValidateNested({ each: true }) list!: Stop[];
      @IsString() @Min(3) contradiction!: string;
      @IsInt() wrong!: string;
    }
    const problems = problemsOf(Wrong);
    expect(problems.map(({ code, problem }) => [code, problem.split(' ')[0]])).toEqual([
      ['SIGIL_DTO_PROPERTY_WITHOUT_DECORATOR', 'Wrong.undecorated'],
      ['SIGIL_DTO_PROPERTY_WITHOUT_TYPE', 'Wrong.untyped'],
      ['SIGIL_DTO_NESTED_WITHOUT_TYPE', 'Wrong.list'],
      ['SIGIL_DTO_CONTRADICTION', 'Wrong.contradiction'],
      ['SIGIL_DTO_WRONG_TYPE', 'Wrong.wrong'],
    ]);
    expect(problems.every(({ where, fix }) => where === 'Test.method(query)' && fix.length > 10)).toBe(true);
  });

  it('reports the second of two properties with one name on the wire', () => {
    class Twins {
      @IsString() city!: string;
      @IsString() @Expose({ name: 'city' }) town!: string;
      @IsString() @Expose({ name: 'other' }) village!: string;
    }
    expect(problemsOf(Twins).map(({ code, problem }) => [code, problem.split(' ')[0]])).toEqual([
      ['SIGIL_DTO_NAME_TWICE', 'Twins.town'],
    ]);
  });

  it('reports two properties under one name on the wire that neither of them has', () => {
    class Aliases {
      @IsString() @Expose({ name: 'c' }) a!: string;
      @IsString() @Expose({ name: 'c' }) b!: string;
    }
    expect(problemsOf(Aliases).map(({ code, problem }) => [code, problem.split(' ')[0]])).toEqual([
      ['SIGIL_DTO_NAME_TWICE', 'Aliases.b'],
    ]);
  });

  it('reports a constructor that throws, and a property that only the constructor knows', () => {
    class Throwing {
      constructor() {
        throw new Error('no');
      }
    }
    expect(problemsOf(Throwing).map(({ code }) => code)).toEqual(['SIGIL_DTO_NOT_CONSTRUCTIBLE']);
    class Getter {
      @IsString() get name(): string {
        return 'x';
      }
    }
    expect(problemsOf(Getter).map(({ code }) => code)).toEqual(['SIGIL_DTO_READ_ONLY']);
    class Loose {
      @IsArray() items!: unknown[];
      other!: string;
    }
    expect(problemsOf(Loose)[0]?.problem).toMatch(/^Loose\.other /);
  });

  it('overlooks no property that only a decorator with keywords of its own knows, where the compiler defines no class fields', () => {
    const Region = listKeywords('@Region', { 'x-region': 'Region' });
    class Bare {}
    Region(Bare.prototype, 'region');
    expect(compile(Bare).vague?.map(({ code, problem }) => [code, problem.split(' ')[0]])).toEqual([
      ['SIGIL_DTO_ANY_VALUE', 'Bare.region'],
    ]);
    class Emitted {}
    Reflect.metadata('design:type', String)(Emitted.prototype, 'region');
    Region(Emitted.prototype, 'region');
    expect(compile(Emitted).schema).toMatchObject({
      properties: { region: { type: 'string', 'x-region': 'Region' } },
    });
  });
});
