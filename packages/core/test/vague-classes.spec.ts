/** Classes that say too little: their servers start, say so once, and refuse it where they are strict. */
import { Type } from 'class-transformer';
import {
  Allow, ArrayNotEmpty, IsArray, IsDefined, IsInt, IsNotEmpty, IsObject, IsOptional, IsString, ValidateIf, ValidateNested,
} from 'class-validator'; // prettier-ignore
import { connect } from '@sigil-mcp/testing';
import { createServer } from '../src/create-server';
import { AnyOf, Describe, Nullable, RecordOf, Sensitive, Shapes, type InputShape } from '@sigil-mcp/schema';
import { Feature } from '../src/decorators/injectable';
import { Prompt } from '../src/decorators/prompt';
import { Resource } from '../src/decorators/resource';
import { Tool } from '../src/decorators/tool';
import { DefinitionError, type Class } from '@sigil-mcp/base';
import type { Logger } from '../src/logging/logger';
import type { Server } from '../src/server/server';

interface Payload {
  readonly any: string;
}

class Entity {
  declare id: string;
}

function compile(dto: Class, options = {}): InputShape {
  const problems: unknown[] = [];
  const report = (problem: unknown): unknown => problems.push(problem);
  const shape = new Shapes().input(dto, options, { where: 'Library.add', report });
  expect(problems).toEqual([]);
  return shape!;
}

function schemasOf(dto: Class): unknown {
  return compile(dto).schema['properties'];
}

function vagueOf(dto: Class): string[] {
  return (compile(dto).vague ?? []).map(({ code, problem }) => `${code} ${problem.split(' ')[0]}`);
}

it('instances in a list, or in a record: only { each: true } says that it is a list', () => {
  class Author {
    @IsString() name!: string;
  }
  class Library {
    @ValidateNested({ each: true }) @Type(() => Author) byName!: Record<string, Author>;
    @IsOptional() @ValidateNested({ each: true }) @Type(() => Author) perhaps?: Author[] | null;
    @IsArray() @ValidateNested({ each: true }) @Type(() => Author) list!: Author[] | null;
    @ValidateNested({ each: true }) @Type(() => Author) authors!: Author[];
    @ValidateNested({ each: true }) @Type(() => Author) map!: Map<string, Author>;
    @RecordOf(Author) record!: Record<string, Author>;
  }
  expect(vagueOf(Library)).toEqual([
    'SIGIL_DTO_LIST_OR_RECORD Library.byName',
    'SIGIL_DTO_LIST_OR_RECORD Library.perhaps',
  ]);
});

describe('a property of which only presence is said', () => {
  class Letter {
    @IsOptional() data?: Payload;
    @IsDefined() payload: any; // eslint-disable-line @typescript-eslint/no-explicit-any -- as in the code that people bring
    @IsOptional() variables?: Record<string, unknown>;
    @IsNotEmpty() to!: string | string[];
    @Describe('whatever there is') rest!: unknown;
    @ValidateIf(() => true) perhaps!: unknown;
  }

  it('may be any JSON value', () => {
    const notNull = { type: ['string', 'number', 'boolean', 'object', 'array'] };
    expect(schemasOf(Letter)).toEqual({
      data: {},
      payload: notNull,
      variables: {},
      to: { ...notNull, minLength: 1 },
      rest: { description: 'whatever there is' },
      perhaps: {},
    });
    for (const value of ['text', 1, true, { a: [1] }, [null]])
      expect(
        compile(Letter).read({ data: value, payload: value, to: value, rest: value, perhaps: value }),
      ).toMatchObject({
        ok: true,
        value: { data: value, payload: value, to: value },
      });
    expect(compile(Letter).read({ payload: null, to: '', rest: 1, perhaps: 1 })).toMatchObject({
      failures: [{ path: 'payload' }, { path: 'to' }],
    });
  });

  it('is told with class, member, what a model is not told and what to write', () => {
    expect(vagueOf(Letter)).toEqual(
      ['data', 'payload', 'variables', 'to', 'rest', 'perhaps'].map((name) => `SIGIL_DTO_ANY_VALUE Letter.${name}`),
    );
    expect(compile(Letter).vague?.[0]).toEqual({
      code: 'SIGIL_DTO_ANY_VALUE',
      where: 'Library.add',
      problem:
        'Letter.data has no decorator that gives its type: models see no schema for it, and the handler receives any JSON value.',
      fix: 'Add one: @IsString(), @IsInt(), @IsObject(), @AnyOf(...), @RecordOf(...), or for a class @ValidateNested() and @Type(). A compiler that reads each file alone (jest with isolatedModules, for example) does not know imported type aliases and enums, so such a property needs a decorator. If any value is fine, use @Allow().',
    });
  });

  it('is a text where only texts travel, and a value as it was sent where they are coerced', () => {
    expect(compile(Letter, { strings: true }).vague).toEqual([]);
    expect(compile(Letter, { strings: true }).read({ payload: 'a', to: 'b', rest: 'c', perhaps: 'd' })).toMatchObject({
      ok: true,
      value: { payload: 'a', to: 'b' },
    });
    expect(compile(Letter, { coerce: true }).read({ payload: 'a', to: 'b', rest: 1, perhaps: 1 })).toMatchObject({
      ok: true,
      value: { payload: 'a' },
    });
  });

  it('is enough said where the compiler knows the type, or the author says that it may be anything', () => {
    class Said {
      @IsOptional() name?: string;
      @IsDefined() count!: number;
      @IsNotEmpty() flag!: boolean;
      @IsOptional() day?: Date;
      @Allow() anything: unknown;
      @Allow() @IsOptional() union?: string | number;
      @IsObject() object!: object;
      @AnyOf(String, Number) id!: string | number;
      @RecordOf() record!: Record<string, unknown>;
      @IsString() @Nullable() text!: string | null;
    }
    expect(vagueOf(Said)).toEqual([]);
    expect(schemasOf(Said)).toMatchObject({
      name: { type: 'string' },
      count: { type: 'number' },
      flag: { type: 'boolean' },
      anything: {},
    });
  });
});

describe('a list that does not say what it holds', () => {
  class Lists {
    @IsArray() names!: string[];
    @IsOptional() more?: string[];
    @ArrayNotEmpty() some!: number[];
    @Describe('a set') tags!: Set<string>;
    @IsOptional() byName?: Map<string, string>;
  }

  it('may hold anything, and is told', () => {
    expect(schemasOf(Lists)).toEqual({
      names: { type: 'array' },
      more: { type: 'array' },
      some: { type: 'array', minItems: 1 },
      tags: { type: 'array', uniqueItems: true, description: 'a set' },
      byName: { type: 'object' },
    });
    expect(vagueOf(Lists)).toEqual(
      ['names', 'more', 'some', 'tags', 'byName'].map((name) => `SIGIL_DTO_ANY_ITEMS Lists.${name}`),
    );
  });

  it('is enough said with rules for each, a class, or @Allow', () => {
    class Said {
      @IsArray() @IsString({ each: true }) names!: string[];
      @IsArray() @Allow() anything!: unknown[];
      @Allow() list!: unknown[];
      @Type(() => Number) numbers!: number[];
      @IsInt({ each: true }) years!: Set<number>;
      @IsArray({ each: true }) rows!: string[][];
    }
    expect(vagueOf(Said)).toEqual([]);
  });
});

describe('a property of a class without rules', () => {
  class Job {
    @IsDefined() entity!: Entity;
    @ValidateNested() nested!: Entity;
    @Type(() => Entity) @IsArray() list!: Entity[];
    @IsOptional() @Allow() allowed?: Entity;
  }

  it('is any object, as it was sent, and is told', () => {
    const object = { type: 'object' };
    expect(schemasOf(Job)).toEqual({
      entity: object,
      nested: object,
      list: { type: 'array', items: object },
      allowed: object,
    });
    expect(compile(Job).read({ entity: { id: 1 }, nested: { other: [] }, list: [{}] })).toMatchObject({
      ok: true,
      value: { entity: { id: 1 }, nested: { other: [] }, list: [{}] },
    });
    expect(vagueOf(Job)).toEqual(['entity', 'nested', 'list'].map((name) => `SIGIL_DTO_ANY_MEMBERS Job.${name}`));
    expect(compile(Job).vague?.[0]?.problem).toBe(
      'Job.entity holds Entity, a class without decorators: models see no schema for its properties, and the handler receives any object, unchanged.',
    );
  });
});

describe('a server with such a class', () => {
  class Query {
    @IsOptional() data?: Payload;
    @IsArray() names!: string[];
  }

  class Answer {
    @IsDefined() found!: unknown;
  }

  @Feature()
  class Library {
    @Tool('Finds', { output: Answer }) find(query: Query): Answer {
      return { found: query.names };
    }

    @Tool('Finds again') again({ names }: Query): string {
      return String(names);
    }

    @Prompt('Writes') write(query: Query): string {
      return JSON.stringify(query.data);
    }
  }

  class Late {
    @IsOptional() other: unknown;
  }

  @Feature()
  class Later {
    @Tool('Comes later') late({ other }: Late): string {
      return String(other);
    }
  }

  type Entries = [level: string, fields: unknown, message: string][];

  function logged(strict?: boolean): { readonly server: () => Server; readonly entries: Entries } {
    const entries: Entries = [];
    const log = (level: string) => (fields: object, message: string) => void entries.push([level, fields, message]);
    const logger: Logger = { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') };
    const options = {
      name: 'library',
      version: '1.0.0',
      features: [Library],
      logger,
      ...(strict !== undefined && { strict }),
    };
    return { server: () => createServer(options), entries };
  }

  it('starts with one warning for all properties, each told once, and tells of what is added later', async () => {
    const { server, entries } = logged();
    const made = server();
    expect(entries).toEqual([]);
    const client = await connect(made);
    expect(entries).toEqual([
      [
        'warn',
        {
          properties: [
            expect.stringMatching(
              /^Library\.find: Query\.data has no decorator .* @Allow\(\)\. \[SIGIL_DTO_ANY_VALUE\]$/,
            ),
            expect.stringMatching(/^Library\.find: Query\.names does not give .* \[SIGIL_DTO_ANY_ITEMS\]$/),
            expect.stringMatching(/^Library\.find: Answer\.found has no decorator .* \[SIGIL_DTO_ANY_VALUE\]$/),
          ],
        },
        'Some entries and classes say too little or too much, or what had to be guessed; createServer({ strict: true }) refuses them',
      ],
    ]);
    await made.registry.add(Later);
    expect(entries.slice(1)).toEqual([
      ['warn', { properties: [expect.stringContaining('Late.other')] }, expect.any(String)],
    ]);
    await client.close();
    await made.close();
  });

  it('does not start where it is strict', () => {
    const { server, entries } = logged(true);
    const codes = (): string[] => {
      try {
        server();
        return [];
      } catch (error) {
        return error instanceof DefinitionError
          ? error.problems.map(({ code, where, problem }) => `${where} ${code} ${problem.split(' ')[0]}`)
          : [];
      }
    };
    expect(codes()).toEqual([
      'Library.find SIGIL_DTO_ANY_VALUE Query.data',
      'Library.find SIGIL_DTO_ANY_ITEMS Query.names',
      'Library.find SIGIL_DTO_ANY_VALUE Answer.found',
      'Library.again SIGIL_DTO_ANY_VALUE Query.data',
      'Library.again SIGIL_DTO_ANY_ITEMS Query.names',
    ]);
    expect(entries).toEqual([]);
  });

  it('warns of descriptions that begin with TODO, and refuses them where it is strict', async () => {
    class Place {
      @Describe(' TODO street') @IsString() street!: string;
    }
    class Town {
      @Describe('TODO: name the place') @IsString() place!: string;
    }
    class Draft {
      @Describe('TODO: say what it is') @IsString() title!: string;
      @Describe('The place') @ValidateNested() @Type(() => Place) place!: Place;
    }
    @Feature()
    class Drafts {
      @Tool('TODO: say what it does') find({ title }: Draft): string {
        return title;
      }
      @Prompt('todolists are described with a word that looks like it') plan(): string {
        return '';
      }
      @Prompt('Asks') ask({ place }: Town): string {
        return place;
      }
    }
    const warn = jest.fn();
    const logger: Logger = { debug: jest.fn(), info: jest.fn(), warn, error: jest.fn() };
    const define = (strict: boolean) =>
      createServer({ name: 'drafts', version: '1.0.0', features: [Drafts], logger, strict });
    const server = define(false);
    await (await connect(server)).close();
    expect(warn.mock.calls.map(([{ properties }]: [{ properties: string[] }]) => properties)).toEqual([
      [
        expect.stringMatching(/^Drafts\.find: its description is a placeholder: .* \[SIGIL_PLACEHOLDER\]$/),
        expect.stringContaining('Drafts.find: its description of "title" is a placeholder'),
        expect.stringContaining('Drafts.find: its description of "place.street" is a placeholder'),
        expect.stringContaining('Drafts.ask: its description of "place" is a placeholder'),
      ],
    ]);
    expect(() => define(true)).toThrow(/SIGIL_PLACEHOLDER/);
    await server.close();
  });

  it('warns of a secret in a URI, and starts', async () => {
    class Key {
      @IsString() @Sensitive() key!: string;
    }
    @Feature()
    class Archive {
      @Resource('archive://{key}') open({ key }: Key): string {
        return key;
      }
    }
    const warn = jest.fn();
    const logger: Logger = { debug: jest.fn(), info: jest.fn(), warn, error: jest.fn() };
    const server = createServer({ name: 'archive', version: '1.0.0', features: [Archive], logger });
    await (await connect(server)).close();
    expect(warn.mock.calls.map(([{ properties }]: [{ properties: string[] }]) => properties)).toEqual([
      [
        expect.stringMatching(
          /^Archive\.open: its URI has the sensitive variable key\. .* \[SIGIL_TEMPLATE_SENSITIVE\]$/,
        ),
      ],
    ]);
    await server.close();
  });

  it('says nothing where nothing is left open', async () => {
    class Clear {
      @IsString() name!: string;
    }
    @Feature()
    class Quiet {
      @Tool('Says') say({ name }: Clear): string {
        return name;
      }
    }
    const warn = jest.fn();
    const logger: Logger = { debug: jest.fn(), info: jest.fn(), warn, error: jest.fn() };
    const server = createServer({ name: 'quiet', version: '1.0.0', features: [Quiet], logger, strict: true });
    const client = await connect(server);
    expect(warn).not.toHaveBeenCalled();
    await client.close();
    await server.close();
  });
});
