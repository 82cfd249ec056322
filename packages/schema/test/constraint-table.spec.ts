/** The table of constraints: each row is read forwards, from a class to its JSON Schema, and backwards. */
import * as classValidator from 'class-validator';
import { Allow } from 'class-validator';
import { CONSTRAINTS, findDecorators, inputShape, type ArgumentMap, type Constraint } from '../src';

/** An argument for each map. */
const SAMPLES: Readonly<Record<ArgumentMap, unknown>> = {
  number: 3,
  size: 2,
  least: 2,
  most: 5,
  divisor: 4,
  expression: /^a+$/u,
  values: ['a', 'b'],
  members: { A: 'a', B: 'b' },
  value: 'a',
  refusedValues: ['a', 'b'],
  refusedValue: 'a',
  contained: ['a', 'b'],
  notContained: ['a', 'b'],
  ipVersion: '4',
};

const decorators = classValidator as unknown as Readonly<Record<string, (...args: unknown[]) => PropertyDecorator>>;

function parametersOf({ taken = {} }: Constraint): unknown[] {
  const parameters: unknown[] = [];
  for (const { argument, map } of Object.values(taken)) parameters[argument] = SAMPLES[map];
  return parameters;
}

/** The JSON Schema of a property with this decorator alone. */
function listed({ decorator, kinds }: Constraint, parameters: readonly unknown[]): Readonly<Record<string, unknown>> {
  class Dto {}
  Allow()(Dto.prototype, 'value');
  const types = {
    string: String,
    number: Number,
    boolean: Boolean,
    array: Array,
    object: Object,
    date: Date,
    null: Object,
  };
  Reflect.metadata('design:type', kinds?.[0] ? types[kinds[0]] : String)(Dto.prototype, 'value');
  decorators[decorator]!(...parameters)(Dto.prototype, 'value');
  const { value } = inputShape(Dto).schema['properties'] as { readonly value: Readonly<Record<string, unknown>> };
  return value;
}

const named = CONSTRAINTS.map((row) => [row.decorator, row] as const);
const written = named.filter(([, row]) => !row.oneWay);
const TYPES: Readonly<Record<string, string>> = { IsInt: 'integer', IsNumber: 'number', IsBoolean: 'boolean', IsString: 'string', IsArray: 'array', IsObject: 'object' }; // prettier-ignore

it('has every constraint under the name that class-validator gives it, once', () => {
  const storage = classValidator.getMetadataStorage();
  for (const [decorator, { name }] of named) {
    class Dto {}
    decorators[decorator]!(...(decorator === 'IsEnum' ? [{}] : []))(Dto.prototype, 'value');
    const [metadata] = storage.getTargetValidationMetadatas(Dto, '', false, false);
    expect([decorator, metadata?.name ?? metadata?.type]).toEqual([decorator, name]);
  }
  expect(new Set(CONSTRAINTS.map(({ name }) => name)).size).toBe(CONSTRAINTS.length);
});

it.each(written.filter(([, { marks }]) => marks?.loose !== undefined))(
  '@%s is listed in words, because it accepts more than its format',
  (_, row) => {
    expect(listed(row, parametersOf(row))).toEqual({ type: 'string', description: row.marks?.loose });
  },
);

it.each(written)('@%s is listed by its keywords, and its keywords lead back to it', (decorator, row) => {
  const parameters = parametersOf(row);
  const schema = row.marks?.loose === undefined ? listed(row, parameters) : { type: 'string', ...row.fixed };
  const keywords = [...Object.keys(row.fixed ?? {}), ...Object.keys(row.taken ?? {})];
  if (keywords.length === 0) expect(schema['type']).toBe(TYPES[decorator]);
  else expect(schema).toMatchObject(row.fixed ?? {});
  const flat = flatten(schema);
  // One text is listed as an `enum` of one, which more APIs of models know.
  const isOneText = keywords[0] === 'const';
  for (const keyword of keywords) expect(flat).toHaveProperty([isOneText ? 'enum' : keyword]);
  const { decorators: found, rest } = findDecorators(flat);
  expect(found).toContainEqual(isOneText ? { decorator: 'IsIn', parameters: [parameters] } : { decorator, parameters });
  expect(rest).toEqual({});
});

/** What cannot stand beside other keywords is listed in `allOf`. */
function flatten({ allOf, ...schema }: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const parts = (allOf ?? []) as readonly Readonly<Record<string, unknown>>[];
  const apart = parts.filter((part) => 'contains' in part);
  const inside = parts.filter((part) => !('contains' in part));
  return Object.assign({}, schema, ...inside, apart.length > 0 ? { allOf: apart } : {}) as Record<string, unknown>;
}

it.each(named.filter(([, row]) => row.oneWay))('@%s does not come of keywords', (decorator, row) => {
  const found = findDecorators({ type: 'string', ...row.fixed }).decorators.map((each) => each.decorator);
  expect(found).not.toContain(decorator);
});

describe('a schema as decorators', () => {
  it('has the decorator for both limits, where it has both', () => {
    expect(findDecorators({ type: 'string', minLength: 1, maxLength: 60 })).toEqual({
      decorators: [
        { decorator: 'IsString', parameters: [] },
        { decorator: 'Length', parameters: [1, 60] },
      ],
      rest: {},
    });
  });

  it('keeps the keywords that no decorator says', () => {
    expect(findDecorators({ type: ['string', 'null'], pattern: '(', title: 'Name' })).toEqual({
      decorators: [],
      rest: { type: ['string', 'null'], pattern: '(', title: 'Name' },
    });
  });
});
