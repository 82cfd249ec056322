/** Definition errors: all at once, each with where, what and how to fix it. */
import {
  Complete,
  DefinitionError,
  Feature,
  ListTemplate,
  McpContext,
  Nullable,
  Prompt,
  Resource,
  Tool,
  createServer,
  type DefinitionProblem,
  type ServerOptions,
} from '@sigil-mcp/core';
import { connect } from '@sigil-mcp/testing';
import { Type } from 'class-transformer';
import { Allow, IsIn, IsInt, IsOptional, IsString, ValidateNested } from 'class-validator';
import fc from 'fast-check';

class City {
  @IsString() city!: string;
}

class Country {
  @IsString() country!: string;
}

interface Shape {
  readonly sides: number;
}

function problemsOf(features: NonNullable<ServerOptions['features']>): readonly DefinitionProblem[] {
  try {
    createServer({ name: 'broken', version: '1.0.0', features });
    return [];
  } catch (error) {
    if (error instanceof DefinitionError) return error.problems;
    throw error;
  }
}

const codesOf = (features: NonNullable<ServerOptions['features']>): string[] =>
  problemsOf(features).map(({ code }) => code);

describe('the scanner', () => {
  it('reports every problem at once, and the message names each with its place', () => {
    @Feature()
    class Broken {
      @Tool('Takes a string') greet(name: string): string {
        return name;
      }

      @Tool('Takes an interface') measure(shape: Shape): number {
        return shape.sides;
      }

      @Tool('Takes two') both(city: City, country: Country): string {
        return city.city + country.country;
      }

      @Tool('Bad name', { name: 'no good' }) bad(): void {}
    }
    const problems = problemsOf([Broken]);
    expect(problems.map(({ code, where }) => [code, where])).toEqual([
      ['SIGIL_INPUT_NOT_A_CLASS', 'Broken.greet'],
      ['SIGIL_PARAMETER_WITHOUT_TYPE', 'Broken.measure'],
      ['SIGIL_TWO_INPUTS', 'Broken.both'],
      ['SIGIL_TOOL_NAME', 'Broken.bad'],
    ]);
    const { message } = new DefinitionError(problems);
    expect(message).toMatch(/^The server has 4 definition errors:\n {2}1\. Broken\.greet: .*\n {5}Write a class/);
  });

  it('refuses two entries of one name, wherever they are [TOOL-024]', () => {
    @Feature()
    class One {
      @Tool('First') same(): void {}
    }
    @Feature()
    class Two {
      @Tool('Second') same(): void {}
      @Prompt('Another kind') prompt(): string {
        return '';
      }
    }
    expect(problemsOf([One, Two])).toMatchObject([
      { code: 'SIGIL_DUPLICATE_ENTRY', where: 'Two.same', problem: expect.stringContaining('One.same') },
    ]);
  });

  it('takes tool names of the allowed characters only [TOOL-024]', () => {
    @Feature()
    class Names {
      @Tool('Good', { name: 'a-b_c.D1' }) good(): void {}
      @Tool('Comma', { name: 'a,b' }) comma(): void {}
      @Tool('Empty', { name: '' }) empty(): void {}
      @Tool('Long', { name: 'x'.repeat(129) }) long(): void {}
    }
    expect(codesOf([Names])).toEqual(['SIGIL_TOOL_NAME', 'SIGIL_TOOL_NAME', 'SIGIL_TOOL_NAME']);
  });

  it('checks the variables of a template against its input class [RSRC-016]', () => {
    @Feature()
    class Templates {
      @Resource('x://{city}/{country}') both({ city }: City): string {
        return city;
      }

      @Resource('x://{a}{b}') adjacent(): string {
        return '';
      }

      @Resource('x://{a') open(): string {
        return '';
      }

      @Resource('x://fixed') fixed({ city }: City): string {
        return city;
      }

      @Resource('x://{list*,more}') cutShort(): string {
        return '';
      }
    }
    expect(codesOf([Templates])).toEqual([
      'SIGIL_TEMPLATE_VARIABLES',
      'SIGIL_URI_TEMPLATE',
      'SIGIL_URI_TEMPLATE',
      'SIGIL_RESOURCE_INPUT',
      'SIGIL_URI_TEMPLATE',
    ]);
  });

  it('wants an array where a variable is exploded, and only there [RSRC-016]', () => {
    class Path {
      @IsString({ each: true }) path!: string[];
    }
    class MaybePath {
      @Nullable() @IsOptional() @IsInt({ each: true }) path: number[] | null = null;
    }
    class Any {
      @Allow() path: unknown;
    }
    class Steps {
      @ValidateNested({ each: true }) @Type(() => City) path!: City[];
    }
    class Line {
      @IsString() path!: string;
    }
    class Choice {
      @IsIn(['a', 'b', 1]) path!: unknown;
    }
    @Feature()
    class Lists {
      @Resource('a:/{/path*}') fits(_path: Path): void {}
      @Resource('b:/{?path*}') fitsMaybe(_path: MaybePath): void {}
      @Resource('c:/{/path*}') fitsAny(_path: Any): void {}
      @Resource('d:/{+path}') notExploded(_path: Path): void {}
      @Resource('e:/{?path}') notExplodedMaybe(_path: MaybePath): void {}
      @Resource('f:/{/path*}') single(_path: Line): void {}
      @Resource('g:/{/path*}') choice(_path: Choice): void {}
      @Resource('h:/{/path*}') nested(_path: Steps): void {}
    }
    expect(problemsOf([Lists])).toMatchObject([
      {
        code: 'SIGIL_TEMPLATE_NO_LIST',
        where: 'Lists.notExploded',
        problem: expect.stringContaining('is an array'),
        fix: expect.stringContaining('{/path*}'),
      },
      { code: 'SIGIL_TEMPLATE_NO_LIST', where: 'Lists.notExplodedMaybe' },
      {
        code: 'SIGIL_TEMPLATE_LIST',
        where: 'Lists.single',
        problem: expect.stringContaining('is exploded'),
        fix: expect.stringContaining('remove the asterisk'),
      },
      { code: 'SIGIL_TEMPLATE_LIST', where: 'Lists.choice' },
      { code: 'SIGIL_DTO_NOT_FLAT', where: 'Lists.nested' },
    ]);
  });

  it('checks what completers are for', () => {
    @Feature()
    class Completers {
      @Prompt('A prompt') ask({ city }: City): string {
        return city;
      }

      @Complete('city', 'nowhere') lost(): string[] {
        return [];
      }

      @Complete('country', 'ask') wrong(): string[] {
        return [];
      }
    }
    expect(codesOf([Completers])).toEqual(['SIGIL_COMPLETE_TARGET', 'SIGIL_COMPLETE_ARGUMENT']);
  });

  it('checks what lists of templates are for, and what they take', () => {
    @Feature()
    class Lists {
      @Resource('x://{city}') one({ city }: City): string {
        return city;
      }

      @Resource('y://fixed') fixed(): void {}

      @Resource('z://{city}') @Resource('zz://{city}') two(_city: City): void {}

      @ListTemplate('one') first(): [] {
        return [];
      }

      @ListTemplate('one') second(_context: McpContext): [] {
        return [];
      }

      @ListTemplate('nowhere') @ListTemplate('fixed') @ListTemplate('two') lost(): [] {
        return [];
      }

      curious(_city: City): [] {
        return [];
      }
    }
    class Late extends Lists {
      @Resource('w://{city}') late(_city: City): void {}
    }
    // As code in JavaScript may, whose compiler does not see that the method takes what it must not.
    ListTemplate('late')(Late.prototype, 'curious', {});
    Reflect.defineMetadata('design:paramtypes', [City], Late.prototype, 'curious');
    Feature()(Late);
    expect(problemsOf([Late])).toMatchObject([
      { code: 'SIGIL_LIST_TWICE', where: 'Late.second', problem: expect.stringContaining('"one"') },
      { code: 'SIGIL_LIST_TARGET', where: 'Late.lost', problem: expect.stringContaining('"nowhere"') },
      { code: 'SIGIL_LIST_TARGET', where: 'Late.lost', problem: expect.stringContaining('"fixed"') },
      { code: 'SIGIL_LIST_TARGETS', where: 'Late.lost', problem: expect.stringContaining('2 templates') },
      {
        code: 'SIGIL_LIST_PARAMETERS',
        where: 'Late.curious',
        fix: 'Use no parameters, or at most one McpContext, one Caller and one PageRequest.',
      },
    ]);
  });

  it('wants features to be marked as such', () => {
    class Plain {}
    class Unmarked {
      @Tool('Says so') say(): void {}
    }
    class Still {
      @Tool('Says so') static say(): void {}
    }
    expect(codesOf([Plain, Unmarked])).toEqual(['SIGIL_NO_FEATURE', 'SIGIL_NOT_A_FEATURE']);
    expect(codesOf([Still])).toContain('SIGIL_NOT_A_FEATURE');
  });

  it('takes the input and the context in any order, and inherits methods', () => {
    @Feature()
    class Base {
      @Tool('Context first') first(context: McpContext, { city }: City): string {
        return city + context.request.method;
      }
    }
    @Feature()
    class Derived extends Base {
      @Tool('Own') own(): void {}
    }
    expect(codesOf([Derived])).toEqual([]);
  });

  it('explains parameters without emitted types, and takes the class from the options instead', () => {
    class Bare {
      greet({ city }: City): string {
        return city;
      }
    }
    const decorate = (options?: { input: typeof City }): void => Tool('By hand', options)(Bare.prototype, 'greet', {});
    decorate();
    Feature()(Bare);
    expect(problemsOf([Bare])).toMatchObject([
      { code: 'SIGIL_NO_METADATA', fix: expect.stringContaining('{ input: TheClass }') },
    ]);
    class Explicit {
      greet({ city }: City): string {
        return city;
      }
    }
    Tool('By hand', { input: City })(Explicit.prototype, 'greet', {});
    Feature()(Explicit);
    expect(codesOf([Explicit])).toEqual([]);
  });

  it('finds mistakes in the forms that a handler says it may ask, wherever it is', () => {
    class Nested {
      @ValidateNested() @Type(() => City) city!: City;
    }
    @Feature()
    class Asks {
      @Tool('Asks', { asks: [Nested, Country] }) tool(): void {}
      @Prompt('Asks', { asks: [Nested] }) prompt(): string {
        return '';
      }
      @Resource('asks://one', { asks: [Nested] }) resource(): string {
        return '';
      }
    }
    const problems = problemsOf([Asks]).map(({ code, where }) => [code, where.replace(/ .*/, '')]);
    expect(problems).toEqual([
      ['SIGIL_DTO_FORM_OBJECT', 'Asks.tool'],
      ['SIGIL_DTO_FORM_OBJECT', 'Asks.resource'],
      ['SIGIL_DTO_FORM_OBJECT', 'Asks.prompt'],
    ]);
    expect(problemsOf([Asks])[0]?.where).toContain('Asks.tool asks(Nested)');
  });

  /** Features whose handlers ask what TypeScript would not let them. */
  const asking = (asks: never): readonly DefinitionProblem[] => {
    @Feature()
    class Asks {
      @Tool('Asks', { asks }) tool(): void {}
      @Resource('asks://one', { asks }) resource(): string {
        return '';
      }
      @Prompt('Asks', { asks }) prompt(): string {
        return '';
      }
    }
    return problemsOf([Asks]);
  };

  it.each([
    ['holds undefined, which is neither a class nor a schema', [undefined]],
    ['holds undefined, which is neither a class nor a schema', new Array<unknown>(1)],
    ['holds null, which is neither a class nor a schema', [City, null]],
    ['holds an object, which is neither a class nor a schema', [{ type: 'object', properties: {} }]],
    ['holds an object of City, which is neither a class nor a schema', [new City()]],
    ['holds a function, which is neither a class nor a schema', [() => City]],
    ['is null, which is not an array', null],
    ['is a function City, which is not an array', City],
    ['is an object, which is not an array', { type: 'object', properties: {} }],
  ])('finds what is no array of forms: asks %s', (what, asks) => {
    const words = { code: 'SIGIL_ASKS', problem: `asks ${what}.`, fix: expect.stringContaining('circular') as unknown };
    const places = ['Asks.tool', 'Asks.resource', 'Asks.prompt'];
    expect(asking(asks as never)).toEqual(places.map((where) => ({ ...words, where })));
  });

  it('names a form that has no name', () => {
    class Untyped {
      thing: unknown;
    }
    Object.defineProperty(Untyped, 'name', { value: undefined });
    expect(asking([Untyped] as never)[0]?.where).toContain('asks((an unnamed class))');
  });

  it('throws nothing but definition errors, whatever a handler says it may ask', () => {
    const anything = fc.anything({ withSparseArray: true, withNullPrototype: true, withBigInt: true, withDate: true });
    const builtIn = fc.constantFrom(String, Symbol, Promise, Proxy, Date, Map, Math.max, async () => City, eval);
    fc.assert(
      fc.property(fc.oneof(anything, builtIn, fc.array(fc.oneof(anything, builtIn))), (asks) => {
        expect(asking(asks as never)).toBeInstanceOf(Array);
      }),
    );
  });

  it('a DTO problem does not hide the problems of others', () => {
    class Untyped {
      thing: unknown;
      @IsString() fine!: string;
    }
    Reflect.defineMetadata('design:type', Object, Untyped.prototype, 'thing');
    class Empty {
      @IsString() constructorThrows!: string;
      constructor() {
        throw new Error('no');
      }
    }
    @Feature()
    class Mixed {
      @Tool('One') one(input: Empty): string {
        return input.constructorThrows;
      }

      @Tool('Two', { name: 'b a d' }) two(): void {}
    }
    const codes = codesOf([Mixed]);
    expect(codes).toContain('SIGIL_TOOL_NAME');
    expect(codes.length).toBeGreaterThan(1);
  });
});

describe('a decorator of others on a property', () => {
  /** Puts a method on the class, and makes it a resource. */
  const Served = (prototype: object, member: string): void => {
    Object.defineProperty(prototype, member, { value: () => 'from the class', configurable: true, writable: true });
    Resource('notes://one')(prototype, member, {});
  };

  it('can put the method of an entry on the class: the property, which every instance has, does not hide it', async () => {
    @Feature()
    class Notes {
      @Served readonly one: unknown;
    }
    expect(Object.keys(new Notes())).toEqual(['one']);
    const client = await connect(createServer({ name: 'notes', version: '1.0.0', features: [Notes], logger: false }));
    const { contents } = await client.readResource('notes://one');
    expect(contents).toMatchObject([{ text: 'from the class' }]);
    await client.close();
  });
});
