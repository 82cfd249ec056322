/** Answers of clients that were shown several choices as one text. */
import type { FormSchema } from '@sigil-mcp/protocol';
import { formContentReader } from '../src/reading/read-form-content';
import type { WireRules } from '../src/rules/wire-rules';

const KNOWN = ['red', 'green', 'blue, dark', 'blue, dark, and deep'];
const form: FormSchema = {
  type: 'object',
  properties: { colours: { type: 'array', items: { type: 'string', enum: KNOWN } } },
};
const read = formContentReader({ formFields: 'plain' } as WireRules);
const coloursIn = (text: string): unknown => read(form, { colours: text })['colours'];

it.each([
  ['red, green', ['red', 'green']],
  ['blue, dark', ['blue, dark']],
  ['red,blue, dark, and deep , green', ['red', 'blue, dark, and deep', 'green']],
  ['blue, light', ['blue', 'light']],
  [' , red,', ['red']],
])('finds the longest choices in %s', (text, colours) => {
  expect(coloursIn(text)).toEqual(colours);
});

it('reads the choices once, and not for each part of a text', () => {
  const split = jest.spyOn(String.prototype, 'split');
  coloursIn('red,'.repeat(5000));
  const times = split.mock.calls.length;
  split.mockRestore();
  expect(times).toBeLessThan(10);
});
