/** A schema in words. */
import { describeConstraints, describeType } from '../src/arguments/describe-type';
import { SchemaView } from '../src/arguments/json-schema';

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
    'at least 1 items, no two the same, each: at least 1 characters',
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
