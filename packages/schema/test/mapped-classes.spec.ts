/** Classes made of the properties of others: what is known of a property goes with it. */
import { Exclude, Expose, plainToInstance, Transform, Type } from 'class-transformer';
import {
  getMetadataStorage, IsBoolean, IsDefined, IsIn, IsInt, IsNotEmpty, IsOptional, IsString, MaxLength, Min, validateSync,
  ValidateIf, ValidateNested,
} from 'class-validator'; // prettier-ignore
import {
  Describe,
  IntersectionType,
  listKeywords,
  Nullable,
  OmitType,
  PartialType,
  PickType,
  Title,
  ValueTitles,
} from '../src';
import type { Class, DefinitionProblem } from '@sigil-mcp/base';
import { compileForm } from '../src/forms/compile-form';
import { compileInput, compileOutput } from '../src/compile-shapes';
import type { InputShape } from '../src/value-plan';

const Mark = (name: string): PropertyDecorator => listKeywords('@Mark', { 'x-mark': name });

class Author {
  @IsString() name!: string;
}

@Describe('A book of the library')
class Book {
  @IsInt() id!: number;
  @Describe('As on the cover') @Title('Title') @IsString() @MaxLength(20) title!: string;
  @Nullable() @Mark('Shelf') @IsString() shelf!: string | null;
  @IsBoolean() lent: boolean = false;
  @IsInt() @Min(1) pages: number = 100;
  @ValidateNested() @Type(() => Author) author: Author = Object.assign(new Author(), { name: 'Anon' });
  @IsOptional()
  @Transform(({ value }) => `${value as string}!`)
  @Expose({ name: 'short_note' })
  @IsString()
  note?: string;
  @ValueTitles({ s: 'Small', l: 'Large' }) @IsIn(['s', 'l']) size!: string;
  @Exclude() secret = 1;
  day!: Date;
  greet(): string {
    return `I am ${this.title}`;
  }
}
IsDefined()(Book.prototype, 'day');
Reflect.defineMetadata('design:type', Date, Book.prototype, 'day');

interface Listed {
  readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly required?: readonly string[];
}

function problemsOf(
  dto: Class,
  compile: typeof compileOutput = (...given) => compileOutput(...given),
): DefinitionProblem[] {
  const problems: DefinitionProblem[] = [];
  compile(dto, (problem) => problems.push(problem), 'Library.change(book)');
  return problems;
}

function shapeOf(dto: Class): InputShape {
  const problems: DefinitionProblem[] = [];
  const shape = compileInput(dto, {}, (problem) => problems.push(problem), 'Library.change(book)');
  expect(problems).toEqual([]);
  return shape!;
}

const listed = (dto: Class): Listed => shapeOf(dto).schema as unknown as Listed;

function read<T>(dto: Class<T & object>, value: unknown): T {
  const reading = shapeOf(dto).read(value);
  if (reading instanceof Promise || !reading.ok) throw new Error(JSON.stringify(reading));
  return reading.value as T;
}

function refusals(dto: Class, value: unknown): string[] {
  const reading = shapeOf(dto).read(value);
  if (reading instanceof Promise || reading.ok) throw new Error('expected a refusal');
  return reading.failures.map(({ path, message }) => `${path} ${message}`);
}

const whole = { id: 1, title: 'Emma', shelf: 'A', size: 's', day: '2026-01-31' };

describe('PartialType', () => {
  class BookChanges extends PartialType(Book) {}

  it('lets everything be left out, and writes no default that nobody sent', () => {
    expect(listed(BookChanges).required).toBeUndefined();
    expect(Object.values(listed(BookChanges).properties).filter((property) => 'default' in property)).toEqual([]);
    const changes = read(BookChanges, { pages: 3 });
    expect(changes).toBeInstanceOf(BookChanges);
    expect(Object.entries(changes)).toEqual([['pages', 3]]);
  });

  it('keeps what Sigil, the two libraries and the compiler know of each property', () => {
    const { properties } = listed(BookChanges);
    const { properties: before } = listed(Book);
    for (const [name, property] of Object.entries(before)) {
      const { default: _none, ...rest } = property;
      expect([name, properties[name]]).toEqual([name, rest]);
    }
    expect(properties['title']).toEqual({
      type: 'string',
      title: 'Title',
      description: 'As on the cover',
      maxLength: 20,
    });
    expect(properties['shelf']).toEqual({ type: ['string', 'null'], 'x-mark': 'Shelf' });
    expect(properties['short_note']).toEqual({ type: 'string' });
    expect(properties['day']).toMatchObject({ description: 'a date: 2026-01-31 or 2026-01-31T12:00:00Z' });
    expect('secret' in properties).toBe(false);
    expect(read(BookChanges, { short_note: 'mine' }).note).toBe('mine!');
    expect(read(BookChanges, { author: { name: 'Jane' } }).author).toBeInstanceOf(Author);
    expect(refusals(BookChanges, { pages: 0, title: 'x'.repeat(30) })).toHaveLength(2);
  });

  it('is a class for class-validator and class-transformer as well', () => {
    const changes = plainToInstance(BookChanges, { pages: 0, short_note: 'mine' });
    expect(changes.note).toBe('mine!');
    expect(validateSync(changes).map(({ property }) => property)).toEqual(['pages']);
  });

  it('leaves the class that it was made of as it was', () => {
    const count = getMetadataStorage().getTargetValidationMetadatas(Book, '', false, false).length;
    const before = JSON.stringify(listed(Book));
    PartialType(Book);
    expect(getMetadataStorage().getTargetValidationMetadatas(Book, '', false, false)).toHaveLength(count);
    expect(JSON.stringify(listed(Book))).toBe(before);
    expect(read(Book, whole)).toMatchObject({ lent: false, pages: 100, greet: expect.any(Function) });
  });

  it('reports what is wrong with a property under the name of the call', () => {
    class Odd {
      @IsString() name!: string;
      bare = 1;
    }
    expect(problemsOf(PartialType(Odd)).map(({ code, problem }) => [code, problem.split(' ')[0]])).toEqual([
      ['SIGIL_DTO_PROPERTY_WITHOUT_DECORATOR', 'PartialType(Odd).bare'],
    ]);
  });

  it('needs a class that is there', () => {
    expect(() => PartialType(undefined as unknown as typeof Book)).toThrow(
      expect.objectContaining({ code: 'SIGIL_MAPPED_NO_CLASS' }),
    );
  });

  it('is a form and an output, too', () => {
    class Order {
      @ValueTitles({ s: 'Small', l: 'Large' }) @IsIn(['s', 'l']) size: string = 's';
    }
    const problems: unknown[] = [];
    const form = compileForm(PartialType(Order), (problem) => problems.push(problem), 'here');
    expect(problems).toEqual([]);
    expect(form?.schema).toEqual({
      type: 'object',
      properties: {
        size: {
          type: 'string',
          oneOf: [
            { const: 's', title: 'Small' },
            { const: 'l', title: 'Large' },
          ],
        },
      },
    });
    expect(compileOutput(PartialType(Book), () => undefined, 'here')?.write({ pages: 3, more: 1 })).toEqual({
      ok: true, value: { pages: 3 },
    }); // prettier-ignore
  });
});

describe('PickType and OmitType', () => {
  it('keep what they name, or all but that, with its defaults', () => {
    expect(Object.keys(listed(PickType(Book, ['title', 'pages'])).properties)).toEqual(['title', 'pages']);
    expect(listed(PickType(Book, ['title', 'pages'])).required).toEqual(['title']);
    expect(read(PickType(Book, ['title', 'pages']), { title: 'Emma' })).toEqual({ title: 'Emma', pages: 100 });
    const { id: _id, ...others } = listed(Book).properties;
    expect(listed(OmitType(Book, ['id'])).properties).toEqual(others);
    expect(refusals(OmitType(Book, ['id', 'author']), whole)[0]).toContain('id is not a known property');
  });

  it('have readable names in messages and definitions', () => {
    expect(PickType(Book, ['title', 'pages']).name).toBe("PickType(Book, ['title', 'pages'])");
    expect(OmitType(Book, ['id']).name).toBe("OmitType(Book, ['id'])");
    expect(PartialType(OmitType(Book, ['id'])).name).toBe("PartialType(OmitType(Book, ['id']))");
    expect(IntersectionType(Book, Author).name).toBe('IntersectionType(Book, Author)');
  });

  it('report names that the class does not have, also where a subclass is used', () => {
    class Few extends PickType(Book, ['title', 'titel' as 'title']) {}
    expect(problemsOf(Few)).toMatchObject([
      { code: 'SIGIL_MAPPED_UNKNOWN', problem: "Few names 'titel', which the class does not have." },
    ]);
    expect(problemsOf(OmitType(Book, ['ident' as 'id']))).toMatchObject([{ code: 'SIGIL_MAPPED_UNKNOWN' }]);
  });

  it('keep what is excluded by the whole class', () => {
    @Exclude()
    class Account {
      @Expose() @IsString() name!: string;
      @Expose({ toPlainOnly: true }) @IsInt() age!: number;
      @IsString() password!: string;
    }
    const Kept = PickType(Account, ['name', 'age', 'password']);
    expect(Object.keys(listed(Kept).properties)).toEqual(['name']);
    const output = compileOutput(Kept, () => undefined, 'here');
    expect(Object.keys(output?.schema['properties'] as object)).toEqual(['name', 'age']);
  });

  it('keep that a property can only be read', () => {
    class Shown {
      @IsString() first!: string;
      @IsString() get label(): string {
        return this.first;
      }
    }
    const problems: DefinitionProblem[] = [];
    compileInput(OmitType(Shown, ['first']), {}, (problem) => problems.push(problem), 'here');
    expect(problems).toMatchObject([{ code: 'SIGIL_DTO_READ_ONLY' }]);
    expect(problemsOf(OmitType(Shown, ['first']))).toEqual([]);
  });
});

describe('IntersectionType', () => {
  class Loan {
    @IsString() reader!: string;
    @IsInt() days: number = 14;
  }

  it('has the properties of all its classes', () => {
    const Both = IntersectionType(PickType(Book, ['title']), Loan, Author);
    expect(listed(Both)).toMatchObject({ required: ['title', 'reader', 'name'] });
    expect(read(Both, { title: 'Emma', reader: 'Ann', name: 'Jane' })).toMatchObject({ days: 14, reader: 'Ann' });
  });

  it('asks what both ask of a property that two have, and each thing once', () => {
    class Wide {
      @IsOptional() @Nullable() @IsString() @MaxLength(5) name?: string | null;
    }
    class Narrow {
      @IsNotEmpty() @IsString() name!: string;
    }
    const Both = IntersectionType(Wide, Narrow);
    expect(listed(Both)).toMatchObject({
      properties: { name: { type: 'string', minLength: 1, maxLength: 5 } },
      required: ['name'],
    });
    const Twice = IntersectionType(PartialType(Book), PickType(Book, ['title']));
    expect(listed(Twice).required).toEqual(['title']);
    expect(refusals(Twice, { title: 'x'.repeat(30) })).toHaveLength(1);
    expect(listed(IntersectionType(Wide, PartialType(Narrow))).required).toBeUndefined();
    class Named {
      @IsString() name: string = 'Ann';
    }
    expect(read(IntersectionType(Named, PartialType(Narrow)), {})).toEqual({ name: 'Ann' });
    expect(read(IntersectionType(Named, Narrow), {})).toEqual({ name: 'Ann' });
  });
});

describe('a property that a subclass decorates anew', () => {
  class Base {
    @IsOptional() @Nullable() @Describe('The name') @IsString() @MaxLength(3) name?: string | null;
    @ValidateNested() @Type(() => Author) author!: Author | string;
    @ValidateIf(() => false) @IsInt() days!: number;
  }

  it('has the rules of the nearest class, and none of what it overrides', () => {
    class Sub extends Base {
      @IsString() declare name: string;
      @IsString() declare author: string;
      @IsInt() declare days: number;
    }
    expect(listed(Sub)).toEqual({
      type: 'object',
      properties: {
        name: { type: 'string', description: 'The name' },
        author: { type: 'string' },
        days: { type: 'integer' },
      },
      required: ['name', 'author', 'days'],
      additionalProperties: false,
    });
  });

  it('keeps its rules where a subclass only adds words or null', () => {
    class Said extends Base {
      @Describe('Its name') declare name?: string | null;
      @Nullable() declare days: number;
    }
    expect(listed(Said).properties['name']).toEqual({
      type: ['string', 'null'],
      maxLength: 3,
      description: 'Its name',
    });
    expect(listed(Said).properties['days']).toEqual({ type: ['integer', 'null'] });
  });

  it('is required again where a partial class is extended', () => {
    class Named extends PartialType(Book) {
      @IsString() override title!: string;
    }
    expect(listed(Named).required).toEqual(['title']);
    expect(listed(Named).properties['title']).toEqual({
      type: 'string',
      title: 'Title',
      description: 'As on the cover',
    });
  });
});

/** As `@nestjs/mapped-types` 12 makes a partial class: it copies what the two libraries know, and initialises as the class does. */
function partialByNest<T extends object>(source: new () => T): new () => Partial<T> {
  const inheritPropertyInitializers = (target: object): void => void Object.assign(target, new source());
  class PartialClassType {
    constructor() {
      inheritPropertyInitializers(this);
    }
  }
  const storage = getMetadataStorage();
  for (const metadata of storage.getTargetValidationMetadatas(source, '', false, false)) {
    storage.addValidationMetadata(Object.assign({}, metadata, { target: PartialClassType }));
    IsOptional()(PartialClassType.prototype, metadata.propertyName);
  }
  Object.defineProperty(PartialClassType, 'name', { value: `Partial${source.name}` });
  return PartialClassType;
}

describe('a class made by @nestjs/mapped-types', () => {
  it('is reported with what it loses', () => {
    class Item {
      @Describe('Its name') @Title('Name') @IsString() name!: string;
      @Nullable() @Mark('Shelf') @IsString() shelf!: string | null;
      @IsInt() pages: number = 1;
    }
    class Changes extends partialByNest(Item) {}
    const [found, ...others] = problemsOf(Changes);
    expect(others).toEqual([]);
    expect(found).toMatchObject({
      code: 'SIGIL_MAPPED_BY_NEST',
      problem:
        'Changes is made by a mapped type of NestJS (@nestjs/mapped-types, @nestjs/swagger or @nestjs/graphql), which loses @Describe on name, @Title on name, @Nullable on shelf, @Mark on shelf.',
    });
    expect(found?.fix).toContain('from @sigil-mcp/core');
  });

  it('has no defaults of its source, and says that they are left out', () => {
    class Item {
      @IsString() name!: string;
      @IsInt() pages: number = 1;
    }
    class Changes extends partialByNest(Item) {
      @IsInt() days: number = 14;
    }
    const shape = compileInput(Changes, {}, (problem) => expect(problem).toBeUndefined(), 'here');
    expect(shape?.vague).toMatchObject([
      { code: 'SIGIL_MAPPED_DEFAULTS', problem: expect.stringContaining('with defaults for pages.') as string },
    ]);
    expect(shape?.schema).toEqual({
      type: 'object',
      properties: { name: { type: 'string' }, pages: { type: 'integer' }, days: { type: 'integer', default: 14 } },
      additionalProperties: false,
    });
    expect(shape?.read({ name: 'n' })).toEqual({ ok: true, value: { name: 'n', days: 14 } });
  });

  it('is taken as it is where it loses nothing', () => {
    class Item {
      @IsString() name!: string;
      @IsOptional() @IsInt() @Min(1) pages?: number;
    }
    const Changes = partialByNest(Item);
    expect(listed(Changes)).toEqual({ ...listed(PartialType(Item)) });
  });
});
