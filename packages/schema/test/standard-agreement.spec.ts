/**
 * What a library lists and what it accepts agree, and with it what a raw schema does: for generated schemas of zod and values, ajv under
 * the listed schema accepts what the tool reads, and the raw schema fills in the defaults that zod fills in.
 */
import Ajv from 'ajv/dist/2020';
import fc, { type Arbitrary } from 'fast-check';
import { z, type ZodType } from 'zod';
import type { Reading } from '../src/value-plan';
import { Shapes } from '../src/shapes';
import { issueFailures } from '../src/standard/issue-failures';
import { all, runs } from '../../../test/support/matrix';

const times = Number(process.env['AGREEMENT_RUNS'] ?? runs(400));

const shapes = new Shapes();
/** Without meta-schemas, which cost more than a case. */
const judge = new Ajv({
  strict: false,
  validateFormats: false,
  ownProperties: true,
  meta: false,
  validateSchema: false,
});

/** A schema, and values of which many fit it. */
interface Generated {
  readonly schema: ZodType;
  readonly values: Arbitrary<unknown>;
}

const odd = fc.constantFrom<unknown>(null, '', 'x', 'abcdef', 0, -1, 1.5, 1e21, true, [], ['x'], {}, { a: 1 });
const often = (values: Arbitrary<unknown>): Arbitrary<unknown> => fc.oneof({ arbitrary: values, weight: 6 }, odd);
// JSON Schema counts code points, zod code units.
const text = fc.string({ maxLength: 6, unit: 'grapheme-ascii' });

const texts = fc
  .tuple(fc.option(fc.nat(3)), fc.option(fc.integer({ min: 3, max: 6 })))
  .map(([least, most]): Generated => {
    const bounded = least === null ? z.string() : z.string().min(least);
    return { schema: most === null ? bounded : bounded.max(most), values: text };
  });
const numbers = fc
  .tuple(fc.boolean(), fc.option(fc.integer({ min: -3, max: 3 })), fc.boolean())
  .map(([whole, least, isOpen]): Generated => {
    const kind = whole ? z.int() : z.number();
    const schema = least === null ? kind : isOpen ? kind.gt(least) : kind.min(least);
    return {
      schema,
      values: fc.oneof(fc.integer({ min: -5, max: 5 }), fc.double({ noNaN: true, noDefaultInfinity: true })),
    };
  });
const others = fc.constantFrom<Generated>(
  { schema: z.boolean(), values: fc.boolean() },
  { schema: z.enum(['a', 'x']), values: fc.constantFrom('a', 'b', 'x') },
  { schema: z.literal([1, 'x', true]), values: fc.constantFrom(1, 'x', true, '1') },
  { schema: z.union([z.string().max(2), z.int()]), values: fc.oneof(text, fc.integer()) },
  { schema: z.any(), values: odd },
  { schema: z.string().regex(/^[a-z]+$/), values: text },
  { schema: z.null(), values: fc.constant(null) },
);
const scalars = fc
  .oneof(texts, numbers, others)
  .chain((made) => fc.boolean().map((nullable) => (nullable ? { ...made, schema: made.schema.nullable() } : made)));

const { object } = fc.letrec<{ one: Generated; object: Generated }>((tie) => ({
  one: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'deep' },
    scalars,
    listOf(tie('one')),
    recordOf(tie('one')),
    tie('object'),
  ),
  object: fc
    .tuple(
      fc.array(fc.tuple(tie('one'), fc.constantFrom('required', 'optional', 'default')), { maxLength: 4 }),
      fc.boolean(),
    )
    .map(([members, isStrict]) => objectOf(members, isStrict)),
}));

function listOf(one: Arbitrary<Generated>): Arbitrary<Generated> {
  return fc.tuple(one, fc.option(fc.nat(2))).map(([{ schema, values }, least]) => ({
    schema: least === null ? z.array(schema) : z.array(schema).min(least),
    values: fc.array(often(values), { maxLength: 3 }),
  }));
}

function recordOf(one: Arbitrary<Generated>): Arbitrary<Generated> {
  return one.map(({ schema, values }) => ({
    schema: z.record(z.string(), schema),
    values: fc.dictionary(fc.constantFrom('a', 'b', 'toString'), often(values)),
  }));
}

const scalarDefault = (schema: ZodType): ZodType => {
  const fitting = ['x', 1, true, null].filter((value) => schema.safeParse(value).success);
  return fitting.length > 0 ? schema.default(fitting[0]) : schema.optional();
};

function objectOf(members: readonly (readonly [Generated, string])[], isStrict: boolean): Generated {
  const named = members.map(([one, presence], index) => ({ ...one, presence, name: `m${index}` }));
  const shape = Object.fromEntries(
    named.map(({ name, schema, presence }) => [
      name,
      presence === 'required' ? schema : presence === 'optional' ? schema.optional() : scalarDefault(schema),
    ]),
  );
  const fields = Object.fromEntries(named.map(({ name, values }) => [name, often(values)]));
  const requiredKeys = named.filter((_, index) => index % 2 === 0).map(({ name }) => name);
  const model: Record<string, Arbitrary<unknown>> = { ...fields, ...(members.length === 3 && { more: odd }) };
  const values = fc.record(model, { requiredKeys });
  return { schema: isStrict ? z.strictObject(shape) : z.looseObject(shape), values };
}

const cases = object.chain(({ schema, values }) =>
  fc.tuple(
    fc.constant(schema),
    fc.array(fc.oneof({ arbitrary: values, weight: 9 }, odd), { minLength: 1, maxLength: 8 }),
  ),
);

describe('a schema of zod', () => {
  it('accepts what ajv accepts under what is listed, and fills in the defaults of the raw schema', () => {
    const seen = { accepted: 0, refused: 0 };
    fc.assert(
      fc.property(cases, ([schema, values]) => {
        const user = { where: 'Test.method', report: (problem: { problem: string }) => { throw new Error(problem.problem); } }; // prettier-ignore
        const shape = shapes.input(schema, {}, user)!;
        const raw = shapes.input(shape.schema, {}, user)!;
        const validate = judge.compile(shape.schema);
        judge.removeSchema(shape.schema);
        for (const value of values) {
          const reading = shape.read(value) as Reading<unknown>;
          expect([value, reading.ok]).toEqual([value, validate(value)]);
          seen[reading.ok ? 'accepted' : 'refused'] += 1;
          if (reading.ok) expect(raw.read(value)).toEqual(reading);
          else expect(reading.failures.every(({ message }) => message.length > 3)).toBe(true);
        }
      }),
      { numRuns: times },
    );
    expect(seen.accepted).toBeGreaterThan(all ? times / 4 : 0);
    expect(seen.refused).toBeGreaterThan(all ? times / 4 : 0);
  });
});

it('an issue that names no unknown member, whatever it says, is a failure like any other', () => {
  const issue = { message: 'Unrecognized keys', keys: [], path: [] };
  expect(issueFailures([issue], { a: 1 }, { type: 'object' })).toEqual([{ path: '', message: 'Unrecognized keys' }]);
});
