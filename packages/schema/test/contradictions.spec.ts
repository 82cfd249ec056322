/** What contradicts itself does not start, and what could be right does. */
import { Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize, ArrayMinSize, ArrayNotEmpty, Equals, IsArray, IsBoolean, IsBooleanString, IsDate, IsDateString, IsEmail, IsEmpty, IsEnum,
  IsIn, IsInstance, IsInt, IsLatitude, IsNotEmpty, IsNotIn, IsNumber, IsNumberString, IsObject, IsOptional, IsPositive, IsNegative,
  IsString, IsUrl, IsDivisibleBy, Length, Max, MaxDate, MaxLength, Min, MinDate, MinLength, NotEquals, ValidateNested, Matches, IsDefined,
} from 'class-validator'; // prettier-ignore
import { AnyOf, RecordOf } from '../src/decorators/schema-decorators';
import { compileInput, compileOutput } from '../src/compile-shapes';
import type { Class, DefinitionProblem } from '@sigil-mcp/base';

enum Size {
  Small = 1,
  Large = 2,
}

class Author {
  @IsString() name!: string;
}

class Plain {
  name!: string;
}

/** Says of a property what the compiler and decorators say of it. */
function classOf(emitted: unknown, decorators: readonly PropertyDecorator[]): Class {
  const Book = { Book: class {} }.Book;
  for (const decorator of [...decorators].reverse()) decorator(Book.prototype, 'at');
  if (emitted !== undefined) Reflect.defineMetadata('design:type', emitted, Book.prototype, 'at');
  return Book;
}

function problemsOf(dto: Class, direction = 'input'): string[] {
  const problems: DefinitionProblem[] = [];
  const report = (problem: DefinitionProblem): void => void problems.push(problem);
  if (direction === 'input') compileInput(dto, {}, report, 'Library.add');
  else compileOutput(dto, report, 'Library.add');
  return problems.map(({ code, problem }) => `${code} ${problem}`);
}

const each = { each: true };

describe('a type and rules that never agree', () => {
  it.each<[string, unknown, PropertyDecorator[], string]>([
    ['a text in a number', Number, [IsString()], 'Number, but @IsString() lets only a string pass'],
    ['a number in a text', String, [IsInt()], 'String, but @IsInt() lets only a number pass'],
    ['a choice of numbers in a text', String, [IsIn([1, 2])], 'String, but @IsIn() lets only a number pass'],
    ['an enum of numbers in a text', String, [IsEnum(Size)], 'String, but @IsEnum() lets only a number pass'],
    ['one value of another type', Boolean, [Equals('yes')], 'Boolean, but @Equals() lets only a string pass'],
    [
      'a text of digits in a number',
      Number,
      [IsNumberString()],
      'Number, but @IsNumberString() lets only a string pass',
    ],
    ['a text in a boolean', Boolean, [IsBooleanString()], 'Boolean, but @IsBooleanString() lets only a string pass'],
    [
      'a text in a Date that @Type makes',
      Date,
      [IsString(), Type(() => Date)],
      'Date, but @IsString() lets only a string pass',
    ],
    ['a Date in a text', String, [IsDate(), Type(() => Date)], 'String, but @IsDate() lets only a date pass'],
    ['a text in a list', Array, [IsString()], 'Array, but @IsString() lets only a string pass'],
    ['an object in a list', Array, [IsObject()], 'Array, but @IsObject() lets only an object pass'],
    ['a list in a class', Plain, [IsArray()], 'Plain, but @IsArray() lets only an array pass'],
    ['a text in a class', Plain, [IsString()], 'Plain, but @IsString() lets only a string pass'],
    ['a Set in a list', Array, [IsInstance(Set), IsInt(each)], 'Array, but @IsInstance() makes a Set of it'],
    ['a record in a number', Number, [RecordOf(Number)], 'Number, but @RecordOf() makes an object of it'],
    ['a union without the type', String, [AnyOf(Number, Boolean)], 'String, but @AnyOf() names no such type'],
    ['a @Type of its own', String, [IsOptional(), Type(() => Number)], 'String, but @Type() makes a number of it'],
  ])('are refused: %s', (_title, emitted, decorators, said) => {
    expect(problemsOf(classOf(emitted, decorators))).toEqual([`SIGIL_DTO_WRONG_TYPE Book.at is declared as ${said}.`]);
  });

  it.each<[string, unknown, PropertyDecorator[]]>([
    ['a transformation', Number, [IsNumberString(), Transform(({ value }) => Number(value))]],
    ['what must not be sent', Number, [IsEmpty()]],
    ['a union that has the type', String, [AnyOf(String, Number)]],
    ['types that the compiler cannot say', Object, [IsString()]],
    ['no emitted type', undefined, [IsInt()]],
    ['one of several types', Number, [IsLatitude()]],
    ['an enum', Number, [IsEnum(Size)]],
    ['a mixed list of values', String, [IsIn(['a', 1])]],
    ['a text that nobody restricts', String, [IsOptional()]],
    ['a converted Date', Date, [IsDate(), Type(() => Date)]],
    ['a Date by its type alone', Date, [IsOptional()]],
    ['the text of a Date', Date, [IsDateString()]],
    ['any text of a Date', Date, [IsString()]],
    ['the text of a Date with a limit', Date, [IsDateString(), MinDate(new Date(0))]],
    ['a list', Array, [IsArray(), IsString(each)]],
    ['a Set', Set, [IsInt(each)]],
    ['one instance, with an each too many', Author, [ValidateNested(each), Type(() => Author)]],
    ['an object of a class', Author, [ValidateNested()]],
    ['an object for a class without rules', Plain, [IsObject()]],
    ['a class that is only an interface at run time', Function, [IsObject()]],
  ])('are not seen in %s', (_title, emitted, decorators) => {
    expect(problemsOf(classOf(emitted, decorators))).toEqual([]);
  });

  it('are looked for in outputs, where an object may write itself as a text', () => {
    expect(problemsOf(classOf(Number, [IsString()]), 'output')).toEqual([
      'SIGIL_DTO_WRONG_TYPE Book.at is declared as Number, but @IsString() lets only a string pass.',
    ]);
    expect(problemsOf(classOf(Date, [IsDateString()]), 'output')).toEqual([]);
    expect(problemsOf(classOf(URL, [IsUrl()]), 'output')).toEqual([]);
    expect(problemsOf(classOf(Plain, [IsString()]), 'output')).toEqual([]);
  });

  it('are classes that JSON has not, unless they are made of something', () => {
    expect(problemsOf(classOf(Buffer, [IsOptional()]))).toEqual([
      'SIGIL_DTO_TYPE_WITHOUT_JSON Book.at is declared as Buffer, which does not exist in JSON, so the handler would never receive one.',
    ]);
    expect(problemsOf(classOf(URL, [IsUrl()]))[0]).toContain('Book.at is declared as URL');
    expect(problemsOf(classOf(BigInt, [IsInt()]))[0]).toContain('Book.at is declared as BigInt');
    expect(problemsOf(classOf(URL, [IsUrl(), Transform(({ value }) => new URL(String(value)))]))).toEqual([]);
  });

  it('are what `import type` leaves of a class', () => {
    expect(problemsOf(classOf(Function, [IsOptional()]))).toEqual([
      'SIGIL_DTO_TYPE_ERASED Book.at has a type that does not exist at run time: a class imported with `import type`, or a function, which JSON cannot carry.',
    ]);
    expect(problemsOf(classOf(Function, [ValidateNested()]))).toEqual([
      expect.stringMatching(/^SIGIL_DTO_NESTED_WITHOUT_TYPE /),
    ]);
  });
});

describe('bounds', () => {
  it.each<[PropertyDecorator[], object]>([
    [[IsInt(), IsPositive()], { type: 'integer', minimum: 1 }],
    [[IsInt(), IsNegative()], { type: 'integer', maximum: -1 }],
    [[IsInt(), IsPositive(), Min(0), Max(9)], { type: 'integer', minimum: 1, maximum: 9 }],
    [[IsPositive()], { type: 'number', exclusiveMinimum: 0 }],
    [[IsPositive(), Min(-3)], { type: 'number', exclusiveMinimum: 0 }],
    [[IsPositive(), Min(0)], { type: 'number', exclusiveMinimum: 0 }],
    [[IsPositive(), Min(0.5)], { type: 'number', minimum: 0.5 }],
    [[IsNegative(), Max(3)], { type: 'number', exclusiveMaximum: 0 }],
    [[IsNegative(), Max(-0.5)], { type: 'number', maximum: -0.5 }],
    [[IsNumber(), IsNotIn([null, 'x'])], { type: 'number' }],
    [[IsNumber(), IsNotIn([null, 3])], { type: 'number', not: { enum: [3] } }],
  ])('have one word each, and nothing is said of other types: %#', (decorators, schema) => {
    const shape = compileInput(classOf(Number, decorators), {}, () => undefined, 'here');
    expect(shape?.schema['properties']).toEqual({ at: schema });
  });
});

describe('rules that leave no value', () => {
  const day = (text: string): Date => new Date(text);

  it.each<[unknown, PropertyDecorator[], string]>([
    [Number, [Min(5), Max(3)], 'nothing is at least 5 (@Min()) and at most 3 (@Max())'],
    [Number, [IsPositive(), Max(0)], 'nothing is more than 0 (@IsPositive()) and at most 0 (@Max())'],
    [Number, [IsPositive(), IsNegative()], 'nothing is more than 0 (@IsPositive()) and less than 0 (@IsNegative())'],
    [Number, [IsInt(), Min(1.2), Max(1.8)], 'no whole number is at least 1.2 (@Min()) and at most 1.8 (@Max())'],
    [Number, [IsInt(), IsPositive(), Max(0.5)], 'no whole number is more than 0 (@IsPositive()) and at most 0.5 (@Max())'],
    [String, [Length(5, 2)], 'nothing is at least 5 characters long (@Length()) and at most 2 characters long (@Length())'],
    [String, [MinLength(5), MaxLength(2)], 'nothing is at least 5 characters long (@MinLength()) and at most 2 characters long (@MaxLength())'],
    [Array, [IsString(each), ArrayMinSize(3), ArrayMaxSize(1)], 'nothing is at least 3 items long (@ArrayMinSize()) and at most 1 items long (@ArrayMaxSize())'],
    [Array, [IsString(each), ArrayNotEmpty(), ArrayMaxSize(0)], 'nothing is at least 1 items long (@ArrayNotEmpty()) and at most 0 items long (@ArrayMaxSize())'],
    [Array, [Min(5, each), Max(3, each)], 'nothing is at least 5 (@Min()) and at most 3 (@Max())'],
    [Date, [MinDate(day('2026-02-01')), MaxDate(day('2026-01-01'))], 'nothing is at least 2026-02-01T00:00:00.000Z (@MinDate()) and at most 2026-01-01T00:00:00.000Z (@MaxDate())'],
    [Number, [IsIn([1]), IsNotIn([1])], '@IsIn() and @IsNotIn() leave none'],
    [Number, [IsIn([1, 2]), Min(5)], '@IsIn() and @Min() leave none'],
    [String, [IsIn(['a', 'b']), IsIn(['c'])], '@IsIn() and @IsIn() leave none'],
    [String, [IsEnum({ one: 'one' }), NotEquals('one')], '@IsEnum() and @NotEquals() leave none'],
    [String, [IsIn(['nobody']), IsEmail()], '@IsIn() and @IsEmail() leave none'],
    [Object, [IsEnum({})], '@IsEnum() is given no values; it takes the enum itself, as in @IsEnum(Format)'],
    [String, [IsIn([])], '@IsIn() is given no values; it takes texts, numbers or booleans'],
    [String, [IsString(), Min(3)], '@IsString() lets only a string pass, and @Min() lets only a number pass'],
    [Object, [IsIn([1, 2]), IsString()], '@IsIn() lets only a number pass, and @IsString() lets only a string pass'],
    [Array, [IsString(each), IsInt(each)], '@IsString() lets only a string pass, and @IsInt() lets only a number pass'],
    [Object, [RecordOf(Number), IsString(each)], '@RecordOf() and @IsString() leave none'],
    [Object, [ValidateNested(each), Type(() => Author), IsObject()], '@ValidateNested({ each: true }) makes a list of it, and @IsObject() lets only an object pass; a Record of Author is said by @RecordOf(Author) in their place'],
    [Object, [ValidateNested(each), Type(() => Author), IsString()], '@ValidateNested({ each: true }) makes a list of it, and @IsString() lets only a string pass'],
    [Object, [ArrayMinSize(1), IsIn(['a'])], '@ArrayMinSize() lets only an array pass, and @IsIn() lets only a string pass'],
  ])('are refused: %p, case %#', (emitted, decorators, reason) => {
    expect(problemsOf(classOf(emitted, decorators))).toEqual([
      `SIGIL_DTO_CONTRADICTION Book.at accepts no value at all: ${reason}.`,
    ]);
  }); // prettier-ignore

  it.each<[unknown, PropertyDecorator[]]>([
    [Number, [Min(3), Max(3)]],
    [Number, [IsInt(), Min(0.5), Max(1)]],
    [Number, [IsInt(), IsPositive(), Max(1)]],
    [Number, [Min(1), Max(9), IsDivisibleBy(3)]],
    [String, [Length(2, 2), IsNotEmpty()]],
    [String, [IsIn(['a', 'bb']), MinLength(2)]],
    [String, [IsIn(['', 'a']), IsNotEmpty()]],
    [String, [IsEnum({ a: 'a' }), IsString(), IsDefined()]],
    [String, [Matches(/^a/), MaxLength(1)]],
    [Boolean, [IsBoolean(), Equals(true)]],
    [Number, [IsNumber(), Min(5, { message: 'no' }), Max(3, { validateIf: () => false })]],
    [Date, [IsDate(), MinDate(() => new Date()), MaxDate(day('2026-01-01'))]],
    [Object, [AnyOf(String, Number), MinLength(5), Max(3)]],
    [Array, [ArrayMinSize(1), ArrayMaxSize(1), IsInt(each)]],
  ])('are not seen where one is left: %p, case %#', (emitted, decorators) => {
    expect(problemsOf(classOf(emitted, decorators))).toEqual([]);
  });
});
