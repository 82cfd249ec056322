/** The check of the language: which turns it finds, and what it leaves alone. */
import { callScript } from './call-script';

const found = (path: string, text: string): unknown =>
  callScript('plain-english/find-turns.mjs', 'findTurns', path, text);

it('finds a turn with its line, and says what to write instead', () => {
  expect(found('docs/page.md', 'Fine.\nAsk whoever calls.\n')).toEqual([
    { line: 2, turn: 'whoever', instead: expect.stringContaining('caller') },
  ]);
});

it.each(['How to mend it.', 'There is nothing anew.', 'It comes over HTTP.', 'A book that there is not.'])(
  'does not let "%s" pass',
  (text) => {
    expect(found('docs/page.md', text)).toHaveLength(1);
  },
);

it.each([
  ['code', 'Call `mend()` first.'],
  ['an address', 'See https://example.com/whoever.'],
  ['the target of a link', '[Fix it](mend.md)'],
  ['a block of code of a page', '```ts\nmend();\n```\n'],
])('leaves %s alone', (_what, text) => {
  expect(found('docs/page.md', text)).toEqual([]);
});
