/** Raw schemas of older dialects are listed with the keywords of 2020-12, and mean the same. */
import Ajv from 'ajv';
import Ajv2019 from 'ajv/dist/2019';
import Ajv2020 from 'ajv/dist/2020';
import fc from 'fast-check';
import type { JsonSchema } from '../src/index';
import { inNewestDialect } from '../src/raw/newest-dialect';
import { RawSchemas } from '../src/raw/raw-schema';

const DRAFT_7 = 'http://json-schema.org/draft-07/schema#';
const DRAFT_2019 = 'https://json-schema.org/draft/2019-09/schema';

it('writes tuples, dependencies and anchors anew, wherever they stand, and leaves values alone', () => {
  const schema = {
    $schema: DRAFT_7,
    type: 'object',
    properties: {
      pair: { type: 'array', items: [{ type: 'string' }, { items: [{ $id: '#deep' }] }], additionalItems: false },
      open: { $id: '#/properties/open', items: [{}], additionalItems: true },
      short: { items: [{}, {}], additionalItems: false, maxItems: 1 },
      plain: { items: { type: 'string' }, additionalItems: false },
      items: { const: { items: [1], $schema: 'mine', dependencies: {} } },
    },
    dependencies: { a: ['b'], c: { required: ['d'] } },
    definitions: { one: { default: { items: [] } } },
  };
  const before = structuredClone(schema);
  expect(inNewestDialect(schema)).toEqual({
    type: 'object',
    properties: {
      pair: { type: 'array', prefixItems: [{ type: 'string' }, { prefixItems: [{ $anchor: 'deep' }] }], maxItems: 2 },
      open: { prefixItems: [{}] },
      short: { prefixItems: [{}, {}], maxItems: 1 },
      plain: { items: { type: 'string' } },
      items: { const: { items: [1], $schema: 'mine', dependencies: {} } },
    },
    dependentRequired: { a: ['b'] },
    dependentSchemas: { c: { required: ['d'] } },
    definitions: { one: { default: { items: [] } } },
  });
  expect(schema).toEqual(before);
});

it.each<[string, object]>([
  ['is in the newest dialect', { $schema: 'https://json-schema.org/draft/2020-12/schema' }],
  ['names no dialect', {}],
  ['refers to a place that would move', { $schema: DRAFT_7, properties: { x: { $ref: '#/properties/y/items/0' } } }],
  ['is recursive as 2019-09 says it', { $schema: DRAFT_2019, properties: { x: { $recursiveRef: '#' } } }],
  [
    'says what further items are, which a reader of draft-07 would ask of the first ones',
    { $schema: DRAFT_7, properties: { x: { items: [{}], additionalItems: { type: 'number' } } } },
  ],
  ['has words that its dialect does not know', { $schema: DRAFT_7, properties: { x: { minContains: 2 } } }],
  [
    'says in two ways what depends on what',
    { $schema: DRAFT_2019, dependencies: { a: ['b'] }, dependentRequired: { c: ['d'] } },
  ],
  ['has a name that no anchor may have', { $schema: DRAFT_7, properties: { x: { $id: '#1a' } } }],
  ['has an address with a fragment', { $schema: DRAFT_7, properties: { x: { $id: 'http://example.com/z#foo' } } }],
  ['refers to an encoded place', { $schema: DRAFT_7, properties: { x: { $ref: '#/%69tems/0' } } }],
  ['has words that mean something else', { $schema: DRAFT_2019, properties: { x: { unevaluatedItems: false } } }],
])('is left as it is where it %s', (_, words) => {
  const schema: JsonSchema = { type: 'object', ...words };
  expect(inNewestDialect(schema)).toBe(schema);
});

it('is what inputs and outputs list, while values are judged by what the author wrote', () => {
  const schema = { $schema: DRAFT_7, type: 'object', properties: { pair: { items: [{}], additionalItems: false } } };
  const fail = (problem: unknown): never => {
    throw new Error(JSON.stringify(problem));
  };
  const listed = { type: 'object', properties: { pair: { prefixItems: [{}], maxItems: 1 } } };
  const input = new RawSchemas().compileInput(schema, fail, 'a.b');
  const output = new RawSchemas().compileOutput(schema, fail, 'a.b');
  expect([input?.schema, output?.schema]).toEqual([listed, listed]);
  expect(input?.read({ pair: [1, 2] })).toMatchObject({ ok: false, failures: [{ path: 'pair' }] });
  expect(output?.write({ pair: [1] })).toMatchObject({ ok: true });
});

/** Any JSON but for names that the comparison of ajv trips over, in every dialect. */
const data = (maxDepth: number): fc.Arbitrary<unknown> =>
  fc
    .jsonValue({ maxDepth })
    .map((value) => JSON.parse(JSON.stringify(value)) as unknown)
    .filter((value) => !/"(?:valueOf|toString)":/.test(JSON.stringify(value)));
const text = fc.constantFrom('a', 'b', 'c', 'x-1');
const { schema: olderSchema } = fc.letrec<{ schema: object | boolean; value: unknown }>((tie) => ({
  value: data(2),
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<object | boolean>({ type: 'string' }, { type: 'number' }, { type: 'null' }, {}, true, false),
    fc.record(
      {
        type: fc.constantFrom('array', ['array', 'null']),
        items: fc.oneof(tie('schema'), fc.array(tie('schema'), { minLength: 1, maxLength: 3 })),
        additionalItems: fc.boolean(),
        maxItems: fc.nat(3),
        contains: tie('schema'),
      },
      { requiredKeys: ['items'] },
    ),
    fc.record(
      {
        properties: fc.dictionary(text, tie('schema'), { maxKeys: 3 }),
        additionalProperties: tie('schema'),
        patternProperties: fc.dictionary(fc.constant('^x-'), tie('schema'), { maxKeys: 1 }),
        propertyNames: fc.constant({ maxLength: 3 }),
        dependencies: fc.dictionary(text, fc.oneof(fc.uniqueArray(text), tie('schema')), { maxKeys: 2 }),
      },
      { requiredKeys: ['properties'] },
    ),
    fc.record({ not: tie('schema') }),
    fc.record(
      { anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }), const: tie('value') },
      { requiredKeys: ['anyOf'] },
    ),
    fc.record({ if: tie('schema'), then: tie('schema'), else: tie('schema') }),
  ),
}));
const values = fc
  .oneof(
    fc.array(
      fc.oneof(fc.constantFrom<unknown>('a', 1, null), fc.array(fc.constantFrom<unknown>('a', 1), { maxLength: 3 })),
      { maxLength: 4 },
    ),
    fc.dictionary(text, fc.oneof(fc.constantFrom<unknown>('a', 1, null), fc.array(fc.constantFrom<unknown>('a', 1))), {
      maxKeys: 4,
    }),
    data(3),
  )
  // As it arrives: a generated object may have no prototype.
  .map((value) => JSON.parse(JSON.stringify(value)) as unknown);

it.each([
  ['draft-07', DRAFT_7, Ajv],
  ['2019-09', DRAFT_2019, Ajv2019],
] as const)('means the same to a validator of 2020-12 as what was written in %s', (_, $schema, Older) => {
  const [older, newest] = [Older, Ajv2020].map((Class) => {
    const ajv = new Class({ strict: false, logger: false });
    // No schema here asks for it, and Ajv writes code that throws for `patternProperties` below two `not`s.
    ajv.opts.unevaluated = false;
    return ajv;
  });
  fc.assert(
    fc.property(olderSchema, fc.array(values, { minLength: 5, maxLength: 10 }), (inner, tried) => {
      const schema = { $schema, type: 'object', properties: { value: inner } };
      const listed = inNewestDialect(schema);
      expect(listed).not.toHaveProperty('$schema');
      const before = older!.compile(schema);
      const now = newest!.compile(listed);
      for (const value of tried) expect([value, now({ value })]).toEqual([value, before({ value })]);
    }),
    { numRuns: 100 },
  );
});
