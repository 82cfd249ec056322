/** Patterns that take exponential time are found at start, and those that people write every day are not suspected. */
import { Matches } from 'class-validator';
import type { Class, DefinitionProblem } from '@sigil-mcp/base';
import { compileInput } from '../src/compile-shapes';
import { runsAway } from '../src/patterns/runs-away';
import { RawSchemas } from '../src/raw/raw-schema';
import type { JsonSchema } from '../src/value-plan';

const harmless = [
  /^[^\s@]+@[^\s@]+\.[^\s@]+$/,
  /^[a-zA-Z0-9._%+-]+@[a-zA-Z0-9.-]+\.[a-zA-Z]{2,}$/,
  /^(([^<>()[\]\\.,;:\s@"]+(\.[^<>()[\]\\.,;:\s@"]+)*)|(".+"))@((\[[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}\])|(([a-zA-Z\-0-9]+\.)+[a-zA-Z]{2,}))$/,
  /^[a-z0-9]+(?:-[a-z0-9]+)*$/,
  /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/,
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  /^\d{4}-\d{2}-\d{2}$/,
  /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/,
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/,
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\+([0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*))?$/,
  /^https?:\/\/[^\s/$.?#].[^\s]*$/i,
  /^https?:\/\/(www\.)?[-a-zA-Z0-9@:%._+~#=]{1,256}\.[a-zA-Z0-9()]{1,6}\b([-a-zA-Z0-9()@:%_+.~#?&/=]*)$/,
  /^([a-z0-9-]+\.)+[a-z]{2,}$/i,
  /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$/,
  /^#?([a-f0-9]{6}|[a-f0-9]{3})$/,
  /^\+?[1-9]\d{1,14}$/,
  /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/,
  /^\/(?:[^/]+\/)*[^/]*$/,
  /^[\w-]+(\.[\w-]+)*$/,
  /^(\w+)(,\w+)*$/,
  /^(25[0-5]|2[0-4]\d|1?\d?\d)(\.(25[0-5]|2[0-4]\d|1?\d?\d)){3}$/,
  /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/,
  /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*$/,
  /^([01]\d|2[0-3]):[0-5]\d$/,
  /^-?\d{1,3}(,\d{3})*(\.\d+)?$/,
  /^(?=.*[a-z])(?=.*[A-Z])(?=.*\d).{8,}$/,
  /^[\p{L}\p{M}' -]+$/u,
  /^(GET|POST|PUT)$/,
  /^@[a-z0-9-~][a-z0-9-._~]*\/[a-z0-9-~][a-z0-9-._~]*$/,
  /^arn:aws:[a-z0-9-]+:[a-z0-9-]*:\d{12}:.+$/,
  /\.(png|jpe?g)$/,
  /^P(\d+Y)?(\d+M)?(\d+D)?(T(\d+H)?(\d+M)?(\d+S)?)?$/,
  /^[a-zA-Z_$][\w$]*(\.[a-zA-Z_$][\w$]*)*$/,
  /^("[^"]*"|[^",]*)(,("[^"]*"|[^",]*))*$/,
  /^"(?:[^\\"]|\\.)*"$/,
  /^(?:[a-f0-9]{2}:)+[a-f0-9]{2}$/,
  /^([a-f0-9]{40})+$/,
  /^(?:-[a-z]{1,3})+$/,
  /^[a-z]{1,63}(\.[a-z]{1,63}){1,10}$/,
  /^([A-Z][a-z]+ ?)+$/,
  /^(foo|foobar)*$/,
  /^(a|b|c|d)+$/i,
  /^[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}$/,
  /^([0-9A-F]{2}[:-]){5}[0-9A-F]{2}$/i,
  /^(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}$/i,
  /^(?!.*--)[a-z-]+$/,
  /^(?=.{1,253}$)(?:[a-z0-9-]{1,63}\.)+[a-z]{2,63}$/,
  /^(?:(?!--)[a-z-])+$/,
  /^(?=(?:.*\d){2}).{8,}$/,
  // What may end at once is not tried in another way, and what is asked in a lookahead may.
  /^(?=(?:.*[a-z])+)(?=(?:.*\d)+).{8,}$/,
  /^(?!(?:.*\s)+)(?:.*[A-Z])+/,
  /^([a-z]+)*/,
  /^(["'])(?:(?!\1)[^\\]|\\.)*\1$/,
  /^(?<quote>["'])[a-z ]*\k<quote>$/,
  /^(?:[a-z]+(?=-)-)+$/,
  new RegExp('^[[\\w--a]&&[a-z]]+(?:-[a-z]+)*$', 'v'),
  /^\[(?:[^[\],]+,)*\]$/,
  /^(?:\u{1F600}|\u{1F601})+$/u,
  /^(?:\cJ|\x41|\u0042|\0)+$/,
  /^(?:a{|b})+$/,
  /^(?:\p{Script=Tibetan}|\p{Script=Cherokee})+$/u,
];

const runaway = [
  /^(?!(a+)+$).*$/,
  /^(?=(a+)+$)x/,
  /^(?=([a-z]+)*$).{1,40}$/,
  /^(?!.*(.+)+x$).*$/,
  /^(a+)+\1$/,
  /^(?<n>a+)+\k<n>$/,
  /^(\w+\s?)*\1?$/,
  /(?<=^(a+)+)b/,
  /(?<!x(?:a|a)*)b$/,
  /^(?:x(?=(?:\d+)*;))+$/,
  /^((a+)+b)+/,
  /^(?:a+){2,}/,
  /^([a-z]+)*\b/,
  new RegExp('^(?:[[a-z]--[x]]|[abc])+$', 'v'),
  /^(?:\p{Script=Tibetan}|\p{Script=Tibetan})+$/u,
  /^(?:\u{1F600}|😀)+$/u,
  /^(?:(?:\x61|a)-?)+$/,
  /^(?:[\]a]|\])+$/,
  /^(?!.*--)([a-z]+-?)+$/,
  /^([a-z]+)*(?!x)$/,
  /^(?=.)(a+)+$/,
  /^(?:(?:a?){9}){9}$/,
  /^(?:a{1,9}){1,9}$/,
  /^(?:[a-z]+ ?){1,9}$/,
  /^(a+){2,9}$/,
  /^(a+){9}$/,
  /^(?:a+){10}$/,
  /^(a+)+$/,
  /^(a|a)*$/,
  /^(a|aa)+$/,
  /^(a*)*b$/,
  /^(\d|\w)*$/,
  /^(\w+\s?)*$/,
  /^([a-zA-Z]+)*$/,
  /^(\d+)*x$/,
  /^(([a-z])+.)+[A-Z]([a-z])+$/,
  /^(?:\w+\.?)+@x$/,
  /^(x+x+)+y$/,
  /^([a-z0-9]+-?)+$/,
  /^(([a-z]+)\s?)+$/,
  /^"(\\.|[^"]|\\)*"$/,
  /^(?:\p{L}|\p{Lu})+$/u,
  /^(?:A|a)+$/i,
  /^(\S+\s*)+$/,
  /(a+){10,}$/,
  /^(\w{1,64}\.?){1,100}$/,
];

it.each(harmless)('%p is a pattern like any other', (expression) => {
  expect(runsAway(expression)).toBe(false);
});

it.each(runaway)('%p can run away', (expression) => {
  expect(runsAway(expression)).toBe(true);
});

it('judges soon what is as large as patterns get', () => {
  const started = process.cpuUsage().user;
  for (const source of [`^(${'a?'.repeat(600)})+$`, `^(${'(a|b)*c'.repeat(100)})+$`, '^(?:[a-z]{1,500}-){1,50}$'])
    runsAway(new RegExp(source));
  // Microseconds of work, whatever else the machine does; what is not linear would take hours.
  expect(process.cpuUsage().user - started).toBeLessThan(5_000_000);
});

describe('a class', () => {
  class Careless {
    @Matches(/^(a+)+$/i, { each: true }) words!: string[];
  }
  class Vouched {
    @Matches(/^(a+)+$/, { context: { trusted: true } }) word!: string;
  }
  const problemsOf = (dto: Class): DefinitionProblem[] => {
    const problems: DefinitionProblem[] = [];
    compileInput(dto, {}, (problem) => problems.push(problem), 'Test.method(query)');
    return problems;
  };

  it('with such a pattern is refused at start, by its property and the pattern', () => {
    expect(problemsOf(Careless)).toEqual([
      expect.objectContaining({
        code: 'SIGIL_DTO_RUNAWAY_PATTERN',
        problem: expect.stringContaining('Careless.words is matched against /^(a+)+$/i') as string,
      }),
    ]);
  });

  it('is taken as it is where its author vouches for the pattern', () => {
    expect(problemsOf(Vouched)).toEqual([]);
  });
});

describe('a raw schema', () => {
  const codesOf = (schema: JsonSchema): string[] => {
    const codes: string[] = [];
    new RawSchemas().compileInput({ type: 'object', ...schema }, ({ code }) => codes.push(code), 'Test.method');
    return codes;
  };

  it.each<JsonSchema>([
    { properties: { word: { type: 'string', pattern: '^(a+)+$' } } },
    { properties: { words: { items: { anyOf: [{ pattern: '^(a+)+$' }] } } } },
    { patternProperties: { '^(a+)+$': {} } },
    { $defs: { word: { pattern: '(\\w|\\d)*!' } } },
  ])('with such a pattern is refused: %j', (schema) => {
    expect(codesOf(schema)).toEqual(['SIGIL_SCHEMA_RUNAWAY_PATTERN']);
  });

  it.each<JsonSchema>([
    { properties: { word: { pattern: '^(a+)+$', 'x-trusted-pattern': true } } },
    { properties: { pattern: { const: { pattern: '^(a+)+$' } } } },
    { properties: { word: { pattern: '^[a-z]+(-[a-z]+)*$' } } },
  ])('is taken where it has none, or where its author vouches for it: %j', (schema) => {
    expect(codesOf(schema)).toEqual([]);
  });
});
