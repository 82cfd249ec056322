/** Classes as they are in projects that come from NestJS: what is plain from the class is taken and told, what is unsafe is refused. */
import { Type } from 'class-transformer';
import {
  Equals, IsArray, IsInt, IsOptional, IsString, Matches, MaxLength, Min, ValidateNested,
} from 'class-validator'; // prettier-ignore
import { connect } from '@sigil-mcp/testing';
import { createServer, Describe, Feature, PartialType, Tool, type ServerOptions } from '../src';
import type { Logger } from '../src/logging/logger';
import { outputShape } from '@sigil-mcp/schema';
import type { Class } from '@sigil-mcp/base';
import { codesOf, compile, problemsOf, read, refusals, write } from '../../../test/support/supplies/compiled-dto';

class Filter {
  @IsOptional() @IsString() equals?: string;
  @IsOptional() @IsInt() most?: number;
}

describe('a class with rules, without @ValidateNested()', () => {
  class Query {
    @IsOptional() one?: Filter;
    @IsOptional() @Type(() => Filter) typed?: Filter;
    @IsArray() @Type(() => Filter) many!: Filter[];
    @IsOptional() @Type(() => Filter) byName?: Map<string, Filter>;
  }
  const value = { one: { equals: 'a' }, typed: { most: 1 }, many: [{ most: 2 }], byName: { a: { equals: 'b' } } };

  it('is listed, validated and made an instance of, and told', () => {
    const found = read<Query>(Query, value);
    expect(
      [found.one, found.typed, ...found.many, found.byName?.get('a')].every((each) => each instanceof Filter),
    ).toBe(true);
    expect(
      refusals(Query, { one: { most: 'x' }, typed: { other: 1 }, many: [{ most: 'x' }], byName: { a: 1 } }),
    ).toHaveLength(4);
    expect(compile(Query).vague?.map(({ code, problem }) => [code, problem.split(' ')[0]])).toEqual(
      ['one', 'typed', 'many', 'byName'].map((name) => ['SIGIL_DTO_NESTED_WITHOUT_VALIDATION', `Query.${name}`]),
    );
    expect(compile(Query).schema['properties']).toMatchObject({
      one: { type: 'object', additionalProperties: false },
      many: { items: { type: 'object', additionalProperties: false } },
    });
  });

  it('has no more in a result than it declares', () => {
    class Answer {
      @Type(() => Filter) @IsOptional() filter?: object;
    }
    expect(write(Answer, { filter: { equals: 'a', secret: 1 } })).toEqual({ filter: { equals: 'a' } });
  });

  it('is chosen by a discriminator', () => {
    class Cat {
      @IsInt() lives!: number;
    }
    class Owner {
      @Type(() => Object, { discriminator: { property: 'kind', subTypes: [{ value: Cat, name: 'cat' }] } })
      @IsOptional()
      pet?: Cat;
    }
    expect(read<Owner>(Owner, { pet: { kind: 'cat', lives: 9 } }).pet).toBeInstanceOf(Cat);
    expect(refusals(Owner, { pet: { kind: 'cat', lives: 'x' } })).toHaveLength(1);
  });
});

it('instances of a class that is not known are refused at start, since nothing could validate them, and told in what is returned', () => {
  class Library {
    @ValidateNested() declare owner: unknown;
    @ValidateNested({ each: true }) declare books: unknown[];
  }
  Reflect.defineMetadata('design:type', Object, Library.prototype, 'owner');
  Reflect.defineMetadata('design:type', Array, Library.prototype, 'books');
  expect(problemsOf(Library).map(({ code, problem }) => [code, problem.split(' ')[0]])).toEqual([
    ['SIGIL_DTO_NESTED_WITHOUT_TYPE', 'Library.owner'],
    ['SIGIL_DTO_NESTED_WITHOUT_TYPE', 'Library.books'],
  ]);
  expect(outputShape(Library).vague).toHaveLength(2);
});

it('rules with { each: true } are about the value where one value is declared', () => {
  class Poster {
    @IsString({ each: true }) @MaxLength(3, { each: true }) title!: string;
    @Min(1, { each: true }) @IsOptional() copies?: number;
  }
  expect(compile(Poster).schema['properties']).toEqual({
    title: { type: 'string', maxLength: 3 },
    copies: { type: 'number', minimum: 1 },
  });
  expect(read(Poster, { title: 'abc', copies: 2 })).toEqual({ title: 'abc', copies: 2 });
  expect(refusals(Poster, { title: 'abcd', copies: 0 })).toHaveLength(2);
  expect(refusals(Poster, { title: ['abc'] })).toEqual(['title must be a string, not an array']);
});

it('a function of @Type that looks at the value is told what to say in its place', () => {
  class Owner {
    @ValidateNested()
    @Type((help) => (help?.newObject as { kind?: Class<object> & (new () => object) }).kind as never)
    pet!: object;
  }
  expect(problemsOf(Owner)).toMatchObject([
    { code: 'SIGIL_DTO_TYPE_BY_VALUE', fix: expect.stringContaining('discriminator') as string },
  ]);
});

describe("createServer({ strict: 'warn' })", () => {
  class Loose {
    @IsString() @Type(() => Date) due!: Date;
    @IsString() @Equals(5) never!: string;
    @IsOptional() typed?: URL;
    undecorated = 1;
    @ValidateNested({ each: true }) notes!: object[];
    @IsString() get readOnly(): string {
      return '';
    }
    @IsString() name!: string;
  }

  const start = (dto: Class, strict?: ServerOptions['strict']) => {
    const warned: string[] = [];
    const warn = (fields: object): void =>
      void warned.push(...((fields as { properties?: string[] }).properties ?? []));
    const logger: Logger = { debug() {}, info() {}, error() {}, warn };
    @Feature()
    class Library {
      add(given: unknown): string {
        return JSON.stringify(given);
      }
    }
    Reflect.defineMetadata('design:paramtypes', [dto], Library.prototype, 'add');
    Tool('Adds')(Library.prototype, 'add', Object.getOwnPropertyDescriptor(Library.prototype, 'add') as never);
    const options = { name: 'x', version: '1.0.0', features: [Library], logger };
    return { warned, make: () => createServer(strict === undefined ? options : { ...options, strict }) };
  };

  it('starts with what is wrong and lets nothing unsafe in, and warns of all', async () => {
    expect(start(Loose).make).toThrow(/SIGIL_DTO_WRONG_TYPE/);
    const { warned, make } = start(Loose, 'warn');
    const client = await connect(make());
    expect(warned.map((each) => /\[(\w+)\]$/.exec(each)?.[1]).sort()).toEqual([
      'SIGIL_DTO_ANY_VALUE',
      'SIGIL_DTO_CONTRADICTION',
      'SIGIL_DTO_NESTED_WITHOUT_TYPE',
      'SIGIL_DTO_PROPERTY_WITHOUT_DECORATOR',
      'SIGIL_DTO_READ_ONLY',
      'SIGIL_DTO_TYPE_WITHOUT_JSON',
      'SIGIL_DTO_WRONG_TYPE',
    ]);
    const [tool] = (await client.listTools()).tools;
    expect(Object.keys(tool?.inputSchema['properties'] as object)).toEqual(['due', 'typed', 'name']);
    expect(await client.callTool('add', { due: '2026-01-01', name: 'n' })).toMatchObject({
      content: [{ text: JSON.stringify({ due: '2026-01-01', undecorated: 1, name: 'n' }) }],
    });
    await client.close();
  });

  it('refuses what is unsafe all the same', () => {
    class Unsafe {
      @Matches(/^(a+)+$/) word!: string;
    }
    expect(start(Unsafe, 'warn').make).toThrow(/SIGIL_DTO_RUNAWAY_PATTERN/);
  });
});

describe('@ApiProperty of @nestjs/swagger', () => {
  /** Writes what its decorators write. */
  const ApiProperty =
    (said: object): PropertyDecorator =>
    (prototype, name) => {
      const names = (Reflect.getMetadata('swagger/apiModelPropertiesArray', prototype) ?? []) as string[];
      Reflect.defineMetadata('swagger/apiModelPropertiesArray', [...names, `:${String(name)}`], prototype);
      Reflect.defineMetadata('swagger/apiModelProperties', { required: true, ...said }, prototype, name);
    };

  class Cat {
    @ApiProperty({ description: 'What it is called', example: 'Tom' }) @IsString() name!: string;
    @Describe('Ours') @ApiProperty({ description: 'Theirs', examples: [1, 2], default: 3 }) @IsInt() age: number = 1;
    @ApiProperty({ enum: ['tabby', 'black'] }) @IsOptional() colour?: string;
    @ApiProperty({ description: 'Said by nobody else' }) note!: string;
  }
  const listed = {
    name: { type: 'string', description: 'What it is called', examples: ['Tom'] },
    age: { type: 'integer', description: 'Ours', examples: [1, 2], default: 1 },
    colour: { type: 'string', enum: ['tabby', 'black'] },
    note: { type: 'string', description: 'Said by nobody else' },
  };

  it('is listed as @Describe is, which goes before it', () => {
    expect(compile(Cat).schema['properties']).toEqual(listed);
    expect(compile(class extends Cat {}).schema['properties']).toEqual(listed);
    expect(outputShape(Cat).schema['properties']).toEqual(listed);
  });

  it('stays with a mapped class', () => {
    const { default: _none, ...age } = listed.age;
    expect(compile(PartialType(Cat)).schema['properties']).toEqual({ ...listed, age: { ...age, default: 3 } });
  });

  it('names the only values, which are the only ones accepted', () => {
    expect(refusals(Cat, { name: 'Tom', note: '', colour: 'green' })).toEqual([
      'colour must be one of "tabby", "black"',
    ]);
    expect(read(Cat, { name: 'Tom', note: '', colour: 'tabby' })).toMatchObject({ colour: 'tabby' });
  });

  it('may say anything', () => {
    class Odd {
      @ApiProperty({ description: 5, example: 5n, enum: {}, default: () => 1, title: 'Odd' }) @IsString() odd!: string;
    }
    expect(codesOf(Odd)).toEqual([]);
    expect(compile(Odd).schema['properties']).toEqual({ odd: { type: 'string', title: 'Odd' } });
  });
});
