/** Definitions that would do nothing, or tell nobody anything: each is a problem at start. */
import {
  Complete,
  DefinitionError,
  Feature,
  ListTemplate,
  Prompt,
  Resource,
  Tool,
  UseGuards,
  createServer,
  text,
  type EntryData,
  type Guard,
  type Provider,
  type ServerOptions,
} from '@sigil-mcp/core';

@Feature()
class Fine {
  @Tool('Does it') doIt(): void {}
}

/** Code, place and words of every problem of a server. */
function problemsOf(options: Partial<ServerOptions>): object[] {
  try {
    createServer({ name: 'idle', version: '1.0.0', logger: false, ...options });
    return [];
  } catch (error) {
    if (error instanceof DefinitionError) return [...error.problems];
    throw error;
  }
}

describe('a static method', () => {
  it('is no entry, whichever decorator it has', () => {
    const open: Guard = { allows: () => true };
    @Feature()
    class Static {
      @Tool('Adds') static add(): void {}
      @Resource('x://one') static one(): string {
        return '';
      }
      @Prompt('Asks') static ask(): string {
        return '';
      }
      @Complete('city', 'ask') static cities(): string[] {
        return [];
      }
      @ListTemplate('one') static list(): [] {
        return [];
      }
      @UseGuards(open) static guarded(): void {}
      @Tool('An entry') entry(): void {}
    }
    expect(problemsOf({ features: [Static] })).toMatchObject([
      {
        code: 'SIGIL_STATIC_METHOD',
        where: 'Static.add',
        problem: '@Tool is on a static method, but only instance methods are called.',
        fix: 'Remove `static`.',
      },
      { where: 'Static.one', problem: expect.stringContaining('@Resource') },
      { where: 'Static.ask', problem: expect.stringContaining('@Prompt') },
      { where: 'Static.cities', problem: expect.stringContaining('@Complete') },
      { where: 'Static.list', problem: expect.stringContaining('@ListTemplate') },
      { where: 'Static.guarded', problem: expect.stringContaining('@UseGuards') },
    ]);
  });

  it('is none when it is inherited, either', () => {
    class Base {
      @Tool('Adds') static add(): void {}
    }
    @Feature()
    class Derived extends Base {
      @Tool('An entry') entry(): void {}
    }
    expect(problemsOf({ features: [Derived] })).toMatchObject([{ code: 'SIGIL_STATIC_METHOD', where: 'Derived.add' }]);
  });
});

describe('words that say nothing', () => {
  it.each(['', ' \n'])('are no description of a tool, resource or prompt, and no name: %j', (blank) => {
    @Feature()
    class Blank {
      @Tool(blank) tool(): void {}
      @Resource('x://one', { name: blank, description: blank }) resource(): string {
        return '';
      }
      @Resource('x://{id}', { description: blank }) template(): string {
        return '';
      }
      @Prompt(blank, { name: blank }) prompt(): string {
        return '';
      }
    }
    const value = JSON.stringify(blank);
    const problems = problemsOf({ features: [Blank] });
    expect(problems).toMatchObject([
      {
        code: 'SIGIL_BLANK_WORDS',
        where: 'Blank.tool',
        problem: expect.stringContaining(`its description is ${value}`),
      },
      { where: 'Blank.resource', problem: expect.stringContaining('its name') },
      { where: 'Blank.resource', problem: expect.stringContaining('its description') },
      { where: 'Blank.template', problem: expect.stringContaining('its description') },
      { where: 'Blank.prompt', problem: expect.stringContaining('its name') },
      { where: 'Blank.prompt', problem: expect.stringContaining('its description') },
    ]);
  });

  it('are no name, version or description of a server', () => {
    expect(problemsOf({ name: '', version: ' ', description: '' })).toMatchObject([
      { code: 'SIGIL_BLANK_WORDS', where: 'createServer', problem: expect.stringContaining('its name is ""') },
      { problem: expect.stringContaining('its version is " "') },
      { problem: expect.stringContaining('its description is ""') },
    ]);
    expect(problemsOf({ name: undefined as never })).toMatchObject([
      { problem: expect.stringContaining('is undefined') },
    ]);
  });

  it('do not get in while the server runs', () => {
    const { registry } = createServer({ name: 'idle', version: '1.0.0', features: [Fine], logger: false });
    const handler = (): void => {};
    expect(() => registry.add({ kind: 'tool', name: 'more', description: '', handler })).toThrow('SIGIL_BLANK_WORDS');
    expect(() => registry.update('tool', 'doIt', { description: ' ' })).toThrow('SIGIL_BLANK_WORDS');
  });
});

describe('among the features', () => {
  it('a class without entries is refused', async () => {
    @Feature()
    class Empty {
      notDecorated(): void {}
    }
    const problem = { code: 'SIGIL_FEATURE_EMPTY', where: 'Empty' };
    expect(problemsOf({ features: [Empty, Fine] })).toMatchObject([problem]);
    const { registry } = createServer({ name: 'idle', version: '1.0.0', features: [Fine], logger: false });
    await expect(registry.add(Empty)).rejects.toMatchObject({ problems: [problem] });
  });

  it('what is no class is refused, each with its place', () => {
    const features = [new Fine(), Fine, { tools: [] }, undefined, () => Fine] as never;
    expect(problemsOf({ features })).toMatchObject([
      {
        code: 'SIGIL_FEATURE_NOT_A_CLASS',
        where: 'createServer({ features })[0]',
        problem:
          'features contains an object of Fine, but a feature is a class, or an entry made with tool(), resource() or prompt().',
      },
      { where: 'createServer({ features })[2]', problem: expect.stringContaining('features contains an object') },
      { where: 'createServer({ features })[3]', problem: expect.stringContaining('undefined') },
      { where: 'createServer({ features })[4]', problem: expect.stringContaining('a function') },
    ]);
    expect(problemsOf({ features: Fine as never })).toMatchObject([{ code: 'SIGIL_FEATURES' }]);
  });
});

describe('a factory', () => {
  const problemsWith = (provider: Provider): object[] => problemsOf({ features: [Fine], providers: [provider] });

  it('whose parameters have no tokens is refused', () => {
    const useFactory = (one: string, two: string): string => one + two;
    expect(problemsWith({ provide: 'BOTH', useFactory })).toMatchObject([
      { code: 'SIGIL_FACTORY_INJECT', where: '"BOTH"', problem: expect.stringContaining('(2)') },
    ]);
    expect(problemsWith({ provide: 'BOTH', useFactory, inject: [Fine] })).toMatchObject([
      { code: 'SIGIL_FACTORY_INJECT', problem: expect.stringContaining('(1)') },
    ]);
    expect(problemsWith({ provide: 'BOTH', useFactory, inject: [Fine, Fine] })).toEqual([]);
  });

  it('needs none for parameters with a default', () => {
    expect(problemsWith({ provide: 'ONE', useFactory: (one = 'one') => one })).toEqual([]);
  });
});

it('a prompt that returns what is no message does not compile', () => {
  class Prompts {
    // @ts-expect-error -- a number is no message
    @Prompt('Counts') count(): number {
      return 1;
    }

    // @ts-expect-error -- neither is data
    @Prompt('Finds') async find(): Promise<{ title: string }[]> {
      return Promise.resolve([]);
    }

    // @ts-expect-error -- nor nothing
    @Prompt('Says nothing') nothing(): void {}

    @Prompt('Asks') ask() {
      return ['Hello?', { role: 'assistant', content: 'Yes?' }, text('Well.')];
    }
  }
  expect(Prompts).toBeDefined();
});

describe('what is added to the registry', () => {
  const handler = (): string => 'x';

  it.each<[unknown, string, string]>([
    [new Fine(), 'registry.add(an object of Fine)', 'an object of Fine without a kind'],
    [{}, 'registry.add(an object)', 'an object without a kind'],
    [{ kind: 'tol', name: 'x', handler }, 'registry.add("x")', 'an object of the kind "tol"'],
    [undefined, 'registry.add(undefined)', 'undefined'],
    ['forecast', 'registry.add("forecast")', '"forecast"'],
  ])('is no entry without a kind: %p', (given, where, value) => {
    expect(problemOfAdding(given)).toMatchObject([
      { code: 'SIGIL_NOT_AN_ENTRY', where, problem: `${value} is not an entry.` },
    ]);
  });

  it.each<[unknown, object]>([
    [
      { kind: 'tool', description: 'Does it', handler },
      { code: 'SIGIL_TOOL_NAME', problem: 'undefined is not a valid tool name.' },
    ],
    [
      { kind: 'tool', name: 'x', description: 'Does it' },
      { code: 'SIGIL_ENTRY_FUNCTION', where: 'registry.add("x")' },
    ],
    [
      { kind: 'prompt', name: 'x', description: 'Asks', handler: {} },
      { code: 'SIGIL_ENTRY_FUNCTION', where: 'registry.add("x")' },
    ],
    [
      { kind: 'resource', name: 'x', handler },
      { code: 'SIGIL_RESOURCE_URI', where: 'registry.add("x")' },
    ],
  ])('needs all that an entry has: %p', (given, problem) => {
    expect(problemOfAdding(given)).toMatchObject([problem]);
  });

  function problemOfAdding(given: unknown): object[] {
    const server = createServer({ name: 'idle', version: '1.0.0', logger: false, features: [Fine] });
    try {
      // JavaScript, or a cast, may add anything.
      server.registry.add(given as EntryData);
      return [];
    } catch (error) {
      if (error instanceof DefinitionError) return [...error.problems];
      throw error;
    }
  }
});
