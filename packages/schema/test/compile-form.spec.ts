/** Forms: what is asked, from a class or from a schema, and how answers are read. */
import type { Class, DefinitionProblem, Failure, FormField, FormSchema } from '@sigil-mcp/base';
import { Describe, Nullable, Title, ValueTitles } from '../src';
import Ajv from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { Expose, Transform, Type } from 'class-transformer';
import {
  Allow, ArrayMaxSize, ArrayMinSize, ArrayUnique, Equals, IsArray, IsBoolean, IsDate, IsDateString, IsDivisibleBy, IsEmail, IsEnum,
  IsIn, IsInt, IsISO8601, IsLatitude, IsNegative, IsNotEmpty, IsNumber, IsObject, IsOptional, IsPositive, IsRFC3339, IsString, IsUrl, IsUUID,
  Length, Matches, Max, MaxLength, Min, MinLength, NotEquals, ValidateNested,
} from 'class-validator'; // prettier-ignore
import fc from 'fast-check';
import { describeWithSchemas } from '../../../test/support/supplies/official-schema';
import { compileForm } from '../src/forms/compile-form';
import { compileInput } from '../src/compile-shapes';
import type { FormShape } from '../src/value-plan';
import { rawForm } from '../src/forms/read-form';
import { Shapes } from '../src/shapes';
import { all, runs } from '../../../test/support/matrix';

const where = 'Test.ask';

function compile(source: Class | FormSchema): FormShape {
  const problems: DefinitionProblem[] = [];
  const shape = new Shapes().form(source, { where, report: (problem) => problems.push(problem) });
  expect(problems).toEqual([]);
  return shape!;
}

function problemsOf(source: Class | FormSchema): DefinitionProblem[] {
  const problems: DefinitionProblem[] = [];
  expect(new Shapes().form(source, { where, report: (problem) => problems.push(problem) })).toBeUndefined();
  return problems;
}

function read(shape: FormShape, content: unknown): { value?: unknown; failures?: readonly Failure[] } {
  const reading = shape.read(content);
  if (reading instanceof Promise) throw new Error('expected a synchronous reading');
  return reading.ok ? { value: reading.value } : { failures: reading.failures };
}

enum Colour {
  Red = 'red',
  Green = 'green',
}
enum Level {
  Low,
  High,
}

class Everything {
  @IsString() text!: string;
  @Title('Your name') @Describe('As on the passport') @IsString() @Length(2, 60) name!: string;
  @IsNotEmpty() @IsString() filled!: string;
  @IsEmail() email!: string;
  @IsUrl() site!: string;
  @IsDateString() since!: string;
  @IsISO8601() until!: string;
  @IsDate() born!: Date;
  @IsUUID() id!: string;
  @Matches(/^[a-z]+$/) @MaxLength(9) word!: string;
  @IsNumber() @Min(0.5) @Max(9.5) ratio!: number;
  @IsNumber() @IsPositive() price!: number;
  @IsInt() @IsPositive() @IsDivisibleBy(2) pairs: number = 4;
  @IsInt() @IsNegative() @Min(-9) depth!: number;
  @IsBoolean() sure: boolean = false;
  @Equals(true) terms!: boolean;
  @IsOptional() @IsIn(['s', 'm', 'l']) size?: string;
  @IsEnum(Colour) @NotEquals('green') colour: Colour = Colour.Red;
  @Equals('yes') only!: string;
  @ValueTitles({ red: 'Red', green: 'Green' }) @IsEnum(Colour) paint!: Colour;
  @IsIn(['a', 'b', 'c'], { each: true }) @ArrayMinSize(1) @ArrayMaxSize(2) @ArrayUnique() letters: string[] = ['b'];
  @ValueTitles({ red: 'Red', green: 'Green' }) @IsEnum(Colour, { each: true }) paints!: Colour[];
  @Expose({ name: 'e-mail-again' }) @IsOptional() @IsString() @MinLength(3) again?: string;
}

const titledColours = [
  { const: 'red', title: 'Red' },
  { const: 'green', title: 'Green' },
];

const fields: Readonly<Record<string, FormField>> = {
  text: { type: 'string' },
  name: { type: 'string', title: 'Your name', description: 'As on the passport', minLength: 2, maxLength: 60 },
  filled: { type: 'string', minLength: 1 },
  email: { type: 'string', format: 'email' },
  site: { type: 'string' },
  since: { type: 'string', format: 'date-time' },
  until: { type: 'string', format: 'date-time' },
  born: { type: 'string', format: 'date-time' },
  id: { type: 'string' },
  word: { type: 'string', maxLength: 9 },
  ratio: { type: 'number', minimum: 0.5, maximum: 9.5 },
  price: { type: 'number' },
  pairs: { type: 'integer', minimum: 1, default: 4 },
  depth: { type: 'integer', minimum: -9, maximum: -1 },
  sure: { type: 'boolean', default: false },
  terms: { type: 'boolean' },
  size: { type: 'string', enum: ['s', 'm', 'l'] },
  colour: { type: 'string', enum: ['red'], default: 'red' },
  only: { type: 'string', enum: ['yes'] },
  paint: { type: 'string', oneOf: titledColours },
  letters: {
    type: 'array',
    items: { type: 'string', enum: ['a', 'b', 'c'] },
    minItems: 1,
    maxItems: 2,
    default: ['b'],
  },
  paints: { type: 'array', items: { anyOf: titledColours } },
  'e-mail-again': { type: 'string', minLength: 3 },
};

const optional = ['pairs', 'sure', 'size', 'colour', 'letters', 'e-mail-again'];

describe('a form of a class', () => {
  it.each(Object.entries(fields))('has the field %s in the words of flat forms [ELICIT-007]', (name, field) => {
    expect(compile(Everything).schema.properties[name]).toEqual(field);
  });

  it('requires what the class requires, and has no other members [ELICIT-007]', () => {
    const { schema } = compile(Everything);
    const names = Object.keys(fields);
    expect(Object.keys(schema)).toEqual(['type', 'properties', 'required']);
    expect(Object.keys(schema.properties)).toEqual(names);
    expect(schema.required).toEqual(names.filter((name) => !optional.includes(name)));
  });

  it('may have no fields at all, to ask only for a yes', () => {
    class Nothing {}
    expect(compile(Nothing).schema).toEqual({ type: 'object', properties: {} });
    expect(read(compile(Nothing), {})).toEqual({ value: new Nothing() });
  });

  it('is compiled once for each class', () => {
    const shapes = new Shapes();
    const user = { where, report: () => undefined };
    expect(shapes.form(Everything, user)).toBe(shapes.form(Everything, user));
  });

  it('lists labels of properties for tools too, but no titles of values', () => {
    class Paint {
      @Title('The paint') @ValueTitles({ red: 'Red', green: 'Green' }) @IsEnum(Colour) paint!: Colour;
    }
    const listed = compileInput(Paint, {}, () => undefined, where)?.schema['properties'];
    expect(listed).toEqual({ paint: { type: 'string', enum: ['red', 'green'], title: 'The paint' } });
  });
});

class Contact {
  @IsString() @Matches(/^[A-Z]/) name!: string;
  @IsOptional() @IsInt() @Min(0) age?: number;
  @IsDate() since: Date = new Date(0);
  @IsIn(['mail', 'phone'], { each: true }) @ArrayUnique() by: string[] = ['mail'];
  @Transform(({ value }) => String(value).trim()) @IsOptional() @IsString() note?: string;
}

describe('the answer to a form of a class', () => {
  it('is an instance, with the defaults for what is absent', () => {
    const { value } = read(compile(Contact), { name: 'Ann', note: ' hi ' });
    expect(value).toBeInstanceOf(Contact);
    expect(value).toEqual(Object.assign(new Contact(), { name: 'Ann', note: 'hi', by: ['mail'], since: new Date(0) }));
  });

  it('is taken without what nobody asked for', () => {
    const { value } = read(compile(Contact), { name: 'Ann', admin: true });
    expect(value).toEqual(Object.assign(new Contact(), { name: 'Ann' }));
    expect(read(compile(raw), { meal: 'red', admin: true }).value).not.toHaveProperty('admin');
  });

  it('is asked of the decorators where those say more than a format', () => {
    class Strict {
      @IsEmail({ host_whitelist: ['example.org'] }) mail!: string;
      @IsUrl() site!: string;
    }
    const shape = compile(Strict);
    expect(shape.schema.properties).toEqual({ mail: { type: 'string' }, site: { type: 'string' } });
    const { failures } = read(shape, { mail: 'a@b.c', site: 'urn:x:1' });
    expect(failures?.map(({ path }) => path)).toEqual(['mail', 'site']);
  });

  it('counts null as absent where a field is optional', () => {
    expect(read(compile(Contact), { name: 'Ann', age: null, by: null }).value).toMatchObject({ by: ['mail'] });
  });

  it.each([
    [undefined, '', 'must be an object'],
    [{}, 'name', 'is required'],
    [{ name: 'ann' }, 'name', 'must match'],
    [{ name: 'Ann', age: -1 }, 'age', 'must not be less than 0'],
    [{ name: 'Ann', age: '7' }, 'age', 'must be an integer'],
    [{ name: 'Ann', by: ['mail', 'mail'] }, 'by', 'unique'],
    [{ name: 'Ann', by: ['fax'] }, 'by[0]', 'must be one of "mail", "phone"'],
    [{ name: 'Ann', since: 'yesterday' }, 'since', 'or a date and time such as 2026-01-31T12:00:00Z'],
  ])('is refused as %j, saying where and why [ELICIT-021]', (content, path, message) => {
    const [failure] = read(compile(Contact), content).failures ?? [];
    expect(failure?.path).toBe(path);
    expect(failure?.message).toContain(message);
  });
});

describe('a class that is no form', () => {
  class Address {
    @IsString() street!: string;
  }
  class Nested {
    @ValidateNested() @Type(() => Address) at!: Address;
  }
  class NestedList {
    @ValidateNested({ each: true }) @Type(() => Address) at!: Address[];
  }
  class FreeList {
    @IsString({ each: true }) at!: string[];
  }
  class BareList {
    @IsArray() at!: unknown[];
  }
  class NumberChoices {
    @IsEnum(Level, { each: true }) at!: Level[];
  }
  class NumberChoice {
    @IsEnum(Level) at!: Level;
  }
  class MixedChoice {
    @IsIn(['a', 1]) at!: unknown;
  }
  class Several {
    @IsLatitude() at!: string | number;
  }
  class Anything {
    @Allow() at: unknown;
  }
  class AnyObject {
    @IsObject() at!: object;
  }
  class MayBeNull {
    @Nullable() @IsString() at!: string | null;
  }

  it.each<[Class, string, string]>([
    [Nested, 'accepts an object', 'SIGIL_DTO_FORM_OBJECT'],
    [NestedList, 'is an array of objects', 'SIGIL_DTO_FORM_ARRAY'],
    [FreeList, 'is an array of free values', 'SIGIL_DTO_FORM_ARRAY'],
    [BareList, 'is an array of free values', 'SIGIL_DTO_FORM_ARRAY'],
    [NumberChoices, 'is an array of free values', 'SIGIL_DTO_FORM_ARRAY'],
    [NumberChoice, 'chooses among numbers', 'SIGIL_DTO_FORM_NUMBER_CHOICE'],
    [MixedChoice, 'accepts a string or a number', 'SIGIL_DTO_FORM_MANY_KINDS'],
    [Several, 'accepts a number or a string', 'SIGIL_DTO_FORM_MANY_KINDS'],
    [Anything, 'accepts any value', 'SIGIL_DTO_FORM_MANY_KINDS'],
    [AnyObject, 'accepts an object', 'SIGIL_DTO_FORM_OBJECT'],
    [MayBeNull, 'may be null', 'SIGIL_DTO_FORM_NULL'],
  ])('%p is a problem, because it %s [ELICIT-007]', (dto, what, code) => {
    const fix = expect.stringMatching(/^[A-Z].*\.$/) as unknown;
    const said = `${dto.name}.at ${what}, but a form of elicitation is flat: text, numbers, yes or no, and choices among strings.`;
    expect(problemsOf(dto)).toEqual([{ code, where, problem: said, fix }]);
  });

  class Untitled {
    @ValueTitles({ red: 'Red' }) @IsEnum(Colour) at!: Colour;
  }
  class Stranger {
    @ValueTitles({ red: 'Red', green: 'Green', blue: 'Blue' }) @IsEnum(Colour, { each: true }) at!: Colour[];
  }
  class NoChoice {
    @ValueTitles({ red: 'Red' }) @IsString() at!: string;
  }

  it.each<[Class, string, string]>([
    [Untitled, 'SIGIL_VALUE_TITLES_MISSING', 'Untitled.at has @ValueTitles, but none for "green".'],
    [Stranger, 'SIGIL_VALUE_TITLES_UNKNOWN', 'Stranger.at has @ValueTitles, but it does not accept "blue".'],
    [NoChoice, 'SIGIL_VALUE_TITLES_WITHOUT_VALUES', 'NoChoice.at has @ValueTitles, but no list of values.'],
  ])('%p is a problem for its titles: %s', (dto, code, problem) => {
    expect(problemsOf(dto)).toMatchObject([{ code, where, problem }]);
  });

  it('is a problem where its other decorators leave nothing to choose', () => {
    class Unchoosable {
      @IsIn(['a', 'b']) @MinLength(2) at!: string;
    }
    const problem = 'Unchoosable.at accepts no value at all: @IsIn() and @MinLength() leave none.';
    expect(problemsOf(Unchoosable)).toMatchObject([{ code: 'SIGIL_DTO_CONTRADICTION', where, problem }]);
  });

  it('is told with all its other problems, for each of its users', () => {
    class Bad {
      @IsEnum(Level) level!: Level;
      undecorated: string = '';
    }
    const codes = problemsOf(Bad).map(({ code }) => code);
    expect(codes).toEqual(['SIGIL_DTO_PROPERTY_WITHOUT_DECORATOR', 'SIGIL_DTO_FORM_NUMBER_CHOICE']);
  });
});

const raw: FormSchema = {
  type: 'object',
  properties: {
    seat: { type: 'string', title: 'Seat', enum: ['1A', '1B'], enumNames: ['Window', 'Aisle'], default: '1B' },
    meal: { type: 'string', oneOf: titledColours },
    name: { type: 'string', minLength: 1, maxLength: 2 },
    extras: { type: 'array', items: { anyOf: titledColours }, minItems: 1, maxItems: 2, default: ['red'] },
    bags: { type: 'integer', minimum: 0, maximum: 3 },
    tip: { type: 'number' },
    sure: { type: 'boolean' },
    mail: { type: 'string', format: 'email' },
    site: { type: 'string', format: 'uri' },
    day: { type: 'string', format: 'date' },
    at: { type: 'string', format: 'date-time' },
  },
  required: ['meal'],
};

describe('a form that is given as a schema', () => {
  it('is shown as it was given', () => {
    expect(compile(raw).schema).toBe(raw);
  });

  it('reads plain objects, with the defaults for what is absent', () => {
    const { value } = read(compile(raw), { meal: 'red', name: '👋🏽' });
    expect(value).toEqual({ seat: '1B', meal: 'red', name: '👋🏽', extras: ['red'] });
    const { default: extras } = raw.properties['extras'] ?? {};
    expect((value as { extras: unknown }).extras).not.toBe(extras);
  });

  it.each([
    [null, '', 'must be an object'],
    [{}, 'meal', 'is required'],
    [{ meal: 'pizza' }, 'meal', 'must be one of "red", "green"'],
    [{ meal: 'red', seat: 'Window' }, 'seat', 'must be one of "1A", "1B"'],
    [{ meal: 'red', name: 'abc' }, 'name', 'must have 1 to 2 characters'],
    [{ meal: 'red', name: 7 }, 'name', 'must be a string'],
    [{ meal: 'red', extras: [] }, 'extras', 'must have 1 to 2 items'],
    [{ meal: 'red', extras: 'red' }, 'extras', 'must be an array'],
    [{ meal: 'red', extras: ['blue'] }, 'extras', 'must hold only "red", "green"'],
    [{ meal: 'red', bags: 1.5 }, 'bags', 'must be an integer'],
    [{ meal: 'red', bags: -1 }, 'bags', 'must be at least 0'],
    [{ meal: 'red', bags: 4 }, 'bags', 'must be at most 3'],
    [{ meal: 'red', tip: Infinity }, 'tip', 'must be a number'],
    [{ meal: 'red', sure: 'yes' }, 'sure', 'must be a boolean'],
    [{ meal: 'red', mail: 'me' }, 'mail', 'must be an e-mail address'],
    [{ meal: 'red', site: 'example' }, 'site', 'must be an absolute URI'],
    [{ meal: 'red', day: '2026-01-31T12:00:00Z' }, 'day', 'must be a date such as'],
    [{ meal: 'red', at: 'noon' }, 'at', 'or a date and time such as 2026-01-31T12:00:00Z'],
  ])('refuses %j, saying where and why [ELICIT-021]', (content, path, message) => {
    const [failure, ...others] = read(compile(raw), content).failures ?? [];
    expect(failure?.path).toBe(path);
    expect(failure?.message).toContain(message);
    expect(others.filter((other) => other.path !== 'meal')).toEqual([]);
  });

  it('may have fields with the names that every object inherits', () => {
    const text = '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"boolean"}}}';
    const shape = compile(JSON.parse(text) as FormSchema);
    expect(read(shape, {}).value).toEqual({});
    const content = JSON.parse('{"__proto__":"a","constructor":true}') as object;
    expect(JSON.stringify(read(shape, content).value)).toBe(JSON.stringify(content));
  });

  it('accepts what its formats mean', () => {
    const content = {
      meal: 'red',
      mail: 'a@b.example',
      site: 'urn:x:1',
      day: '2026-01-31',
      at: '2026-01-31T12:00:00Z',
    };
    expect(read(compile(raw), content).value).toMatchObject(content);
  });

  const withField = (field: unknown): unknown => ({ type: 'object', properties: { at: field } });

  it.each<[unknown, string, string]>([
    [null, 'SIGIL_FORM_INVALID', 'The form is not an object.'],
    [{ type: 'array' }, 'SIGIL_FORM_INVALID', "The form does not have the type 'object'."],
    [{ type: 'object' }, 'SIGIL_FORM_INVALID', 'The form has no properties.'],
    [{ type: 'object', properties: {}, $defs: {} }, 'SIGIL_FORM_INVALID', 'The form has "$defs" at its root.'],
    [{ type: 'object', properties: {}, required: 'a' }, 'SIGIL_FORM_INVALID', 'requires something else than a list'],
    [{ type: 'object', properties: {}, required: ['a'] }, 'SIGIL_FORM_REQUIRED', 'requires "a", but has no such field'],
    [withField('text'), 'SIGIL_FORM_NOT_FLAT', 'The field "at" of the form has no type.'],
    [withField({ type: 'object' }), 'SIGIL_FORM_NOT_FLAT', 'has the type "object".'],
    [withField({ type: 'string', pattern: 'a' }), 'SIGIL_FORM_KEYWORD', 'has "pattern", which a form does not support'],
    [
      withField({ type: 'string', format: 'uuid' }),
      'SIGIL_FORM_KEYWORD_VALUE',
      'not one of email, uri, date, date-time',
    ],
    [
      withField({ type: 'string', minLength: -1 }),
      'SIGIL_FORM_KEYWORD_VALUE',
      'has a "minLength" that is not a whole number',
    ],
    [withField({ type: 'string', title: 7 }), 'SIGIL_FORM_KEYWORD_VALUE', 'has a "title" that is not a string'],
    [withField({ type: 'string', enum: [] }), 'SIGIL_FORM_KEYWORD_VALUE', 'has a "enum" that is not a list'],
    [withField({ type: 'string', enum: ['a', 'a'] }), 'SIGIL_FORM_KEYWORD_VALUE', 'has a "enum" that is not a list'],
    [
      withField({ type: 'string', enum: ['a'], enumNames: [] }),
      'SIGIL_FORM_KEYWORD_VALUE',
      'has a "enumNames" that is not',
    ],
    [
      withField({ type: 'string', oneOf: [{ const: 'a' }] }),
      'SIGIL_FORM_KEYWORD_VALUE',
      'has a "oneOf" that is not a list',
    ],
    [
      withField({ type: 'number', maximum: '3' }),
      'SIGIL_FORM_KEYWORD_VALUE',
      'has a "maximum" that is not a finite number',
    ],
    [withField({ type: 'array' }), 'SIGIL_FORM_KEYWORD_VALUE', 'has a "items" that is not'],
    [withField({ type: 'array', items: { type: 'string' } }), 'SIGIL_FORM_KEYWORD_VALUE', 'has a "items" that is not'],
    [withField({ type: 'integer', default: 1.5 }), 'SIGIL_FORM_DEFAULT', 'its own default: it must be an integer.'],
  ])('is a problem as %j [ELICIT-007]', (schema, code, what) => {
    const [problem, ...others] = problemsOf(schema as FormSchema); // what a caller without types can pass
    expect(others).toEqual([]);
    expect(problem).toMatchObject({ code, where });
    expect(problem?.problem).toContain(what);
    expect(problem?.fix).toMatch(/^[A-Z].*\.$/);
  });
});

const words = fc.constantFrom('a', 'b', 'cc', 'ddd', '👋', '__proto__');
const choices = fc.uniqueArray(words, { minLength: 1, maxLength: 4 });
const titled = choices.map((values) => values.map((value) => ({ const: value, title: value })));
const size = fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined });
const bound = fc.option(fc.constantFrom(-1, 0, 0.5, 2), { nil: undefined });

/** A field without the members that came out as undefined. */
const definedOf = (members: object): FormField =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as unknown as FormField;

const anyField: fc.Arbitrary<FormField> = fc.oneof(
  fc.record({ type: fc.constant('string' as const), minLength: size, maxLength: size }).map(definedOf),
  fc
    .record({ type: fc.constantFrom('number' as const, 'integer' as const), minimum: bound, maximum: bound })
    .map(definedOf),
  fc.record({ type: fc.constant('boolean' as const) }),
  fc.record({ type: fc.constant('string' as const), enum: choices }),
  choices.map((values) => ({ type: 'string' as const, enum: values, enumNames: values })),
  fc.record({ type: fc.constant('string' as const), oneOf: titled }),
  fc
    .record({
      type: fc.constant('array' as const),
      items: fc.oneof(
        choices.map((values) => ({ type: 'string' as const, enum: values })),
        titled.map((anyOf) => ({ anyOf })),
      ),
      minItems: size,
      maxItems: size,
    })
    .map(definedOf),
);

// ajv has no properties of the name __proto__, so that only answers bear it here.
const fieldNames = fc.constantFrom('a', 'b', 'c', 'constructor');
const names = fc.oneof({ weight: 9, arbitrary: fieldNames }, fc.constant('__proto__'));
const anyForm: fc.Arbitrary<FormSchema> = fc
  .uniqueArray(fc.tuple(fieldNames, anyField, fc.boolean()), { selector: ([name]) => name, maxLength: 4 })
  .map((given) => ({
    type: 'object',
    properties: Object.fromEntries(given.map(([name, field]) => [name, field])),
    required: given.filter(([, , required]) => required).map(([name]) => name),
  }));
const anyMember = fc.oneof(
  words,
  fc.constantFrom<unknown>('', -2, 0, 1, 1.5, 1e300, true, false, null, {}),
  fc.array(fc.oneof({ weight: 9, arbitrary: words }, fc.constant(null)), { maxLength: 4 }),
);
const anyContent = fc
  .uniqueArray(fc.tuple(names, anyMember), { selector: ([name]) => name, maxLength: 4 })
  .map((members): unknown => Object.fromEntries(members));

const two = (most: number): fc.Arbitrary<string> =>
  fc.integer({ min: 0, max: most }).map((value) => String(value).padStart(2, '0'));
const day = fc
  .tuple(fc.integer({ min: 0, max: 9999 }), two(13), two(32))
  .map(([year, ...rest]) => [String(year).padStart(4, '0'), ...rest].join('-'));
// Hours to 23 and minutes to 59, as RFC 3339 has them: ajv takes some hours of 24 for leap seconds.
const zone = fc.oneof(
  fc.constantFrom('Z', 'z', ''),
  fc.tuple(fc.constantFrom('+', '-'), two(23), fc.constantFrom('', ':', ''), two(59)).map((parts) => parts.join('')),
  two(23).map((hours) => `+${hours}`),
);
const moment = fc
  .tuple(day, fc.constantFrom('T', 't', ' '), two(23), two(59), two(61), fc.constantFrom('', '.5', '.123456789'), zone)
  .map(([date, t, hour, minute, second, fraction, at]) => `${date}${t}${hour}:${minute}:${second}${fraction}${at}`);
const anyText = fc.oneof(
  { weight: 4, arbitrary: moment },
  { weight: 2, arbitrary: day },
  fc.constantFrom(
    'a@b.c',
    'A@B',
    "o'x!#$%&*+/=?^_`{|}~-@a-b.co",
    'a@1.2',
    'a.b@c.d.e',
    'a@-b.c',
    '2016-12-31T23:59:60Z',
  ),
  fc.emailAddress(),
  fc.tuple(fc.stringMatching(/^[a-z0-9._+'-]{1,9}$/), fc.domain()).map((parts) => parts.join('@')),
  fc.webUrl({ withFragments: true, withQueryParameters: true }),
  fc
    .tuple(
      fc.constantFrom('urn:', 'mailto:', 'a+b.c:', 'http://', 'x:/'),
      fc.stringMatching(/^[a-z0-9%"'()*,;:@/?#[\]-]{0,9}$/),
    )
    .map((parts) => parts.join('')),
  fc.string({ maxLength: 8 }),
);

class Formats {
  @IsEmail() @IsOptional() email?: string;
  @IsDateString() @IsOptional() text?: string;
  @IsISO8601() @IsOptional() iso?: string;
  @IsRFC3339() @IsOptional() rfc?: string;
  @IsDate() @IsOptional() date?: Date;
}

describe('every text that fits the format of a published form', () => {
  const ajv = addFormats(new Ajv({ strict: false }));
  const asData: FormSchema = {
    type: 'object',
    properties: Object.fromEntries(
      (['email', 'uri', 'date', 'date-time'] as const).map((format) => [format, { type: 'string', format }]),
    ),
  };

  it.each<[string, Class | FormSchema]>([
    ['data', asData],
    ['a class', Formats],
  ])('is accepted where the form is %s [ELICIT-021]', (_title, source) => {
    const shape = compile(source);
    const accepts = ajv.compile(shape.schema);
    const fitting = new Set<string>();
    fc.assert(
      fc.property(anyText, (text) => {
        for (const name of Object.keys(shape.schema.properties)) {
          if (!accepts({ [name]: text })) continue;
          fitting.add(name);
          const { value, failures } = read(shape, { [name]: text });
          if (failures) throw new Error(`${name}: ${text}: ${JSON.stringify(failures)}`);
          if (name === 'date' && source === Formats) expect((value as Formats).date?.getTime()).not.toBeNaN();
        }
      }),
      { numRuns: runs(5000) },
    );
    expect([...fitting].sort()).toEqual(Object.keys(shape.schema.properties).sort());
  });
});

describe('every form that is given as a schema', () => {
  it('accepts the answers that ajv accepts, formats and empty texts aside [ELICIT-021]', () => {
    const ajv = new Ajv({ strict: false, ownProperties: true, validateFormats: false });
    /** An answer without the empty texts that an optional field refuses: they stand for a field that was left empty. */
    const withoutBlanks = ({ properties, required = [] }: FormSchema, content: unknown): unknown => {
      if (typeof content !== 'object' || content === null || Array.isArray(content)) return content;
      const isBlank = ([name, value]: [string, unknown]): boolean =>
        value === '' &&
        Object.hasOwn(properties, name) &&
        !required.includes(name) &&
        !ajv.validate(properties[name]!, value);
      return Object.fromEntries(Object.entries(content).filter((member) => !isBlank(member)));
    };
    const seen = { accepted: 0, refused: 0 };
    fc.assert(
      fc.property(anyForm, fc.array(anyContent, { minLength: 6, maxLength: 6 }), (schema, contents) => {
        const shape = compile(schema);
        const accepts = ajv.compile(schema);
        for (const sent of contents) {
          const { value, failures } = read(shape, sent);
          const content = withoutBlanks(schema, sent);
          seen[failures ? 'refused' : 'accepted'] += 1;
          if (accepts(content) !== (failures === undefined))
            throw new Error(JSON.stringify({ schema, content, failures }));
          if (failures) continue;
          const asked = Object.entries(content as object).filter(([name]) => Object.hasOwn(schema.properties, name));
          expect(value).toEqual(Object.fromEntries(asked));
        }
      }),
      { numRuns: runs(400) },
    );
    expect(Math.min(seen.accepted, seen.refused)).toBeGreaterThan(all ? 100 : 0);
  });

  it('throws for no answer whatever', () => {
    fc.assert(fc.property(anyForm, fc.anything(), (schema, content) => void read(compile(schema), content)));
    expect(() => read(compile(raw), Object.create(null))).not.toThrow();
    expect(rawForm(raw, () => undefined, where)).toBeDefined();
  });
});

describeWithSchemas('the official schemas', (schemas) => {
  it.each(['2025-11-25', '2026-07-28'])('accept the forms as %s has them [ELICIT-007]', (revision) => {
    const official = schemas().get(revision)!;
    const errors = (requestedSchema: unknown): string[] =>
      official.errors('ElicitRequestFormParams', { mode: 'form', message: 'Well?', requestedSchema });
    expect(errors(compile(Everything).schema)).toEqual([]);
    expect(errors(compile(Contact).schema)).toEqual([]);
    expect(errors(compile(raw).schema)).toEqual([]);
    expect(errors({ type: 'object', properties: { at: { type: 'object' } } })).not.toEqual([]);
    fc.assert(
      fc.property(anyForm, (schema) => expect(errors(schema)).toEqual([])),
      { numRuns: runs(50) },
    );
  });
});

it('a form of a class is compiled without a server too', () => {
  expect(compileForm(Contact, () => undefined, where)?.schema.required).toEqual(['name']);
});
