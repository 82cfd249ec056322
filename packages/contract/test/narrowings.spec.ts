/** Does a schema accept everything that another accepts? Proven with values that a validator of JSON Schema judges. */
import Ajv, { type ValidateFunction } from 'ajv/dist/2020';
import fc from 'fast-check';
import { narrowings, type Narrowing } from '../src';
import { all, runs } from '../../../test/support/matrix';

type Json = Readonly<Record<string, unknown>>;

const NAMES = ['a', 'b', 'c'] as const;
const TEXTS = ['', 'a', 'ab', 'abc', 'x1', '😀'];
const NUMBERS = [-2, -1, 0, 0.5, 1, 2, 3, 7.5];

const optional = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(arbitrary, { nil: undefined });
const withoutUndefined = (schema: Json): Json =>
  Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined));

/** Values of every type, small enough to meet limits. */
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(...TEXTS),
    fc.constantFrom(...NUMBERS),
    fc.constantFrom(null, true, false),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...NAMES, 'd'), tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));

const words = fc.record({ title: optional(fc.constant('T')), description: optional(fc.constantFrom('one', 'two')) });

const scalars = fc.oneof(
  fc.record({
    type: fc.constant('string'),
    minLength: optional(fc.nat(2)),
    maxLength: optional(fc.nat(4)),
    pattern: optional(fc.constantFrom('^a', 'b$', '^.{1,2}$')),
  }),
  fc.record({
    type: fc.constantFrom('number', 'integer'),
    minimum: optional(fc.constantFrom(-1, 0, 0.5)),
    maximum: optional(fc.constantFrom(1, 2, 7.5)),
    exclusiveMinimum: optional(fc.constantFrom(-1, 0)),
    exclusiveMaximum: optional(fc.constantFrom(2, 3)),
    multipleOf: optional(fc.constantFrom(0.5, 1, 2)),
  }),
  fc.record({
    enum: fc.uniqueArray(fc.constantFrom<unknown>('a', 'ab', 1, 2, null, true), { minLength: 1, maxLength: 4 }),
  }),
  fc.record({ const: fc.constantFrom<unknown>('a', 1, null, false) }),
  fc.record({ type: fc.uniqueArray(fc.constantFrom('string', 'null', 'boolean', 'integer'), { minLength: 1 }) }),
  fc.constantFrom<unknown>({}, true, false),
);

const { schema } = fc.letrec<{ schema: unknown }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    scalars,
    fc.record({
      type: fc.constant('object'),
      properties: optional(
        fc.dictionary(fc.constantFrom(...NAMES), tie('schema'), { maxKeys: 3, noNullPrototype: true }),
      ),
      required: optional(fc.subarray([...NAMES])),
      additionalProperties: optional(fc.oneof(fc.constant(false), tie('schema'))),
      minProperties: optional(fc.nat(2)),
      maxProperties: optional(fc.nat(3)),
    }),
    fc.record({
      type: fc.constant('array'),
      items: optional(tie('schema')),
      prefixItems: optional(fc.array(tie('schema'), { minLength: 1, maxLength: 2 })),
      minItems: optional(fc.nat(2)),
      maxItems: optional(fc.nat(3)),
      uniqueItems: optional(fc.boolean()),
    }),
    fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }) }),
    fc.record({ not: tie('schema') }),
    fc.record({ if: tie('schema'), then: optional(tie('schema')), else: optional(tie('schema')) }),
    fc.record({ contains: tie('schema'), minContains: optional(fc.nat(2)), maxContains: optional(fc.nat(2)) }),
    fc.record({
      properties: fc.dictionary(fc.constantFrom(...NAMES), tie('schema'), { maxKeys: 2, noNullPrototype: true }),
      patternProperties: optional(
        fc.dictionary(fc.constantFrom('^a', 'b'), tie('schema'), { maxKeys: 1, noNullPrototype: true }),
      ),
      propertyNames: optional(tie('schema')),
      unevaluatedProperties: optional(fc.constant(false)),
      anyOf: optional(fc.array(tie('schema'), { minLength: 1, maxLength: 2 })),
      allOf: optional(fc.array(tie('schema'), { minLength: 1, maxLength: 2 })),
      dependentRequired: optional(fc.constant({ a: ['b'] })),
    }),
  ),
}));

const clean = (one: unknown): unknown =>
  typeof one === 'object' && one !== null && !Array.isArray(one)
    ? withoutUndefined(Object.fromEntries(Object.entries(one).map(([name, part]) => [name, clean(part)])))
    : Array.isArray(one)
      ? one.map(clean)
      : one;

/** Words, and definitions that refer to themselves, around a schema. */
const whole = fc.tuple(schema, words, optional(schema)).map(([one, said, item]) => {
  const own = clean(one);
  if (typeof own !== 'object' || own === null) return own as boolean;
  const $defs = { Tree: { type: 'object', properties: { a: clean(item ?? true), next: { $ref: '#/$defs/Tree' } } } };
  return {
    ...withoutUndefined(said),
    ...own,
    ...(item !== undefined && { $defs, properties: { c: { $ref: '#/$defs/Tree' } } }),
  };
});

/** A schema, and one that differs from it in a place: by any other part, or by a small change of a keyword. */
const pair = fc.oneof(
  fc.tuple(whole, whole),
  whole.chain((one) =>
    fc.tuple(
      fc.constant(one),
      fc.nat(20).map((place) => neighbourOf(one, place)),
    ),
  ),
  whole.chain((one) =>
    fc.tuple(
      fc.constant(one),
      fc.tuple(fc.nat(20), clean_(schema)).map(([place, other]) => replaced(one, place, other)),
    ),
  ),
);

function clean_(arbitrary: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return arbitrary.map(clean);
}

/** The schema with the part at a place, counted in depth-first order, replaced or left out. */
function replaced(one: unknown, place: number, other: unknown): unknown {
  let count = 0;
  const visit = (part: unknown): unknown => {
    count += 1;
    if (count - 1 === place) return other;
    if (Array.isArray(part)) return part.map(visit);
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([name, inner]) => [name, visit(inner)]));
  };
  const result = visit(one);
  return isValidSchema(result) ? result : one;
}

/** Keywords that mean nearly the same. */
const TWINS: Readonly<Record<string, string>> = {
  minimum: 'exclusiveMinimum',
  exclusiveMinimum: 'minimum',
  maximum: 'exclusiveMaximum',
  exclusiveMaximum: 'maximum',
  anyOf: 'oneOf',
  oneOf: 'anyOf',
  minLength: 'maxLength',
  maxItems: 'minItems',
  then: 'else',
};

/** The schema with one keyword, counted in depth-first order, that says a little more or less. */
function neighbourOf(one: unknown, place: number): unknown {
  let count = 0;
  const member = ([name, part]: [string, unknown]): [string, unknown][] => {
    count += 1;
    const isMeant = count - 1 === place;
    const twin = TWINS[name];
    if (!isMeant) return [[name, visit(part)]];
    if (twin !== undefined) return [[twin, part]];
    if (typeof part === 'number') return [[name, part + 1]];
    if (typeof part === 'boolean') return [[name, !part]];
    if (Array.isArray(part) && part.length > 1) return [[name, part.slice(1)]];
    return [];
  };
  const visit = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(visit);
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).flatMap(member));
  };
  const result = visit(one);
  return isValidSchema(result) ? result : one;
}

const ajv = new Ajv({ strict: false, logger: false, validateSchema: true });

function isValidSchema(given: unknown): boolean {
  try {
    return ajv.validateSchema(given as Json) === true;
  } catch {
    return false;
  }
}

/** Undefined for a schema with a reference to nothing. */
function compiled(given: unknown): ValidateFunction | undefined {
  try {
    return ajv.compile(given as Json);
  } catch {
    return undefined;
  }
}

/** Undefined where the validator itself fails, as ajv does for evaluated properties in one of several alternatives. */
function accepts(validate: ValidateFunction, one: unknown): boolean | undefined {
  try {
    return validate(one) === true;
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

const said = (found: readonly Narrowing[]): string[] => found.map(({ rule, path }) => `${rule} ${path}`.trim());

describe('two schemas', () => {
  it('of which one is said to accept everything that the other accepts, do: no value shows otherwise', () => {
    let compared = 0;
    fc.assert(
      fc.property(pair, fc.array(value, { minLength: 10, maxLength: 40 }), ([from, to], values) => {
        if (narrowings(from, to as Json).length > 0) return;
        const [before, after] = [compiled(from), compiled(to)];
        if (!before || !after) return;
        for (const one of values) {
          const verdicts = [accepts(before, one), accepts(after, one)];
          if (verdicts[0] !== true || verdicts[1] === undefined) continue;
          compared += 1;
          if (!verdicts[1]) throw new Error(`${JSON.stringify(one)} is refused`);
        }
      }),
      { numRuns: runs(1500) },
    );
    expect(compared).toBeGreaterThan(all ? 1000 : 0);
  });

  it('are alike if only words differ, and always like themselves', () => {
    fc.assert(
      fc.property(whole, (one) => {
        expect(narrowings(one, structuredClone(one))).toEqual([]);
        if (typeof one === 'object')
          expect(narrowings(one, { ...one, description: 'other words', title: 'X' })).toEqual([]);
      }),
      { numRuns: runs(500) },
    );
  });

  const object = (properties: Json, required: string[] = []): Json => ({
    type: 'object',
    properties,
    required,
    additionalProperties: false,
  });
  /** What is found of `B` while `A` is compared counts on `A`. */
  const knotted = (x: Json): Json => ({
    $defs: {
      A: object({ b: { $ref: '#/$defs/B' }, x }),
      B: object({ a: { $ref: '#/$defs/A' } }),
    },
    ...object({ first: { $ref: '#/$defs/A' }, second: { $ref: '#/$defs/B' } }),
  });
  const cases: readonly [string, Json, Json, string[]][] = [
    ['an argument more', object({}), object({ a: { type: 'string' } }), []],
    ['an argument more that is required', object({}), object({ a: { type: 'string' } }, ['a']), ['required a']],
    ['an argument less', object({ a: { type: 'string' } }), object({}), ['property a']],
    ['a longer text', { type: 'string', maxLength: 5 }, { type: 'string', maxLength: 9 }, []],
    ['a shorter text', { type: 'string', maxLength: 9 }, { type: 'string', maxLength: 5 }, ['maxSize']],
    ['a number for an integer', { type: 'integer' }, { type: 'number' }, []],
    ['an integer for a number', { type: 'number' }, { type: 'integer' }, ['step']],
    ['a value less', { enum: ['a', 'b'] }, { enum: ['a'] }, ['values']],
    ['a value more', { enum: ['a'] }, { enum: ['a', 'b'] }, []],
    ['any text for some', { enum: ['a'] }, { type: 'string' }, []],
    ['null as well', { type: 'string' }, { type: ['string', 'null'] }, []],
    ['null no more', { anyOf: [{ type: 'string' }, { type: 'null' }] }, { type: 'string' }, ['type']],
    ['another type', { type: 'string' }, { type: 'number' }, ['type']],
    ['a list for one', { type: 'string' }, { type: 'array', items: { type: 'string' } }, ['type']],
    ['from above zero to one', { type: 'integer', exclusiveMinimum: 0 }, { type: 'integer', minimum: 1 }, []],
    ['from zero to above zero', { type: 'number', minimum: 0 }, { type: 'number', exclusiveMinimum: 0 }, ['minimum']],
    ['from above zero to zero', { type: 'number', exclusiveMinimum: 0 }, { type: 'number', minimum: 0 }, []],
    ['from one to below one', { type: 'number', maximum: 1 }, { type: 'number', exclusiveMaximum: 1 }, ['maximum']],
    ['from below one to one', { type: 'number', exclusiveMaximum: 1 }, { type: 'number', maximum: 1 }, []],
    [
      'below one as before, and above zero as before',
      { type: 'number', exclusiveMaximum: 1, exclusiveMinimum: 0 },
      { type: 'number', exclusiveMaximum: 1, exclusiveMinimum: 0, title: 'Share' },
      [],
    ],
    ...[
      { minimum: 0, exclusiveMinimum: 0 },
      { exclusiveMinimum: 0, minimum: 0 },
      { minimum: -1, allOf: [{ exclusiveMinimum: 0 }, { minimum: 0 }] },
    ].map((bounds): [string, Json, Json, string[]] => [
      `zero as a bound in two ways, as ${JSON.stringify(bounds)}`,
      { type: 'number', ...bounds },
      { type: 'number', exclusiveMinimum: 0 },
      [],
    ]),
    ['unique items of one', { type: 'array', maxItems: 1 }, { type: 'array', maxItems: 1, uniqueItems: true }, []],
    ['unique items', { type: 'array', maxItems: 2 }, { type: 'array', maxItems: 2, uniqueItems: true }, ['unique']],
    ['a value less that a doubt leaves', { enum: ['a', 'b'], not: { const: 'c' } }, { enum: ['a'] }, ['values']],
    ['a pattern', { type: 'string' }, { type: 'string', pattern: '^a' }, ['pattern']],
    ['a format', { type: 'string' }, { type: 'string', format: 'date' }, ['format']],
    ['no format', { type: 'string', format: 'date' }, { type: 'string' }, []],
    [
      'a place in a list',
      object({ a: { type: 'array', items: object({ b: { type: 'string' } }) } }),
      object({ a: { type: 'array', items: object({ b: { type: 'string', maxLength: 3 } }) } }),
      ['maxSize a[].b'],
    ],
    [
      'a member of a union',
      { oneOf: [object({ k: { const: 'x' } }, ['k']), object({ k: { const: 'y' } }, ['k'])] },
      { oneOf: [object({ k: { const: 'x' } }, ['k'])] },
      ['values k'],
    ],
    [
      'a member of a union more',
      { oneOf: [object({ k: { const: 'x' } }, ['k'])] },
      { oneOf: [object({ k: { const: 'y' } }, ['k']), object({ k: { const: 'x' } }, ['k'])] },
      [],
    ],
    [
      'one of several that a property tells apart, which one of them has always',
      { anyOf: [object({ k: { const: 'x' } }, ['k']), object({ k: { const: 'y' } })] },
      { oneOf: [object({ k: { const: 'x' } }, ['k']), object({ k: { const: 'y' } })] },
      [],
    ],
    [
      'one of several that a property tells apart, which the other one of them has always',
      { anyOf: [object({ k: { const: 'x' } }), object({ k: { const: 'y' } }, ['k'])] },
      { oneOf: [object({ k: { const: 'x' } }), object({ k: { const: 'y' } }, ['k'])] },
      [],
    ],
    [
      'one of several that a property does not tell apart where it is left out',
      { anyOf: [object({ k: { const: 'x' } }), object({ k: { const: 'y' } })] },
      { oneOf: [object({ k: { const: 'x' } }), object({ k: { const: 'y' } })] },
      ['other'],
    ],
    [
      'a rule of one of two definitions that refer to each other',
      knotted({ type: 'string' }),
      knotted({ type: 'string', maxLength: 3 }),
      ['maxSize first.x', 'maxSize second.a.x'],
    ],
    ['a reference for its text', { $defs: { City: { type: 'string' } }, $ref: '#/$defs/City' }, { type: 'string' }, []],
    [
      'a renamed definition',
      { $defs: { A: object({ n: { $ref: '#/$defs/A' } }) }, $ref: '#/$defs/A' },
      { $defs: { B: object({ n: { $ref: '#/$defs/B' } }) }, $ref: '#/$defs/B' },
      [],
    ],
    [
      'a rule deep in a tree',
      { $defs: { A: object({ v: {}, n: { $ref: '#/$defs/A' } }) }, $ref: '#/$defs/A' },
      { $defs: { A: object({ v: { type: 'string' }, n: { $ref: '#/$defs/A' } }) }, $ref: '#/$defs/A' },
      ['type v'],
    ],
    [
      'what is evaluated beside a part that stays',
      { allOf: [{ required: [] }], properties: { a: {} }, unevaluatedProperties: false },
      { allOf: [{ required: [] }], properties: { b: {} }, unevaluatedProperties: false },
      ['other'],
    ],
    [
      'what is evaluated in an alternative',
      { anyOf: [{ properties: { a: {} } }], unevaluatedProperties: false },
      { anyOf: [{ properties: { b: {} } }], unevaluatedProperties: false },
      ['other'],
    ],
    [
      'another dependency of a property that is called as a word is',
      { dependencies: { title: ['a'] } },
      { dependencies: { title: ['b'] } },
      ['other'],
    ],
    ['what cannot be told', { type: 'string' }, { type: 'string', not: { const: 'a' } }, ['other']],
  ];
  it.each(cases)('with %s', (_, from, to, expected) => {
    expect(said(narrowings(from, to))).toEqual(expected);
  });

  it('may refer to themselves in any way, and are compared in a moment', () => {
    const knot = { $defs: { A: { anyOf: [{ $ref: '#/$defs/A' }, { type: 'string' }] } }, $ref: '#/$defs/A' };
    expect(said(narrowings(knot, knot))).toEqual([]);
    const tree = (depth: number): Json => ({
      $defs: {
        T: {
          oneOf: Array.from({ length: depth }, (__, index) =>
            object({ k: { const: index }, t: { $ref: '#/$defs/T' } }, ['t']),
          ),
        },
      },
      $ref: '#/$defs/T',
    });
    expect(narrowings(tree(6), tree(6))).toEqual([]);
  });
});
