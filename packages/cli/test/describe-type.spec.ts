/** A schema in words. */
import { describeConstraints, describeType } from '../src/arguments/describe-type';
import { findUnsaid } from '../src/arguments/find-unsaid';
import { SchemaView } from '../src/arguments/json-schema';
import { schemaRows } from '../src/inspect/schema-rows';
import { stylesFor } from '../src/terminal/styles';

it.each([
  [{ type: 'string' }, 'string'],
  [{ type: ['integer', 'null'] }, 'integer | null'],
  [{ type: 'array', items: { type: 'number' } }, 'number[]'],
  [{ type: 'array', items: { enum: ['a', 'b'] } }, '("a" | "b")[]'],
  [{ type: 'array' }, 'any[]'],
  [{ const: 5 }, '5'],
  [{ anyOf: [{ type: 'string' }, { type: 'string' }, { type: 'null' }] }, 'string | null'],
  [{ properties: { a: {} } }, 'object'],
  [{}, 'any'],
  [{ type: ['string', 'number', 'boolean', 'object', 'array'] }, 'any but null'],
  [true, 'any'],
  [{ $ref: '#/$defs/a', $defs: { a: { type: 'boolean' } } }, 'boolean'],
  [{ $ref: '#' }, 'any'],
  [{ anyOf: [{ $ref: '#' }, { $ref: '#' }] }, 'any'],
  [{ oneOf: [{ const: 'a', title: 'The A' }, { const: 'b' }] }, '"a" | "b"'],
  [{ $ref: '#/nowhere' }, 'any'],
])('names the type of %j', (schema, name) => {
  expect(describeType(SchemaView.of(schema))).toBe(name);
});

it.each([
  [{ type: 'integer', minimum: 1, maximum: 14 }, 'from 1 to 14'],
  [{ type: 'number', exclusiveMinimum: 0, multipleOf: 0.5 }, 'more than 0, a multiple of 0.5'],
  [{ type: 'string', minLength: 2, maxLength: 60 }, '2 to 60 characters'],
  [{ type: 'string', minLength: 2 }, 'at least 2 characters'],
  [{ type: 'string', maxLength: 9, format: 'email' }, 'email, at most 9 characters'],
  [{ type: 'string', minLength: 3, maxLength: 3 }, 'exactly 3 characters'],
  [
    { type: 'array', minItems: 1, uniqueItems: true, items: { minLength: 1 } },
    'at least 1 items, no duplicates, each: at least 1 characters',
  ],
  [{ type: 'string' }, ''],
])('says what %j keeps a value to', (schema, words) => {
  expect(describeConstraints(SchemaView.of(schema)).join(', ')).toBe(words);
});

it('takes a reference that leads nowhere, or is none, for anything', () => {
  for (const $ref of ['#/%zz', '#/$defs/none', 'https://example.com/x', '#', '#/__proto__/x']) {
    expect(describeType(SchemaView.of({ $ref }))).toBe('any');
  }
});

it.each([
  [{}, 'of any type'],
  [{ description: 'whatever' }, 'of any type'],
  [{ type: ['string', 'number', 'boolean', 'object', 'array'], minLength: 1 }, 'of any type'],
  [{ anyOf: [{ type: 'string' }, {}] }, 'of any type'],
  [{ type: 'array' }, 'with items of any type'],
  [{ type: ['array', 'null'], items: {} }, 'with items of any type'],
  [{ type: 'object' }, 'with any properties'],
  [{ type: 'object', additionalProperties: {} }, 'with any properties'],
  [{ type: 'object', additionalProperties: { type: 'number' } }, undefined],
  [{ type: 'object', additionalProperties: false }, undefined],
  [{ type: 'object', properties: { a: {} } }, undefined],
  [{ type: 'array', items: { type: 'string' } }, undefined],
  [{ anyOf: [{ $ref: '#' }, { $ref: '#' }] }, undefined],
  [{ enum: ['a', 1] }, undefined],
  [{ type: ['string', 'number'] }, undefined],
])('marks what %j leaves to guess', (schema, words) => {
  expect(findUnsaid(SchemaView.of(schema))).toBe(words);
});

it('is marked in the table of sigil inspect', () => {
  const schema = {
    properties: { data: {}, names: { type: 'array', description: 'Whose' }, count: { type: 'integer' } },
  };
  const rows = schemaRows(SchemaView.of(schema), {
    styles: stylesFor(process.stdout, {}),
    isResult: false,
    shownElsewhere: () => undefined,
  });
  expect(rows.map((cells) => cells.map(({ text }) => text))).toEqual([
    ['data', 'any', 'optional', '! of any type'],
    ['names', 'any[]', 'optional', 'Whose (! with items of any type)'],
    ['count', 'integer', 'optional', ''],
  ]);
});
