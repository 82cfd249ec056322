/** Forms of a server, and the answers that were given beforehand. */
import { answerForm, problemWith, readForm } from '../src/questions/form';

const FORM = {
  type: 'object',
  properties: {
    name: { type: 'string', title: 'Name', minLength: 2 },
    email: { type: 'string', format: 'email' },
    age: { type: 'integer', minimum: 18, default: 30 },
    one: { type: 'string', oneOf: [{ const: 'a', title: 'The A' }, { const: 'b' }] },
    old: { type: 'string', enum: ['x', 'y'], enumNames: ['The X', 'The Y'] },
    many: { type: 'array', items: { anyOf: [{ const: 'a', title: 'The A' }] } },
    sure: { type: 'boolean' },
  },
  required: ['name', 'age'],
};
const fields = readForm(FORM);
const field = (name: string): (typeof fields)[number] => fields.find((one) => one.name === name)!;

it('reads every kind of field', () => {
  expect(fields.map(({ name, kind }) => [name, kind])).toEqual([
    ['name', 'text'],
    ['email', 'text'],
    ['age', 'integer'],
    ['one', 'one'],
    ['old', 'one'],
    ['many', 'many'],
    ['sure', 'boolean'],
  ]);
  expect(field('old').choices).toEqual([
    { value: 'x', label: 'The X' },
    { value: 'y', label: 'The Y' },
  ]);
  expect(field('many').choices).toEqual([{ value: 'a', label: 'The A' }]);
});

it('takes the answers that are for the form, by its types, and its defaults', () => {
  const answers = { name: ['Jo'], one: ['The A'], many: ['a'], sure: ['true'], other: ['1'] };
  expect(answerForm(fields, answers)).toEqual({
    content: { name: 'Jo', age: 30, one: 'a', many: ['a'], sure: true },
    missing: [],
    used: true,
  });
});

it('says what has neither an answer nor a default', () => {
  expect(answerForm(fields, {})).toEqual({ content: {}, missing: ['name'], used: false });
});

it('refuses an answer of another type', () => {
  expect(() => answerForm(fields, { age: ['old'] })).toThrow('"age" cannot be "old": its type is integer.');
  expect(() => answerForm(fields, { one: ['c'] })).toThrow('"one" cannot be "c"');
});

it.each([
  ['name', '', 'This field is required.'],
  ['name', 'J', 'It must be: at least 2 characters.'],
  ['name', 'Jo', undefined],
  ['email', '', undefined],
  ['email', 'nowhere', 'It must be: email.'],
  ['age', '17', 'It must be: integer, at least 18.'],
  ['age', '18.5', 'It must be: integer, at least 18.'],
  ['age', '18', undefined],
])('judges what is typed for %s: "%s"', (name, text, problem) => {
  expect(problemWith(field(name), text)).toBe(problem);
});
