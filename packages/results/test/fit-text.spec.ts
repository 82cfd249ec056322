/** Where a text is cut, and how much of it is looked at for that. */
import { fitText } from '../src/served/parts';

it.each([
  ['fits', 'one two', 0, 7, 7],
  ['has a line in its second half', 'one\ntwo three', 0, 6, 4],
  ['has a word in its second half', 'one two three', 0, 9, 8],
  ['has a word in its first half alone', 'a bcdefghijk', 0, 8, 8],
  ['has a word exactly in the middle', 'abc defgh', 0, 8, 8],
  ['has a word right behind the middle', 'abcd efgh!', 0, 8, 5],
  ['goes on', 'one two three', 4, 5, 8],
  ['would be cut within a character', 'ab\u{1f600}cd', 0, 3, 2],
  ['would be cut within its first character', 'ab\u{1f600}cd', 2, 1, 4],
])('cuts a text that %s', (_what, text, from, room, end) => {
  expect(fitText(text, from, room)).toBe(end);
});

it('looks at the second half of a part alone, so that all parts of a text are work for its length', () => {
  const lastIndexOf = jest.spyOn(String.prototype, 'lastIndexOf');
  const text = 'x'.repeat(100_000);
  let parts = 0;
  for (let from = 0; from < text.length; parts += 1) from = fitText(text, from, 1000);
  const looked = lastIndexOf.mock.contexts.reduce((sum: number, each) => sum + String(each).length, 0);
  lastIndexOf.mockRestore();
  expect(parts).toBe(100);
  expect(looked).toBeLessThanOrEqual(text.length);
});
