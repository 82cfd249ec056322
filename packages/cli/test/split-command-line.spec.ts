/** A command line in one text. */
import * as fc from 'fast-check';
import { splitCommandLine } from '../src/targets/read-target';
import { cpuGrowth } from '../../../test/support/cpu-growth';

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

it.each([
  [String.raw`node src\main.js`, ['node', String.raw`src\main.js`]],
  [String.raw`node node_modules\@scope\a\_b\.c\4.js`, ['node', String.raw`node_modules\@scope\a\_b\.c\4.js`]],
  [String.raw`.\server.cmd ..\data\ x`, [String.raw`.\server.cmd`, '..\\data\\', 'x']],
  [String.raw`C:\node\node.exe C:\apps\server.js`, [String.raw`C:\node\node.exe`, String.raw`C:\apps\server.js`]],
  [
    String.raw`"C:\Program Files\node.exe" "D:\my apps\server.js"`,
    [String.raw`C:\Program Files\node.exe`, String.raw`D:\my apps\server.js`],
  ],
  [
    String.raw`C:\Program Files\nodejs\node.exe src\main.js --x`,
    [String.raw`C:\Program Files\nodejs\node.exe`, String.raw`src\main.js`, '--x'],
  ],
  [String.raw`C:\Program Files (x86)\tool\RUN.CMD`, [String.raw`C:\Program Files (x86)\tool\RUN.CMD`]],
  [String.raw`C:\tools\run build.cmd`, [String.raw`C:\tools\run`, 'build.cmd']],
  [String.raw`C:\tools\a.exe b\c.exe`, [String.raw`C:\tools\a.exe`, String.raw`b\c.exe`]],
  [String.raw`"C:\with a slash\" next`, ['C:\\with a slash\\', 'next']],
  [
    String.raw`\\server\share\run.bat "\\server\my share"`,
    [String.raw`\\server\share\run.bat`, String.raw`\\server\my share`],
  ],
  [
    String.raw`node --in=src\a --cwd "C:\my data"\new`,
    ['node', String.raw`--in=src\a`, '--cwd', String.raw`C:\my data\new`],
  ],
])('leaves the paths of Windows whole in %s', (line, words) => {
  expect(splitCommandLine(line)).toEqual(words);
});

it.each([
  [String.raw`echo \$HOME \*.ts \(a\) \&\& \;`, ['echo', '$HOME', '*.ts', '(a)', '&&', ';']],
  [String.raw`'C:\it'\''s'`, [String.raw`C:\it's`]],
  [String.raw`a\\b`, [String.raw`a\b`]],
])('takes a backslash for one of a shell in %s', (line, words) => {
  expect(splitCommandLine(line)).toEqual(words);
});

it('cuts a long line in linear time', () => {
  const split = (words: number): void =>
    expect(splitCommandLine(`C:\\${'a b\\'.repeat(words)}c`)).toHaveLength(words + 1);
  expect(cpuGrowth(split, 1000, 20_000)).toBeLessThan(5);
});

it.each([`node 'server.js`, 'node "C:\\server.js', 'node "server.js', 'node \\'])(
  'says that %s is not closed',
  (line) => {
    expect(() => splitCommandLine(line)).toThrow('not closed');
  },
);

it('gives back what was quoted', () => {
  const word = fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\0', ''));
  fc.assert(
    fc.property(fc.array(word), (words) => {
      const quoted = words.map((text) => `'${text.replaceAll("'", String.raw`'\''`)}'`).join(' ');
      expect(splitCommandLine(quoted)).toEqual(words);
    }),
  );
});
