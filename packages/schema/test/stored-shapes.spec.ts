/** Shapes from a bundle: what is listed is the same, the class is compiled when it is first used, and a stale one is noticed. */
import type { Class, DefinitionProblem } from '@sigil-mcp/base';
import { IsIn, IsInt, IsOptional, IsString, Max, ValidateNested } from 'class-validator';
import fc from 'fast-check';
import { Shapes } from '../src';
import type { StoredShape } from '../src/stored/stored-shapes';
import { generatedDto } from './generated-dto';
import { runs } from '../../../test/support/matrix';

const DATA = Symbol.for('sigil.stored-shapes');
const RECORDER = Symbol.for('sigil.shape-recorder');
const times = Number(process.env['AGREEMENT_RUNS'] ?? runs(200));

afterEach(() => {
  Reflect.deleteProperty(globalThis, DATA);
  Reflect.deleteProperty(globalThis, RECORDER);
});

interface Run {
  readonly shapes: Shapes;
  readonly problems: DefinitionProblem[];
  readonly warned: (string | undefined)[];
}

/** The shapes of a server that starts now. */
function start(strict: boolean | 'warn' = false): Run {
  const problems: DefinitionProblem[] = [];
  const warned: (string | undefined)[] = [];
  const add = ({ code }: DefinitionProblem): void => void warned.push(code);
  return { shapes: new Shapes({ strict, add, tellStale: add, warn: () => undefined }), problems, warned };
}

function used(dto: Class, { shapes, problems }: Run) {
  const user = { where: 'Test.method', report: (problem: DefinitionProblem) => void problems.push(problem) };
  return { input: shapes.input(dto, {}, user), output: shapes.output(dto, user) };
}

/** What a bundle of a program with this class contains, after its way through JSON. */
function stored(dto: Class, strict: boolean | 'warn' = false): Record<string, StoredShape> {
  const data: Record<string, StoredShape> = {};
  let starting = 0;
  const record = (use: string, shape: StoredShape): void => void (data[use] = shape);
  Reflect.set(globalThis, RECORDER, { record, starting: () => (starting += 1) });
  const run = start(strict);
  used(dto, run);
  run.shapes.tellVague();
  expect(starting).toBe(1);
  Reflect.deleteProperty(globalThis, RECORDER);
  return JSON.parse(JSON.stringify(data)) as Record<string, StoredShape>;
}

const withData = (data: Record<string, StoredShape>): void => void Reflect.set(globalThis, DATA, data);

it('lists, reads and writes the same for every class, and warns of the same', async () => {
  const cases = generatedDto(2).chain(({ dto, values }) =>
    fc.record({ dto: fc.constant(dto), values: fc.array(values, { minLength: 3, maxLength: 3 }) }),
  );
  const seen = async (dto: Class, values: readonly unknown[]) => {
    const run = start();
    const { input, output } = used(dto, run);
    const listed = JSON.stringify([input, output].map((shape) => [shape?.schema, shape?.stricter ?? [], shape?.vague]));
    const read = await Promise.all(values.map(async (value) => input?.read(value)));
    const written = await Promise.all(values.map(async (value) => output?.write(value)));
    return { listed, read, written, problems: run.problems, warned: run.warned };
  };
  await fc.assert(
    fc.asyncProperty(cases, async ({ dto, values }) => {
      Reflect.deleteProperty(globalThis, DATA);
      const compiled = await seen(dto, values);
      withData(stored(dto));
      expect(await seen(dto, values)).toEqual(compiled);
    }),
    { numRuns: times },
  );
}, 600_000);

let constructed = 0;
class Counted {
  @IsOptional() @IsInt() @Max(9) count: number = 5;
  constructor() {
    constructed += 1;
  }
}

it('compiles no class before it is first used, and then only once', async () => {
  withData(stored(Counted));
  constructed = 0;
  const { input, output } = used(Counted, start());
  expect(input?.schema).toEqual({
    type: 'object',
    properties: { count: { type: 'integer', maximum: 9, default: 5 } },
    additionalProperties: false,
  });
  expect(output?.schema).toBeDefined();
  expect(constructed).toBe(0);
  expect(await input?.read({ count: 10 })).toMatchObject({ ok: false });
  expect(constructed).toBeGreaterThan(0);
  const planned = constructed;
  expect(await input?.read({})).toEqual({ ok: true, value: { count: 5 } });
  expect(constructed).toBe(planned + 1);
});

/** A class as it is in another environment. */
function inEnvironment(most: number, most2: number, values: readonly string[]): Class {
  class Inner {
    @IsInt() @Max(most2) depth!: number;
  }
  class Outer {
    @IsInt() @Max(most) count!: number;
    @IsIn(values) kind!: string;
    @ValidateNested() inner!: Inner;
  }
  Reflect.defineMetadata('design:type', Inner, Outer.prototype, 'inner');
  return Outer;
}

it.each([
  ['an argument of a decorator', inEnvironment(8, 1, ['a'])],
  ['a value in a list', inEnvironment(9, 1, ['b'])],
])('compiles a class at the start if %s depends on the environment', (_, now) => {
  withData(stored(inEnvironment(9, 1, ['a'])));
  const run = start();
  const { input } = used(now, run);
  expect(input?.schema).toEqual(used(now, withoutData()).input?.schema);
  expect(run.warned).not.toContain('SIGIL_STORED_STALE');
});

function withoutData(): Run {
  Reflect.deleteProperty(globalThis, DATA);
  return start();
}

it('tells with the first call that a class within depends on the environment, and validates by the class', async () => {
  withData(stored(inEnvironment(9, 1, ['a'])));
  const run = start();
  const { input, output } = used(inEnvironment(9, 2, ['a']), run);
  expect(JSON.stringify(input?.schema)).toContain('"maximum":1');
  expect(run.warned).not.toContain('SIGIL_STORED_STALE');
  expect(await input?.read({ count: 1, kind: 'a', inner: { depth: 2 } })).toMatchObject({ ok: true });
  await output?.write({ count: 1, kind: 'a', inner: { depth: 2 } });
  await input?.read({});
  expect(run.warned.filter((code) => code === 'SIGIL_STORED_STALE')).toHaveLength(2);
});

it('refuses calls with every problem of a class that is refused in this environment', () => {
  let names: readonly string[] = [];
  class Odd {
    @IsString() name!: string;
    constructor() {
      for (const name of names) Reflect.set(this, name, 1);
    }
  }
  withData(stored(Odd));
  names = ['undecorated'];
  const run = start();
  const { input } = used(Odd, run);
  expect(run.problems).toEqual([]);
  expect(() => input?.read({ name: 'a' })).toThrow(/undecorated/);
});

it('takes nothing that was stored for another use, or for a server that is not strict', () => {
  class Vague {
    @IsOptional() anything?: unknown;
  }
  const data = stored(Vague);
  expect(Object.keys(data)).toEqual(['input Test.method', 'output Test.method']);
  expect(Object.keys(stored(Vague, 'warn'))).toEqual(['lenient input Test.method', 'lenient output Test.method']);
  withData(data);
  const run = start(true);
  expect(used(Vague, run).input).toBeUndefined();
  expect(run.problems.length).toBeGreaterThan(0);
});
