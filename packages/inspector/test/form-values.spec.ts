/** A form and its JSON are one: what a field shows and reads back is the value again, for every schema of a DTO. */
import fc from 'fast-check';

type Schema = Record<string, unknown>;

interface FormValues {
  kindOf(schema: Schema): string;
  resolved(schema: Schema, root: Schema): Schema;
  choicesOf(schema: Schema): readonly { value: unknown }[] | undefined;
  branchesOf(schema: Schema): readonly Schema[];
  branchFor(branches: readonly Schema[], value: unknown, root: Schema): number;
  fits(schema: Schema, value: unknown, root: Schema): boolean;
  firstValue(schema: Schema, root: Schema): unknown;
  textOf(value: unknown): string;
  valueOf(kind: string, text: string): unknown;
  withMember(object: object | undefined, name: string, value: unknown): object;
  limitsOf(schema: Schema): string;
}

const form = jest.requireActual<FormValues>('../page/form-values.js');

interface Pair {
  readonly schema: Schema;
  readonly value: fc.JsonValue;
}

const name = fc.stringMatching(/^[a-z][a-zA-Z0-9]{0,8}$/).filter((one) => !(one in {}));
const leaf = fc.oneof(
  fc.string().map((value): Pair => ({ schema: { type: 'string' }, value })),
  fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .map((value): Pair => ({ schema: { type: 'number' }, value: value === 0 ? 0 : value })),
  fc.integer().map((value): Pair => ({ schema: { type: 'integer' }, value })),
  fc.boolean().map((value): Pair => ({ schema: { type: 'boolean' }, value })),
  fc.constant<Pair>({ schema: { type: 'null' }, value: null }),
  fc
    .uniqueArray(fc.string(), { minLength: 1, maxLength: 5 })
    .chain((all) => fc.constantFrom(...all).map((value): Pair => ({ schema: { enum: all }, value }))),
  fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 4 }).chain((all) =>
    fc.constantFrom(...all).map((value): Pair => ({
      schema: { oneOf: all.map((one) => ({ const: one, title: `title of ${one}` })) },
      value,
    })),
  ),
);
const { pair } = fc.letrec<{ pair: Pair }>((tie) => ({
  pair: fc.oneof(
    { depthSize: 'small' },
    leaf,
    tie('pair').map((item): Pair => ({ schema: { type: 'array', items: item.schema }, value: [item.value] })),
    fc.dictionary(name, tie('pair'), { maxKeys: 4 }).map((members): Pair => {
      const each = Object.entries(members);
      const properties = Object.fromEntries(each.map(([key, { schema }]) => [key, schema]));
      const value = Object.fromEntries(each.map(([key, one]) => [key, one.value]));
      return { schema: { type: 'object', properties, required: Object.keys(properties) }, value };
    }),
    tie('pair').map((one): Pair => ({
      schema: {
        anyOf: [{ type: 'object', properties: { '@kind': { const: 'none' } }, required: ['@kind'] }, one.schema],
      },
      value: one.value,
    })),
  ),
}));

/** What a person would have in front of them, field by field, read back. */
function throughForm(given: Schema, value: unknown, root: Schema): unknown {
  const schema = form.resolved(given, root);
  const kind = form.kindOf(schema);
  switch (kind) {
    case 'choice':
      return form.choicesOf(schema)?.find((choice) => JSON.stringify(choice.value) === JSON.stringify(value))?.value;
    case 'list':
      return (value as unknown[]).map((item) => throughForm(schema['items'] as Schema, item, root));
    case 'object':
      return Object.entries(schema['properties'] as Record<string, Schema>).reduce<object>(
        (object, [key, member]) =>
          form.withMember(object, key, throughForm(member, (value as Record<string, unknown>)[key], root)),
        {},
      );
    case 'union': {
      const branches = form.branchesOf(schema);
      return throughForm(branches[form.branchFor(branches, value, root)] ?? {}, value, root);
    }
    case 'boolean':
    case 'null':
      return value;
    default:
      return form.valueOf(kind, form.textOf(value));
  }
}

it('reads back every value that a schema allows', () => {
  fc.assert(
    fc.property(pair, ({ schema, value }) => {
      expect(throughForm(schema, value, schema)).toEqual(value);
      expect(form.fits(form.resolved(schema, schema), value, schema)).toBe(true);
    }),
    { numRuns: 300 },
  );
});

it('starts with the required members, their defaults, and nothing else', () => {
  const schema = {
    type: 'object',
    properties: {
      title: { type: 'string' },
      kind: { enum: ['a', 'b'], default: 'b' },
      sure: { type: 'boolean' },
      tags: { type: 'array', items: { type: 'string' } },
      at: { $ref: '#/$defs/Place' },
      more: { type: 'object', properties: {} },
    },
    required: ['title', 'sure', 'tags', 'at'],
    $defs: { Place: { type: 'object', properties: { type: { const: 'place' } }, required: ['type'] } },
  };
  expect(form.firstValue(schema, schema)).toEqual({ kind: 'b', sure: false, tags: [], at: { type: 'place' } });
});

it('ends for schemas that refer to themselves', () => {
  const schema = {
    $ref: '#/$defs/Node',
    $defs: { Node: { type: 'object', properties: { next: { $ref: '#/$defs/Node' } }, required: ['next'] } },
  };
  expect(form.firstValue(schema, schema)).toBeDefined();
  const loop = { $ref: '#' };
  expect(form.kindOf(form.resolved(loop, loop))).toBe('json');
});

it.each([
  [{ type: 'integer', minimum: 1, maximum: 5 }, '1..5'],
  [{ type: 'string', minLength: 2 }, 'at least 2 characters'],
  [{ type: 'string', pattern: '^a+$', format: 'date' }, 'like ^a+$, date'],
  [{ type: 'array', maxItems: 3 }, 'at most 3 items'],
  [{ type: 'string' }, ''],
])('says what a field accepts', (schema, words) => {
  expect(form.limitsOf(schema)).toBe(words);
});

it('leaves out what is emptied, and keeps what is no number yet', () => {
  expect(form.valueOf('number', '')).toBeUndefined();
  expect(form.valueOf('number', '1e')).toBe('1e');
  expect(form.withMember({ a: 1, b: 2 }, 'a', undefined)).toEqual({ b: 2 });
});
