/** Raw JSON Schemas in place of classes: listed as given, validated in their own dialect, refused when they cannot be. */
import http from 'node:http';
import type { DefinitionProblem } from '../src/errors/definition-error';
import type { JsonSchema } from '../src/schema/json-schema';
import { RawSchemas } from '../src/schema/raw/raw-schema';

const draft7 = 'http://json-schema.org/draft-07/schema#';

function read(schema: JsonSchema, value: unknown): unknown {
  return new RawSchemas().compileInput(schema, fail, 'Test.method')!.read(value);
}

function fail(problem: DefinitionProblem): never {
  throw new Error(problem.what);
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
    'is refused in the dialect %p, which is called unsupported [BASE-039]',
    ($schema) => {
      const [problem] = problemsOf({ $schema, type: 'object' });
      expect(problem).toMatchObject({ code: 'SIGIL_SCHEMA_DIALECT', where: 'Test.method' });
      expect(problem?.what).toMatch(/unsupported/);
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
    await new Promise((resolve) => setTimeout(resolve, 50));
    server.close();
    expect(problem).toMatchObject({ code: 'SIGIL_SCHEMA_REFERENCE' });
    expect(problem?.what).toContain($ref);
    expect(requests).toBe(0);
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
    expect(problem).toMatchObject({ code: 'SIGIL_AJV_MISSING', mend: 'Install it: npm install ajv@8' });
    expect(problem?.what).toContain('ajv');
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
