/** Raw JSON Schemas in place of classes: listed as given, validated in their own dialect, refused when they cannot be. */
import http from 'node:http';
import type { DefinitionProblem } from '@sigil-mcp/base';
import type { JsonSchema } from '../src/value-plan';
import { requireAjv, type AjvValidate } from '../src/raw/load-ajv';
import { RawSchemas } from '../src/raw/raw-schema';

type AjvOptions = { readonly allErrors?: boolean };

const draft7 = 'http://json-schema.org/draft-07/schema#';

function read(schema: JsonSchema, value: unknown): unknown {
  return new RawSchemas().compileInput(schema, fail, 'Test.method')!.read(value);
}

function fail(problem: DefinitionProblem): never {
  throw new Error(problem.problem);
}

function problemsOf(schema: unknown, schemas = new RawSchemas()): DefinitionProblem[] {
  const problems: DefinitionProblem[] = [];
  expect(
    schemas.compileInput(schema as JsonSchema, (problem) => problems.push(problem), 'Test.method'),
  ).toBeUndefined();
  return problems;
}

describe('a raw JSON Schema', () => {
  it('is listed as the same object and validated as 2020-12 when it names no dialect [BASE-038]', () => {
    const schema = {
      type: 'object',
      properties: { pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], items: false } },
      required: ['pair'],
      'x-mcp-header': 'kept',
      unknownKeyword: { any: 'thing' },
    };
    const before = JSON.stringify(schema);
    const shape = new RawSchemas().compileInput(schema, fail, 'Test.method')!;
    expect(shape.schema).toBe(schema);
    expect(JSON.stringify(schema)).toBe(before);
    expect(shape.read({ pair: ['a', 1] })).toEqual({ ok: true, value: { pair: ['a', 1] } });
    expect(shape.read({ pair: ['a', 'b'] })).toMatchObject({ ok: false, failures: [{ path: 'pair[1]' }] });
    expect(shape.read({})).toEqual({ ok: false, failures: [{ path: 'pair', message: 'is required' }] });
  });

  it('is validated in the dialect that it declares [BASE-038]', () => {
    const tuple = { type: 'object', properties: { pair: { items: [{ type: 'string' }], additionalItems: false } } };
    expect(read({ $schema: draft7, ...tuple }, { pair: ['a', 'b'] })).toMatchObject({ ok: false });
    expect(read({ $schema: draft7, ...tuple }, { pair: ['a'] })).toMatchObject({ ok: true });
    expect(problemsOf({ $schema: 'https://json-schema.org/draft/2020-12/schema', ...tuple })[0]?.code).toBe(
      'SIGIL_SCHEMA_INVALID',
    );
  });

  it('treats formats as annotations', () => {
    expect(read({ type: 'object', properties: { mail: { format: 'email' } } }, { mail: 'no mail' })).toMatchObject({
      ok: true,
    });
  });

  it.each(['http://json-schema.org/draft-04/schema#', 'https://example.com/mine', 5, null])(
    'is refused in the dialect %p, which is not supported [BASE-039]',
    ($schema) => {
      const [problem] = problemsOf({ $schema, type: 'object' });
      expect(problem).toMatchObject({ code: 'SIGIL_SCHEMA_DIALECT', where: 'Test.method' });
      expect(problem?.problem).toMatch(/is not supported/);
    },
  );

  it.each([
    { type: 'object', properties: { a: { type: 'text' } } },
    { type: 'object', required: 'a' },
    { type: 'object', properties: { a: { pattern: '(' } } },
  ])('is refused when it is invalid in its dialect: %j [BASE-040]', (schema) => {
    expect(problemsOf(schema)[0]?.code).toBe('SIGIL_SCHEMA_INVALID');
  });

  it.each([{ type: 'string' }, {}, { anyOf: [{ type: 'object' }] }])(
    'is refused as input without type object at its root: %j [TOOL-006]',
    (schema) => {
      expect(problemsOf(schema)[0]?.code).toBe('SIGIL_SCHEMA_ROOT');
    },
  );

  it.each([null, true, [], 'schema'])('is refused when it is no object: %j [TOOL-006]', (schema) => {
    expect(problemsOf(schema)[0]?.code).toBe('SIGIL_SCHEMA_NOT_AN_OBJECT');
  });

  it('is refused with a reference that leads out of it, which nobody fetches [BASE-041] [BASE-042] [BASE-043]', async () => {
    let requests = 0;
    const server = http.createServer((_, response) => { requests += 1; response.end('{}'); }); // prettier-ignore
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address() as { port: number };
    const $ref = `http://127.0.0.1:${address.port}/schema.json`;
    const [problem] = problemsOf({ type: 'object', properties: { a: { $ref } } });
    // What asked for it would have come before this.
    await (await fetch($ref, { headers: { connection: 'close' } })).text();
    server.close();
    expect(problem).toMatchObject({ code: 'SIGIL_SCHEMA_REFERENCE' });
    expect(problem?.problem).toContain($ref);
    expect(requests).toBe(1);
    expect(problemsOf({ type: 'object', properties: { a: { $ref: '#/$defs/missing' } } })[0]?.code).toBe(
      'SIGIL_SCHEMA_REFERENCE',
    );
  });

  it('is refused beyond the bounds on its size and depth [BASE-044]', () => {
    let deep: object = {};
    for (let level = 0; level < 150; level += 1) deep = { not: deep };
    expect(problemsOf({ type: 'object', ...deep })[0]?.code).toBe('SIGIL_SCHEMA_TOO_LARGE');
    const wide = { anyOf: Array.from({ length: 30_000 }, () => ({ type: 'object' })) };
    expect(problemsOf({ type: 'object', ...wide })[0]?.code).toBe('SIGIL_SCHEMA_TOO_LARGE');
    const circular: Record<string, unknown> = { type: 'object' };
    circular['not'] = circular;
    expect(problemsOf(circular)[0]?.code).toBe('SIGIL_SCHEMA_TOO_LARGE');
  });

  it('does not see the definitions of another schema with the same $id', () => {
    const schemas = new RawSchemas();
    const one = {
      $id: 'urn:example:same',
      type: 'object',
      properties: { a: { $ref: '#/$defs/a' } },
      $defs: { a: { type: 'string' } },
    };
    const two = { ...one, $defs: { a: { type: 'number' } } };
    const first = schemas.compileInput(one, fail, 'Test.one')!;
    const second = schemas.compileInput(two, fail, 'Test.two')!;
    expect([first.read({ a: 'x' }), second.read({ a: 'x' })]).toMatchObject([{ ok: true }, { ok: false }]);
    expect(problemsOf({ type: 'object', properties: { a: { $ref: 'urn:example:same' } } }, schemas)[0]?.code).toBe(
      'SIGIL_SCHEMA_REFERENCE',
    );
  });

  it('names ajv and how to install it where it is missing', () => {
    const missing = new RawSchemas(() => {
      throw new Error("Cannot find module 'ajv/dist/2020'");
    });
    const [problem] = problemsOf({ type: 'object' }, missing);
    expect(problem).toMatchObject({ code: 'SIGIL_AJV_MISSING', fix: 'Install it: npm install ajv@8' });
    expect(problem?.problem).toContain('ajv');
  });

  it('is judged by a meta-schema that is compiled once, for all servers', () => {
    const made: AjvOptions[] = [];
    class Counted extends requireAjv('ajv/dist/2020') {
      constructor(how: AjvOptions) {
        super(how);
        made.push(how);
      }
    }
    const compile = (type: string) =>
      new RawSchemas(() => Counted).compileOutput({ type }, fail, 'Test.method')!.write('text');
    expect([compile('string'), compile('number')]).toMatchObject([{ ok: true }, { ok: false }]);
    const judges = made.filter((how) => !('meta' in how));
    expect(judges).toHaveLength(1);
  });

  /** What a platform does that compiles no code at a time. */
  const withoutCode = (isRefused: (how: AjvOptions) => boolean): RawSchemas =>
    new RawSchemas((module) => {
      const Ajv = requireAjv(module);
      return class extends Ajv {
        constructor(private readonly how: AjvOptions) {
          super(how);
        }
        override compile(schema: object): AjvValidate {
          if (isRefused(this.how)) throw new EvalError('Code generation from strings disallowed for this context');
          return super.compile(schema);
        }
      };
    });

  it('is refused where the platform compiles no code, with the ways out', () => {
    const [problem] = problemsOf(
      { type: 'object' },
      withoutCode(() => true),
    );
    expect(problem).toMatchObject({
      code: 'SIGIL_SCHEMA_NO_CODE',
      fix: expect.stringContaining('top level') as string,
    });
  });

  it('tells the first thing that is wrong where code is compiled only at the start', () => {
    const schemas = withoutCode(({ allErrors }) => allErrors === true);
    const schema = { type: 'object', properties: {}, required: ['a', 'b'] } as const;
    const shape = schemas.compileInput(schema, fail, 'Test.method')!;
    for (let call = 0; call < 2; call += 1)
      expect(shape.read({})).toEqual({ ok: false, failures: [{ path: 'a', message: 'is required' }] });
    expect(shape.read({ a: 1, b: 2 })).toMatchObject({ ok: true });
  });

  it('tells all that is wrong with a small value, and the first thing of one with thousands of members', () => {
    const schema = {
      type: 'object',
      properties: { rows: { type: 'array', items: { type: 'object', required: ['a', 'b'] } } },
    };
    const failuresOf = (count: number) =>
      (read(schema, { rows: Array.from({ length: count }, () => ({})) }) as { failures: object[] }).failures;
    expect(failuresOf(2)).toEqual([
      { path: 'rows[0].a', message: 'is required' },
      { path: 'rows[0].b', message: 'is required' },
      { path: 'rows[1].a', message: 'is required' },
      { path: 'rows[1].b', message: 'is required' },
    ]);
    expect(failuresOf(5000)).toEqual([{ path: 'rows[0].a', message: 'is required' }]);
  });

  it('holds nothing of what it refused', () => {
    const kept = new Map<string, { errors?: unknown }>();
    class Spy {
      readonly ajv: { compile(schema: object): object; readonly RULES: unknown };
      readonly RULES: unknown;
      constructor(options: object) {
        this.ajv = new (jest.requireActual<{ default: new (options: object) => Spy['ajv'] }>('ajv/dist/2020').default)(
          options,
        );
        this.RULES = this.ajv.RULES;
      }
      removeKeyword(): void {
        // Its keywords are ajv's own.
      }
      addKeyword(): void {
        // As above.
      }
      validateSchema(): boolean {
        return true;
      }
      compile(schema: object): object {
        const validate = this.ajv.compile(schema);
        kept.set(String(kept.size), validate);
        return validate;
      }
    }
    const shape = new RawSchemas((() => Spy) as never).compileInput({ type: 'object', required: ['a'] }, fail, 'x')!;
    expect(shape.read({})).toMatchObject({ ok: false });
    expect([...kept.values()].map(({ errors }) => errors)).toEqual([null, null]);
  });

  it('survives deep values and keys that comparisons trip over', () => {
    const tree = { type: 'object', properties: { next: { $ref: '#' } }, additionalProperties: false };
    const deep: unknown = JSON.parse('{"next":'.repeat(10_000) + '{}' + '}'.repeat(10_000));
    expect(read(tree, deep)).toMatchObject({ ok: expect.any(Boolean) as boolean });
    const unique = { type: 'object', properties: { list: { uniqueItems: true } } };
    expect(read(unique, { list: [{ valueOf: 1 }, { valueOf: 1 }] })).toMatchObject({ ok: false });
    expect(read(tree, JSON.parse('{"__proto__":{}}'))).toMatchObject({ ok: false });
  });

  it('may have any type as output, and is judged on the plain data [TOOL-009] [TOOL-010]', () => {
    const shape = new RawSchemas().compileOutput({ type: 'array', items: { type: 'string' } }, fail, 'Test.method')!;
    expect(shape.write([new Date(0)])).toEqual({ ok: true, value: ['1970-01-01T00:00:00.000Z'] });
    expect(shape.write([5])).toMatchObject({ ok: false });
    const loop: unknown[] = [];
    loop.push(loop);
    for (const value of [loop, [5n], undefined, () => 1]) expect(shape.write(value)).toMatchObject({ ok: false });
  });
});

describe('the defaults of a raw JSON Schema', () => {
  const paged = {
    type: 'object',
    properties: {
      query: { type: 'string' },
      page: {
        type: 'object',
        properties: { size: { type: 'integer', default: 20 }, after: { type: 'string' } },
        default: {},
      },
      tags: { type: 'array', items: { type: 'object', properties: { weight: { type: 'number', default: 1 } } } },
      sort: { $ref: '#/$defs/sort' },
    },
    $defs: { sort: { enum: ['asc', 'desc'], default: 'asc' } },
  };

  it('stand in for what was left out, also in parts that were sent', () => {
    expect(read(paged, {})).toEqual({ ok: true, value: { page: { size: 20 }, sort: 'asc' } });
    const sent = { page: { after: 'x' }, tags: [{}, { weight: 3 }], sort: 'desc' };
    const before = JSON.stringify(sent);
    expect(read(paged, sent)).toEqual({
      ok: true,
      value: { page: { after: 'x', size: 20 }, tags: [{ weight: 1 }, { weight: 3 }], sort: 'desc' },
    });
    expect(JSON.stringify(sent)).toBe(before);
  });

  it('are new in each call', () => {
    const shape = new RawSchemas().compileInput(paged, fail, 'Test.method')!;
    const [first, second] = [shape.read({}), shape.read({})] as { value: { page: { size: number } } }[];
    first!.value.page.size = 1;
    expect(second!.value.page.size).toBe(20);
    expect(shape.schema).toBe(paged);
    expect(paged.properties.page.default).toEqual({});
  });

  it('change nothing of what is accepted: what is required must be sent', () => {
    const schema = { type: 'object', properties: { a: { type: 'string', default: 'x' } }, required: ['a'] };
    expect(read(schema, {})).toEqual({ ok: false, failures: [{ path: 'a', message: 'is required' }] });
  });

  it('are those of the alternative that was meant', () => {
    const schema = {
      type: 'object',
      properties: {
        item: {
          oneOf: [
            { type: 'object', properties: { kind: { const: 'paper' }, pages: { default: 100 } }, required: ['kind'] },
            { type: 'object', properties: { kind: { const: 'sound' }, minutes: { default: 3 } }, required: ['kind'] },
          ],
        },
        dry: { type: 'boolean' },
      },
      allOf: [{ properties: { log: { type: 'boolean', default: false } } }],
      if: { properties: { dry: { const: true } }, required: ['dry'] },
      then: { properties: { limit: { type: 'integer', default: 1 } } },
      else: { properties: { limit: { type: 'integer', default: 9 } } },
    };
    expect(read(schema, { item: { kind: 'sound' }, dry: true })).toEqual({
      ok: true,
      value: { item: { kind: 'sound', minutes: 3 }, dry: true, log: false, limit: 1 },
    });
    expect(read(schema, { item: { kind: 'paper', pages: 2 } })).toEqual({
      ok: true,
      value: { item: { kind: 'paper', pages: 2 }, log: false, limit: 9 },
    });
  });

  it('are found behind references that lead back, in tuples, and under names that are data', () => {
    const tree = {
      $id: 'urn:example:tree',
      type: 'object',
      properties: { open: { type: 'boolean', default: true }, next: { $ref: '#' }, self: { $ref: '#', default: {} } },
    };
    expect(read(tree, { next: { next: {} } })).toMatchObject({
      value: { open: true, next: { open: true, next: { open: true } }, self: { open: true } },
    });
    const named = {
      $schema: draft7,
      type: 'object',
      properties: {
        pair: { items: [{ type: 'string' }, { properties: { x: { default: 1 } } }] },
        'a/b~c': { default: 2 },
      },
      patternProperties: { '^x-': { properties: { y: { default: 3 } } } },
      additionalProperties: { properties: { z: { default: 4 } } },
    };
    expect(read(named, { pair: ['a', {}], 'x-one': {}, other: {} })).toEqual({
      ok: true,
      value: { pair: ['a', { x: 1 }], 'x-one': { y: 3 }, other: { z: 4 }, 'a/b~c': 2 },
    });
  });

  it('that their own schema refuses are definition errors', () => {
    const schema = {
      type: 'object',
      properties: { page: { type: 'object', properties: { size: { type: 'integer', minimum: 1, default: 0 } } } },
    };
    const [problem, ...others] = problemsOf(schema);
    expect(others).toEqual([]);
    expect(problem).toMatchObject({
      code: 'SIGIL_SCHEMA_DEFAULT',
      problem: 'The raw JSON Schema rejects its own default of page.size: it must be >= 1.',
    });
  });

  it('survive deep values, and names that all objects inherit', () => {
    const tree = {
      type: 'object',
      properties: { next: { $ref: '#' }, open: { default: true }, toString: { default: 1 } },
    };
    const deep: unknown = JSON.parse('{"next":'.repeat(10_000) + '{}' + '}'.repeat(10_000));
    expect(read(tree, deep)).toMatchObject({ ok: expect.any(Boolean) as boolean });
    const { value } = read(tree, JSON.parse('{"__proto__":{"a":1}}')) as { value: object };
    expect(Object.entries(value)).toEqual([
      ['__proto__', { a: 1 }],
      ['open', true],
      ['toString', 1],
    ]);
  });
});

describe('a raw JSON Schema of an output', () => {
  it('is judged on what JSON can say, and says where it cannot', () => {
    const shape = new RawSchemas().compileOutput({ type: 'object' }, fail, 'Test.method')!;
    expect(shape.write({ list: [new Map([['a', new Set([1])]])] })).toEqual({
      ok: true,
      value: { list: [{ a: [1] }] },
    });
    expect(shape.write({ list: [Number.NaN] })).toEqual({
      ok: false,
      failures: [{ path: 'list[0]', message: 'is NaN, which JSON cannot say' }],
    });
  });
});
