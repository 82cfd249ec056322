/** From words to the arguments of a tool. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CliFailure } from '../src/failure';
import { SchemaView } from '../src/arguments/json-schema';
import { readArguments, requireAll } from '../src/arguments/read-arguments';

const SCHEMA = {
  type: 'object',
  properties: {
    text: { type: 'string' },
    days: { type: 'integer', minimum: 1, maximum: 14 },
    share: { type: 'number' },
    fine: { type: 'boolean' },
    taste: { type: 'string', enum: ['hot', 'mild', 'cold'] },
    level: { enum: [1, 2] },
    cities: { type: 'array', items: { type: 'string' } },
    numbers: { type: 'array', items: { type: 'number' } },
    place: { $ref: '#/$defs/place' },
    either: { anyOf: [{ type: 'string' }, { type: 'number' }] },
    maybe: { type: ['integer', 'null'] },
    'dotted.name': { type: 'string' },
    anything: {},
  },
  additionalProperties: false,
  $defs: {
    place: {
      type: 'object',
      properties: { city: { type: 'string' }, at: { type: 'object', properties: { lat: { type: 'number' } } } },
      required: ['city'],
    },
  },
};

const view = SchemaView.of(SCHEMA);
const read = (...words: string[]): Record<string, unknown> => readArguments(words, view, 'The tool t');

function failureOf(...words: string[]): CliFailure {
  try {
    requireAll(read(...words), view, 'The tool t');
  } catch (error) {
    if (error instanceof CliFailure) return error;
  }
  throw new Error('It did not fail.');
}

it.each([
  [['text=5'], { text: '5' }],
  [['text=a=b'], { text: 'a=b' }],
  [['text='], { text: '' }],
  [['days=3', 'share=0.5', 'fine=true'], { days: 3, share: 0.5, fine: true }],
  [['share=-1e3'], { share: -1000 }],
  [['taste=hot', 'level=2'], { taste: 'hot', level: 2 }],
  [['cities=Oslo'], { cities: ['Oslo'] }],
  [['cities=Oslo', 'cities=Rome'], { cities: ['Oslo', 'Rome'] }],
  [['cities=["Oslo","Rome"]'], { cities: ['Oslo', 'Rome'] }],
  [['numbers=1', 'numbers=2'], { numbers: [1, 2] }],
  [['place.city=Oslo', 'place.at.lat=59.9'], { place: { city: 'Oslo', at: { lat: 59.9 } } }],
  [['place={"city":"Oslo"}'], { place: { city: 'Oslo' } }],
  [['either=5'], { either: 5 }],
  [['either=five'], { either: 'five' }],
  [['maybe=null'], { maybe: null }],
  [['maybe=7'], { maybe: 7 }],
  [['dotted.name=x'], { 'dotted.name': 'x' }],
  [['anything=[1]'], { anything: [1] }],
  [['anything=plain'], { anything: 'plain' }],
  [['{"text":"a","days":2}'], { text: 'a', days: 2 }],
  [['{"text":"a"}', 'text=b'], { text: 'b' }],
])('reads %j by the types of the schema', (words, expected) => {
  expect(read(...words)).toEqual(expected);
});

it('reads a file for @file, and takes @@ for an @', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sigil-'));
  writeFileSync(join(folder, 'notes.txt'), 'two\nlines');
  expect(read(`text=@${join(folder, 'notes.txt')}`)).toEqual({ text: 'two\nlines' });
  expect(read('text=@@here')).toEqual({ text: '@here' });
  expect(failureOf(`text=@${join(folder, 'none.txt')}`).message).toContain('cannot be read');
  rmSync(folder, { recursive: true });
});

it.each([
  [['days=abc'], '"days" cannot be "abc": its type is integer.', 'Pass it as days=<integer, from 1 to 14>.'],
  [['days=1.5'], '"days" cannot be "1.5": its type is integer.', 'Pass it as days=<integer, from 1 to 14>.'],
  [['days='], '"days" cannot be "": its type is integer.', 'Pass it as days=<integer, from 1 to 14>.'],
  [['fine=yes'], '"fine" cannot be "yes": its type is boolean.', 'Pass it as fine=<boolean>.'],
  [['taste=hott'], '"taste" cannot be "hott".', 'Did you mean hot? Allowed values: hot, mild, cold.'],
  [['level=9'], '"level" cannot be "9": its type is 1 | 2.', 'Pass it as level=<1 | 2>.'],
  [['numbers=1', 'numbers=x'], '"numbers" cannot be "x": its type is number.', 'Pass it as numbers=<number>.'],
  [['place=Oslo'], '"place" cannot be "Oslo": its type is object.', 'Pass it as place=<object>.'],
  [['text=a', 'text=b'], '"text" is given 2 times, but takes one value.', 'Pass it once.'],
  [['texd=a'], 'The tool t has no argument "texd".', 'Check its arguments. Did you mean text?'],
  [['{"texd":"a"}'], 'The tool t has no argument "texd".', 'Check its arguments. Did you mean text?'],
  [['place.citty=a'], '"place" has no argument "citty".', 'Check its arguments. Did you mean city?'],
  [['place.at.lat=1'], '"place" needs "city".', 'Add city=<string>.'],
])('says of %j what is wrong and how to fix it', (words, message, fix) => {
  expect(failureOf(...words)).toMatchObject({ message, fix, exitCode: 2 });
});

it('names every required argument that is missing', () => {
  const two = SchemaView.of({ properties: { a: { type: 'string' }, b: { type: 'integer' } }, required: ['a', 'b'] });
  expect(() => requireAll({}, two, 'The tool t')).toThrow('The tool t needs "a" and "b".');
});

it('reads what no schema describes as JSON, or else as text', () => {
  const args = readArguments(['a=1', 'b=x', 'c.d=true'], SchemaView.of({ type: 'object' }), 'The tool t');
  expect(args).toEqual({ a: 1, b: 'x', c: { d: true } });
});

it('puts a key such as __proto__ where it was meant, and nowhere else', () => {
  const args = readArguments(['__proto__={"x":1}'], SchemaView.of({ type: 'object' }), 'The tool t');
  expect(Object.keys(args)).toEqual(['__proto__']);
  expect(Object.getPrototypeOf(args)).toBe(Object.prototype);
});
