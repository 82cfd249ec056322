/** A command line in one text. */
import * as fc from 'fast-check';
import { splitCommandLine } from '../src/targets/split-command-line';

it.each([
  ['node server.js', ['node', 'server.js']],
  ['  node   server.js  ', ['node', 'server.js']],
  ['node "my server.js" --port 3000', ['node', 'my server.js', '--port', '3000']],
  [`sh -c 'echo "hi" there'`, ['sh', '-c', 'echo "hi" there']],
  ['a"b c"d', ['ab cd']],
  [String.raw`a\ b "c\"d" 'e\f' "g\h"`, ['a b', 'c"d', String.raw`e\f`, String.raw`g\h`]],
  [`run '' ""`, ['run', '', '']],
  ['', []],
])('cuts %s as a shell does', (line, words) => {
  expect(splitCommandLine(line)).toEqual(words);
});

it.each([`node 'server.js`, 'node "server.js', 'node \\'])('says that %s is not closed', (line) => {
  expect(() => splitCommandLine(line)).toThrow('not closed');
});

it('gives back whatever was quoted', () => {
  const word = fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\0', ''));
  fc.assert(
    fc.property(fc.array(word), (words) => {
      const quoted = words.map((text) => `'${text.replaceAll("'", String.raw`'\''`)}'`).join(' ');
      expect(splitCommandLine(quoted)).toEqual(words);
    }),
  );
});
