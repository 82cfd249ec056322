/** Schemas of other libraries in place of classes: listed as they write themselves, validated by themselves, told in our words. */
import { connect } from '@sigil-mcp/testing';
import { toStandardJsonSchema } from '@valibot/to-json-schema';

import { type } from 'arktype';
import * as v from 'valibot';
import { z } from 'zod';
import { z as z3 } from 'zod/v3';
import { createServer, tool } from '../src';
import type { DefinitionProblem } from '@sigil-mcp/base';
import {
  Shapes,
  type InputOptions,
  type InputShape,
  type OutputShape,
  type Reading,
  type SchemaSource,
} from '@sigil-mcp/schema';
import { turn } from '../../../test/support/turn';

const newest = 'https://json-schema.org/draft/2020-12/schema';

function input(source: SchemaSource, options: InputOptions = {}): InputShape {
  return new Shapes().input(source, options, { where: 'Test.method', report: fail })!;
}

function output(source: SchemaSource): OutputShape {
  return new Shapes().output(source, { where: 'Test.method', report: fail })!;
}

function fail(problem: DefinitionProblem): never {
  throw new Error(problem.problem);
}

function problemsOf(source: unknown, options: InputOptions = {}): DefinitionProblem[] {
  const problems: DefinitionProblem[] = [];
  const user = { where: 'Test.method', report: (problem: DefinitionProblem) => void problems.push(problem) };
  expect(new Shapes().input(source as SchemaSource, options, user)).toBeUndefined();
  return problems;
}

/** `path: message` of each failure. */
function refusals(source: SchemaSource, value: unknown, options?: InputOptions): string[] {
  return told(input(source, options).read(value) as Reading<unknown>);
}

function told(reading: Reading<unknown>): string[] {
  return reading.ok ? [] : reading.failures.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
}

const stop = { city: 'Oslo', nights: 2 };
const libraries = {
  zod: z.strictObject({
    name: z.string().min(2),
    stops: z.array(z.strictObject({ city: z.string(), nights: z.int().min(1).max(14) })).min(1),
    pace: z.enum(['slow', 'fast']).optional(),
  }),
  arktype: type({
    name: 'string >= 2',
    stops: type({ city: 'string', nights: '1 <= number.integer <= 14', '+': 'reject' }).array().atLeastLength(1),
    'pace?': '"slow" | "fast"',
    '+': 'reject',
  }),
  valibot: toStandardJsonSchema(
    v.strictObject({
      name: v.pipe(v.string(), v.minLength(2)),
      stops: v.pipe(
        v.array(
          v.strictObject({
            city: v.string(),
            nights: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(14)),
          }),
        ),
        v.minLength(1),
      ),
      pace: v.optional(v.picklist(['slow', 'fast'])),
    }),
  ),
};

describe.each(Object.entries(libraries))('a schema of %s', (_, schema) => {
  it('is listed as it writes itself, in the newest dialect', () => {
    const written = schema['~standard'].jsonSchema.input({ target: 'draft-2020-12' });
    expect(input(schema).schema).toEqual(written);
    expect(written).toMatchObject({ $schema: newest, type: 'object', required: ['name', 'stops'] });
  });

  it('accepts what fits, at once', () => {
    const value = { name: 'North', stops: [stop], pace: 'slow' };
    expect(input(schema).read(value)).toEqual({ ok: true, value });
  });

  it('says what is wrong in the words that a class has for it', () => {
    expect(refusals(schema, { stops: [stop] })).toEqual(['name: is required']);
    expect(refusals(schema, { name: 'North', stops: [{ city: 'Oslo' }] })).toEqual(['stops[0].nights: is required']);
    expect(refusals(schema, { name: 'North', stops: [{ city: 5, nights: 2 }] })[0]).toMatch(
      /^stops\[0\]\.city: must be a string/,
    );
    expect(refusals(schema, { name: 'North', stops: [stop], color: 1 })).toEqual([
      'color: is not a known property (known: name, stops, pace)',
    ]);
    expect(refusals(schema, { name: 'North', stops: [{ ...stop, wifi: true }] })[0]).toBe(
      'stops[0].wifi: is not a known property (known: city, nights)',
    );
  });
});

describe('the words of zod and valibot', () => {
  it.each([libraries.zod, libraries.valibot])(
    'are ours, as far as the listed schema says what was wanted',
    (schema) => {
      const of = (change: object): string[] => refusals(schema, { name: 'North', stops: [stop], ...change });
      expect(of({ name: 'N' })).toEqual(['name: must have at least 2 characters']);
      expect(of({ stops: [] })).toEqual(['stops: must have at least 1 item']);
      expect(of({ stops: [{ city: 'Oslo', nights: 15 }] })).toEqual(['stops[0].nights: must be at most 14']);
      expect(of({ stops: [{ city: 'Oslo', nights: 1.5 }] })).toEqual(['stops[0].nights: must be an integer']);
      expect(of({ pace: 'medium' })).toEqual(['pace: must be one of "slow", "fast"']);
      expect(of({ stops: 'Oslo' })).toEqual(['stops: must be an array']);
      expect(refusals(schema, 'Oslo')).toEqual(['must be an object']);
    },
  );

  it('stay where an author wrote them', async () => {
    const iata = z.object({
      code: z.string({ error: 'give the three letters of an airport' }).length(3, 'has three letters'),
      date: z.string().refine((text) => text > '2026', 'must lie in the future'),
    });
    expect(told(await input(iata).read({ code: 'OSLO', date: '1999' }))).toEqual([
      'code: has three letters',
      'date: must lie in the future',
    ]);
    expect(told(await input(iata).read({ date: '2027' }))).toEqual(['code: give the three letters of an airport']);
    const named = type({ age: type('number').describe('an age in years') });
    expect(refusals(named, { age: 'old' })[0]).toMatch(/^age: must be an age in years/);
  });

  it('speak of the alternative that was meant', () => {
    const shape = z.object({
      item: z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('paper'), pages: z.int() }),
        z.object({ kind: z.literal('sound'), minutes: z.int().min(1) }),
      ]),
      id: z.union([z.string(), z.number()]).optional(),
    });
    expect(refusals(shape, { item: { kind: 'sound', minutes: 0 } })).toEqual(['item.minutes: must be at least 1']);
    expect(refusals(shape, { item: { kind: 'film' } })).toEqual(['item.kind: must be one of "paper", "sound"']);
    expect(refusals(shape, { item: { kind: 'paper', pages: 1 }, id: true })).toEqual([
      'id: must be a string or a number',
    ]);
  });

  it('speak of the alternative of a plain union that was meant, or of all', () => {
    const paper = z.object({ kind: z.literal('paper'), pages: z.int() });
    const sound = z.object({
      kind: z.literal('sound'),
      title: z.string().min(3),
      of: z.object({ length: z.number() }),
    });
    const tagged = z.object({ item: z.union([paper, sound, z.string()]) });
    expect(refusals(tagged, { item: { kind: 'sound', title: 'a', of: {} } })).toEqual([
      'item.title: must have at least 3 characters',
      'item.of.length: is required',
    ]);
    const plain = z.object({ places: z.array(z.union([z.object({ x: z.number() }), z.object({ name: z.string() })])) });
    expect(refusals(plain, { places: [{ y: 1 }] })).toEqual([
      'places[0]: fits none of 2 alternatives (x: is required), (name: is required)',
    ]);
    const texts = z.object({ to: z.union([z.email(), z.string().min(9)]) });
    expect(refusals(texts, { to: 'a' })).toEqual([
      'to: fits none of 2 alternatives (Invalid email address), (Too small: expected string to have >=9 characters)',
    ]);
    expect(refusals(tagged, { item: 5 })).toEqual(['item: must be an object or a string']);
  });

  it('name one number where there is but one', () => {
    const pair = z.object({ at: z.tuple([z.number(), z.number()]), code: z.string().length(3).optional() });
    expect(refusals(pair, { at: [1], code: 'a' })).toEqual(['at: must have 2 items', 'code: must have 3 characters']);
  });

  it('find what is behind references', () => {
    const City = z.object({ name: z.string().max(5) }).meta({ id: 'City' });
    const Trip = z.object({ from: City, to: City });
    expect(input(Trip).schema).toMatchObject({ properties: { from: { $ref: '#/$defs/City' } } });
    expect(refusals(Trip, { from: { name: 'Trondheim' }, to: {} })).toEqual([
      'from.name: must have at most 5 characters',
      'to.name: is required',
    ]);
  });
});

describe('what a schema makes of the arguments', () => {
  it.each<[string, SchemaSource]>([
    ['zod', z.object({ day: z.string().transform((text) => new Date(text)), nights: z.number().default(3) })],
    ['arktype', type({ day: 'string.date.parse', nights: 'number = 3' })],
    [
      'valibot',
      toStandardJsonSchema(
        v.object({
          day: v.pipe(
            v.string(),
            v.transform((text) => new Date(text)),
          ),
          nights: v.optional(v.number(), 3),
        }),
      ),
    ],
  ])('is what the handler gets: %s', async (_, schema) => {
    const sent = { day: '2026-05-01' };
    expect(await input(schema).read(sent)).toEqual({ ok: true, value: { day: new Date('2026-05-01'), nights: 3 } });
    expect(sent).toEqual({ day: '2026-05-01' });
    expect(input(schema).schema).toMatchObject({ properties: { day: { type: 'string' } }, required: ['day'] });
  });

  it('may take a while', async () => {
    const taken = new Set(['Oslo']);
    const schema = z.object({ city: z.string().refine(async (city) => Promise.resolve(!taken.has(city)), 'is taken') });
    const { read } = input(schema);
    expect(read({ city: 'Rome' })).toBeInstanceOf(Promise);
    expect(await read({ city: 'Rome' })).toEqual({ ok: true, value: { city: 'Rome' } });
    expect(await read({ city: 'Oslo' })).toEqual({ ok: false, failures: [{ path: 'city', message: 'is taken' }] });
  });

  it('comes of functions that are called once for each value, whatever they return', async () => {
    const calls: string[] = [];
    const later = (name: string) => (value: unknown) => (calls.push(name), Promise.resolve(value !== ''));
    const fields = {
      refined: z.string().refine(later('refined')),
      checked: z.string().superRefine(async (value) => void (await later('checked')(value))),
      made: z.string().transform(async (value) => (await later('made')(value)) && value),
      listed: z.array(z.string().refine(later('listed'))),
      chosen: z.union([z.number(), z.string().refine(later('chosen'))]).optional(),
      lazy: z.lazy(() => z.string().refine(later('lazy'))),
      piped: z.string().pipe(z.string().check(z.refine(later('piped')))),
    };
    const value = { refined: 'a', checked: 'b', made: 'c', listed: ['d'], chosen: 'e', lazy: 'f', piped: 'g' };
    expect(await input(z.object(fields)).read(value)).toEqual({ ok: true, value });
    expect(calls.sort()).toEqual(Object.keys(fields).sort());
  });

  it('is there at once, where no function of an author makes it', () => {
    const schema = z.object({ day: z.iso.date(), size: z.coerce.number().default(() => 3), name: z.string().trim() });
    expect(input(schema).read({ day: '2026-05-01', name: ' a ' })).toEqual({
      ok: true,
      value: { day: '2026-05-01', size: 3, name: 'a' },
    });
  });

  it('is none where a function fails: the call fails, and nothing else', async () => {
    const strays: unknown[] = [];
    const stray = (reason: unknown): void => void strays.push(reason);
    process.on('unhandledRejection', stray);
    const down = z.string().refine(() => Promise.reject(new Error('db down')));
    const thrown = z.string().refine(() => {
      throw new Error('db down');
    });
    for (const schema of [down, thrown])
      await expect(input(z.object({ a: schema })).read({ a: 'x' })).rejects.toThrow('db down');
    await expect(output(down).write('x')).rejects.toThrow('db down');
    await turn();
    process.off('unhandledRejection', stray);
    expect(strays).toEqual([]);
  });

  it('is an error of its call alone where a function fails, masked, and logged as what it was', async () => {
    const logged: unknown[] = [];
    const error = (fields: object): void => void logged.push(fields);
    const logger = { debug() {}, info() {}, warn() {}, error: error };
    const down = z.object({ a: z.string().refine(() => Promise.reject(new Error('db down'))) });
    const features = [
      tool('take', { description: 'Takes it', input: down }, () => 'taken'),
      tool('give', { description: 'Gives it', output: down }, () => ({ a: 'x' })),
    ];
    const client = await connect(createServer({ name: 'down', version: '1.0.0', features, logger }));
    for (const [name, sent] of [
      ['take', { a: 'x' }],
      ['give', {}],
    ] as const) {
      const result = await client.callTool(name, sent);
      expect(result).toMatchObject({ isError: true });
      expect(JSON.stringify(result)).not.toContain('db down');
    }
    await client.close();
    expect(logged).toMatchObject([{ err: { message: 'db down' } }, { err: { message: 'db down' } }]);
  });

  it('survives values that are nested beyond the stack', () => {
    const Tree = z.object({
      get next() {
        return Tree.optional();
      },
    });
    const deep: unknown = JSON.parse('{"next":'.repeat(20_000) + '{}' + '}'.repeat(20_000));
    expect(input(Tree).read(deep)).toEqual({ ok: false, failures: [{ path: '', message: 'is nested too deeply' }] });
  });

  it('may have a name of its own, which hides no object', () => {
    const Point = z.object({ x: z.number() }).meta({ id: 'Point' });
    expect(input(Point).schema).toMatchObject({ type: 'object', $ref: '#/$defs/Point' });
    expect(input(Point).read({ x: 1 })).toEqual({ ok: true, value: { x: 1 } });
  });
});

describe('a schema of an output', () => {
  it('validates what is returned, lists what comes out and writes it as plain data', async () => {
    const Stay = z.object({
      day: z
        .date()
        .transform((day) => day.toISOString())
        .pipe(z.string()),
      nights: z.int(),
    });
    const shape = output(Stay);
    expect(shape.schema).toMatchObject({ properties: { day: { type: 'string' } }, additionalProperties: false });
    const returned = { day: new Date(0), nights: 2, secret: 1 };
    expect(await shape.write(returned)).toEqual({ ok: true, value: { day: '1970-01-01T00:00:00.000Z', nights: 2 } });
    expect(returned.secret).toBe(1);
    expect(await shape.write({ day: new Date(0), nights: 'two' })).toEqual({
      ok: false,
      failures: [{ path: 'nights', message: 'must be an integer' }],
    });
  });

  it('names what JSON cannot say', () => {
    const shape = output(z.object({ list: z.array(z.any()) }));
    expect(shape.write({ list: [1, () => 1] })).toEqual({
      ok: false,
      failures: [{ path: 'list[1]', message: 'is a function, which JSON cannot say' }],
    });
    expect(shape.write({ list: [new Map([['a', 1]]), new Set([2])] })).toEqual({
      ok: true,
      value: { list: [{ a: 1 }, [2]] },
    });
  });

  it('may be of any type, and may take a while', async () => {
    expect(output(type('string[]')).write(['a'])).toEqual({ ok: true, value: ['a'] });
    expect(output(type('string[]')).schema).toMatchObject({ type: 'array' });
    const later = output(z.string().refine(async (text) => Promise.resolve(text !== ''), 'is empty'));
    expect(await later.write('')).toEqual({ ok: false, failures: [{ path: '', message: 'is empty' }] });
  });
});

describe('where the wire has only strings', () => {
  const options = { strings: true };

  it.each<[string, SchemaSource]>([
    [
      'zod',
      z.object({
        month: z.int().min(1),
        dry: z.boolean().optional(),
        cities: z.array(z.string()),
        rate: z.literal([1, 2]).optional(),
      }),
    ],
    ['arktype', type({ month: 'number.integer >= 1', 'dry?': 'boolean', cities: 'string[]', 'rate?': '1|2' })],
    [
      'JSON Schema',
      {
        type: 'object',
        properties: {
          month: { $ref: '#/$defs/month' },
          dry: { type: 'boolean' },
          cities: { type: 'array', items: { type: 'string' } },
          rate: { enum: [1, 2] },
        },
        required: ['month', 'cities'],
        additionalProperties: false,
        $defs: { month: { type: 'integer', minimum: 1 } },
      },
    ],
  ])('converts them to what it lists: %s', (_, schema) => {
    const { read } = input(schema, options);
    expect(read({ month: '5', dry: 'true', cities: 'Oslo,Rome', rate: '2' })).toEqual({
      ok: true,
      value: { month: 5, dry: true, cities: ['Oslo', 'Rome'], rate: 2 },
    });
    expect(read({ month: '5', dry: '', cities: ['Oslo'] })).toEqual({
      ok: true,
      value: { month: 5, cities: ['Oslo'] },
    });
    expect(read({ month: 'May', cities: '' })).toMatchObject({ ok: false, failures: [{ path: 'month' }] });
  });

  it('leaves texts to the schema', async () => {
    const schema = z.object({
      day: z.string().transform((text) => new Date(text)),
      id: z.union([z.string(), z.number()]),
    });
    expect(await input(schema, options).read({ day: '2026-05-01', id: '7' })).toEqual({
      ok: true,
      value: { day: new Date('2026-05-01'), id: '7' },
    });
  });

  it('refuses what cannot come as a string', () => {
    const schema = z.object({ at: z.object({ x: z.number() }), list: z.array(z.object({})), name: z.string() });
    expect(problemsOf(schema, options).map(({ code, problem }) => [code, /"\w+"/.exec(problem)?.[0]])).toEqual([
      ['SIGIL_SCHEMA_NOT_FLAT', '"at"'],
      ['SIGIL_SCHEMA_NOT_FLAT', '"list"'],
    ]);
  });
});

describe('a schema that cannot be used', () => {
  it.each<[string, unknown, string]>([
    ['zod', z3.object({ a: z3.string() }), 'zod 4.2'],
    ['valibot', v.object({ a: v.string() }), 'toStandardJsonSchema'],
    ['arktype', withoutJsonSchema(type({ a: 'string' })), 'arktype 2.1.28'],
    [
      'effect',
      { '~standard': { version: 1, vendor: 'effect', validate: () => ({ value: 1 }) } },
      'a version of effect',
    ],
  ])('names the library and the version that can: %s', (vendor, schema, remedy) => {
    const [problem, ...others] = problemsOf(schema);
    expect(others).toEqual([]);
    expect(problem).toMatchObject({ code: 'SIGIL_SCHEMA_LIBRARY', where: 'Test.method' });
    expect(problem?.problem).toContain(vendor);
    expect(problem?.fix).toContain(remedy);
  });

  it.each<[string, unknown, string]>([
    ['a date', z.object({ day: z.date() }), 'SIGIL_SCHEMA_UNWRITABLE'],
    ['a text', z.string(), 'SIGIL_SCHEMA_ROOT'],
    ['a union', z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]), 'SIGIL_SCHEMA_ROOT'],
    ['schemas by name, as the official SDK takes them', { a: z.string(), b: type('string') }, 'SIGIL_SCHEMA_SHAPE'],
    ['a library without a standard', { parse: () => 1, _def: {} }, 'SIGIL_SCHEMA_UNKNOWN'],
    [
      'what validates nothing',
      { '~standard': { vendor: 'x', jsonSchema: { input: () => ({}) } } },
      'SIGIL_SCHEMA_NO_VALIDATION',
    ],
    [
      'a pattern that takes exponential time',
      z.object({ a: z.string().regex(/^(a+)+$/) }),
      'SIGIL_SCHEMA_RUNAWAY_PATTERN',
    ],
  ])('is a definition error: %s', (_, schema, code) => {
    expect(problemsOf(schema).map((problem) => problem.code)).toEqual([code]);
  });

  it('says why a library cannot write it', () => {
    const [problem] = problemsOf(z.object({ day: z.date() }));
    expect(problem?.problem).toBe(
      'zod cannot write the schema as JSON Schema: Date cannot be represented in JSON Schema.',
    );
  });

  it.each([z.object({ a: z.number() }), { type: 'object' }])('converts by itself, not by `coerce`', (schema) => {
    expect(problemsOf(schema, { coerce: true }).map(({ code }) => code)).toEqual(['SIGIL_SCHEMA_COERCE']);
  });
});

describe('the formats of zod', () => {
  it('have patterns that take no exponential time', () => {
    const formats = {
      email: z.email(), url: z.url(), uuid: z.uuid(), guid: z.guid(), cuid2: z.cuid2(), ulid: z.ulid(), nanoid: z.nanoid(),
      ipv4: z.ipv4(), ipv6: z.ipv6(), cidr: z.cidrv4(), base64: z.base64(), jwt: z.jwt(), e164: z.e164(),
      date: z.iso.date(), time: z.iso.time(), datetime: z.iso.datetime({ offset: true }), duration: z.iso.duration(),
      bool: z.stringbool(), hex: z.hex(), host: z.hostname(), emoji: z.emoji(),
    }; // prettier-ignore
    const refused = Object.entries(formats).filter(([, schema]) => {
      const problems: unknown[] = [];
      new Shapes().input(z.object({ schema }), {}, { where: '', report: (problem) => problems.push(problem) });
      return problems.length > 0;
    });
    expect(refused.map(([name]) => name)).toEqual([]);
  });
});

function withoutJsonSchema(schema: { readonly '~standard': object }): unknown {
  const { vendor, version, validate } = schema['~standard'] as Record<string, unknown>;
  return Object.assign(() => undefined, { '~standard': { vendor, version, validate } });
}
