/** Entries that are functions: what of them is wrong is said at start, and these lines compile, or are marked as lines that do not. */
import { IsString } from 'class-validator';
import { z } from 'zod';
import {
  DefinitionError, Feature, McpContext, Prompt, Resource, Tool, createServer, prompt, resource, tool,
  type DefinitionProblem, type Guard, type JsonSchema, type JsonSchemaOf, type ServerOptions,
} from '../src'; // prettier-ignore

class City {
  @IsString() city!: string;
}

function problemsOf(...features: unknown[]): DefinitionProblem[] {
  try {
    createServer({ name: 'broken', version: '1.0.0', features: features as ServerOptions['features'] & {} });
    return [];
  } catch (error) {
    if (error instanceof DefinitionError) return [...error.problems];
    throw error;
  }
}

const placesOf = (...features: unknown[]): string[][] =>
  problemsOf(...features).map(({ code, where }) => [code, where]);
const description = 'Does it';
const template = 'weather://{city}';

describe('what is neither a class nor a schema', () => {
  const wrong: unknown[] = [String, Map, Array, Object, Buffer, () => 1, null];

  it.each(wrong)('is told at start as an input, of a decorator and of a function: %p', (value) => {
    const input = value as never;

    @Feature()
    class Wrong {
      @Tool('Takes it', { input }) take(_value: unknown): void {}
      @Prompt('Asks it', { input }) ask(_value: unknown): string {
        return '';
      }
      @Resource('a://{b}', { input }) read(_value: unknown): void {}
    }
    expect(
      placesOf(
        Wrong,
        tool('a', { description, input }, () => 1),
        prompt('p', { description, input }, () => ''),
      ),
    ).toEqual(
      ['Wrong.take', 'Wrong.read', 'Wrong.ask', 'tool("a")', 'prompt("p")'].map((where) => [
        'SIGIL_NOT_A_SCHEMA',
        where,
      ]),
    );
  });

  it.each(wrong)('is told at start as an output, of a decorator and of a function: %p', (value) => {
    const output = value as never;

    @Feature()
    class Wrong {
      @Tool('Gives it', { output }) give(): never {
        throw new Error('never called');
      }
    }
    const give = (() => 1) as () => never;
    expect(placesOf(Wrong, tool('a', { description, output }, give))).toEqual([
      ['SIGIL_NOT_A_SCHEMA', 'Wrong.give'],
      ['SIGIL_NOT_A_SCHEMA', 'tool("a")'],
    ]);
  });

  it('is told with what it is', () => {
    const [problem] = problemsOf(tool('a', { description, output: String as never }, () => 1));
    expect(problem?.problem).toBe(
      'its output is a function String, which is neither a class with properties nor a schema.',
    );
  });
});

describe('what is wrong with a function', () => {
  it.each<[unknown, string, string]>([
    [tool('a b', { description }, () => 1), 'SIGIL_TOOL_NAME', 'tool("a b")'],
    [tool('a', { description: ' ' }, () => 1), 'SIGIL_BLANK_WORDS', 'tool("a")'],
    [tool('a', {} as never, () => 1), 'SIGIL_BLANK_WORDS', 'tool("a")'],
    [tool('a', { description, timeout: -1 }, () => 1), 'SIGIL_TOOL_TIMEOUT', 'tool("a")'],
    [tool('a', { description, concurrency: 0 }, () => 1), 'SIGIL_CONCURRENCY', 'tool("a")'],
    [tool('a', { description, input: z.string() }, () => 1), 'SIGIL_SCHEMA_ROOT', 'tool("a")'],
    [
      tool('a', { description, inputSchema: { type: 'object' } } as { description: string }, () => 1),
      'SIGIL_ENTRY_MEMBER',
      'tool("a")',
    ],
    [
      prompt('p', { description, argsSchema: 1 } as { description: string }, () => ''),
      'SIGIL_ENTRY_MEMBER',
      'prompt("p")',
    ],
    [tool('a', (() => 1) as never, undefined as never), 'SIGIL_ENTRY_FUNCTION', 'tool("a")'],
    [resource('no uri', { name: 'a' }, () => 1), 'SIGIL_RESOURCE_URI', 'resource("no uri")'],
    [resource('a://b', { name: 'a', input: City }, () => 1), 'SIGIL_RESOURCE_INPUT', 'resource("a://b")'],
    [resource('a://b', { name: 'a', list: () => [] }, () => 1), 'SIGIL_LIST_WITHOUT_TEMPLATE', 'resource("a://b")'],
    [resource('a://{b}', { name: 'a', input: City }, () => 1), 'SIGIL_TEMPLATE_VARIABLES', 'resource("a://{b}")'],
    [
      resource(template, { name: 'a', complete: { town: () => [] } }, () => 1),
      'SIGIL_COMPLETE_ARGUMENT',
      `resource("${template}")`,
    ],
    [
      prompt('p', { description, input: City, complete: { town: () => [] } }, () => ''),
      'SIGIL_COMPLETE_ARGUMENT',
      'prompt("p")',
    ],
    [
      prompt('p', { description, complete: { city: 'Oslo' as never } }, () => ''),
      'SIGIL_ENTRY_FUNCTION',
      'prompt("p")',
    ],
    [{ kind: 'tool', name: 'a', description }, 'SIGIL_ENTRY_FUNCTION', 'tool("a")'],
    [{ kind: 'tol', name: 'a' }, 'SIGIL_FEATURE_NOT_A_CLASS', 'createServer({ features })[0]'],
    [() => 1, 'SIGIL_FEATURE_NOT_A_CLASS', 'createServer({ features })[0]'],
  ])('is told at start, with its place: %#', (feature, code, where) => {
    expect(placesOf(feature)).toEqual([[code, where]]);
  });

  it('is told together, and two of one name are told apart', () => {
    const one = tool('same', { description }, () => 1);
    const two = tool('same', { description }, () => 2);
    const [problem, ...others] = problemsOf(one, two, one);
    expect(others).toEqual([]);
    expect(problem).toMatchObject({ code: 'SIGIL_DUPLICATE_ENTRY', where: 'tool("same")' });
    expect(problem?.problem).toContain('in tool("same")');
  });
});

describe('the types of a function', () => {
  const Trip = z.object({ day: z.string().transform((text) => new Date(text)), nights: z.number().default(3) });

  it('are those of its schemas', () => {
    const loose: JsonSchema = { type: 'object' };
    const given: JsonSchemaOf<{ a: string }> = { type: 'object' };
    const made = [
      tool('zod', { description, input: Trip, output: z.object({ year: z.number() }) }, ({ day, nights }, context) => ({
        year: day.getFullYear() + nights + (context.signal.aborted ? 1 : 0),
      })),
      tool('class', { description, input: City, output: City }, ({ city }) => ({ city: city.trim() })),
      tool(
        'literal',
        { description, input: { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] } },
        ({ a }) => a.toFixed(),
      ),
      tool('given', { description, input: given }, ({ a }) => a.trim()),
      tool('said', { description, input: loose }, ({ a }: { a: string }) => a),
      tool('none', { description }, (_nothing: undefined, context: McpContext) => context.client.name),
      tool('later', { description, output: City }, async () => Promise.resolve({ city: 'Oslo' })),
      prompt('prompt', { description, input: Trip, complete: { day: (prefix) => [prefix.trim()] } }, ({ day }) => day.toISOString()),
      resource('a://{city}', { name: 'a', input: City, complete: { city: () => [] }, list: () => [{ variables: { city: 'Oslo' } }] }, ({ city }) => city.trim()),
      // @ts-expect-error the schema makes a Date of it
      tool('text', { description, input: Trip }, ({ day }: { day: string }) => day),
      // @ts-expect-error it is no number
      tool('year', { description, output: z.object({ year: z.number() }) }, () => ({ year: '2026' })),
      // @ts-expect-error the class has no such property
      tool('town', { description, input: City }, ({ town }) => town),
      // @ts-expect-error a tool has words for the model
      tool('words', {}, () => 1),
      // @ts-expect-error a number is no message
      prompt('number', { description }, () => 1),
      // @ts-expect-error the schema has no such argument
      prompt('town', { description, input: Trip, complete: { town: () => [] } }, () => ''),
      // @ts-expect-error a resource has a name
      resource('a://b', {}, () => 1),
    ]; // prettier-ignore
    expect(made).toHaveLength(16);
    expect(problemsOf(...made.slice(0, 8))).toEqual([]);
  });

  it('are those of an entry, for the registry, too', () => {
    const nobody: Guard = { allows: () => false };
    const { registry } = createServer({ name: 'empty', version: '1.0.0', capabilities: ['tools'] });
    registry.add(tool('added', { description, guards: [nobody] }, () => 1));
    registry.update('tool', 'added', { description: 'Does it again' });
    expect(registry.remove('tool', 'added')).toBe(true);
  });
});
