/** Commands on Windows: no word of them is read by a shell. Windows is stubbed, and what cmd.exe does to a line is modelled after its documentation. */
import fc from 'fast-check';
import fs, { chmodSync } from 'node:fs';
import { join, win32 } from 'node:path';
import { until } from '../../../test/support/until';
import { runProgram } from '../src/scaffold/run-program';
import { ChildPipe } from '../src/session/child-pipe';
import { startedWords } from '../src/started-words';
import { TemporaryFolders, write } from '../../../test/support/temporary-folder';

const folders = new TemporaryFolders();
const { platform } = process;
const root = folders.make();
const bin = join(root, 'Program Files (x86)', 'a&b');
const env = { Path: `${root}/none;${bin}`, ComSpec: join(bin, 'cmd') };

beforeAll(() => {
  write(root, {
    'Program Files (x86)/a&b/npx.cmd': '',
    'Program Files (x86)/a&b/node.exe': '',
    'Program Files (x86)/a&b/cmd': '#!/bin/sh\nfor word in "$@"; do printf "%s\\n" "$word"; done\n',
  });
  chmodSync(join(bin, 'cmd'), 0o755);
});
/** Files of Windows have backslashes in their paths. */
const { statSync } = fs;
beforeAll(() => {
  const stat = (file: fs.PathLike, options?: fs.StatSyncOptions): unknown =>
    statSync(String(file).replaceAll('\\', '/'), options);
  jest.spyOn(fs, 'statSync').mockImplementation(stat as typeof statSync);
});
afterAll(() => jest.restoreAllMocks());
beforeEach(() => Object.defineProperty(process, 'platform', { value: 'win32' }));
afterEach(() => Object.defineProperty(process, 'platform', { value: platform }));
afterAll(() => folders.removeAll());

const npx = `"${win32.join(bin, 'npx.cmd')}"`;

it.each([
  [['-y', '@you/notes@1.2.3'], '-y @you/notes@1.2.3'],
  [['two words'], '^^^"two^^^ words^^^"'],
  [['a"b'], '^^^"a\\^^^"b^^^"'],
  [['a&calc'], '^^^"a^^^&calc^^^"'],
  [['%PATH%'], '^^^"^^^%PATH^^^%^^^"'],
  [['^1'], '^^^"^^^^1^^^"'],
  [['C:\\a b\\'], '^^^"C:\\a^^^ b\\\\^^^"'],
  [[''], '^^^"^^^"'],
])('a batch file with %j has each of them as a word', (args, written) => {
  expect(startedWords('npx', args, { env, cwd: root })).toEqual({
    command: join(bin, 'cmd'),
    args: ['/d', '/s', '/c', `"${npx} ${written}"`],
    windowsVerbatimArguments: true,
  });
});

it.each(['node', 'node.exe', 'python', join('C:', 'none', 'x.cmd')])('%s is started by itself', (command) => {
  const args = ['a&b', '%PATH%'];
  expect(startedWords(command, args, { env, cwd: root })).toEqual({ command, args, windowsVerbatimArguments: false });
});

it('a batch file is found by its path, and in the folder of the command', () => {
  for (const command of [join(bin, 'npx'), './npx.cmd'])
    expect(startedWords(command, [], { env, cwd: bin }).command).toBe(env.ComSpec);
  expect(startedWords('npx', [], { env: {}, cwd: bin }).command).toBe('npx');
});

it('a word with a line break, where cmd.exe would end, is refused', () => {
  expect(() => startedWords('npx', ['a\ncalc'], { env, cwd: root })).toThrow('npx is a batch file on Windows');
});

it('elsewhere every command is started by itself', () => {
  Object.defineProperty(process, 'platform', { value: 'linux' });
  expect(startedWords('npx', ['a b'], { env, cwd: root })).toMatchObject({ command: 'npx', args: ['a b'] });
});

/** A line as cmd.exe reads it: variables, carets outside of quotes, and what would start another program. */
function readLine(line: string, variables: Readonly<Record<string, string>>): string {
  const expanded = line.replace(/%([^%]+)%/g, (all, name: string) => variables[name] ?? all);
  let isQuoted = false;
  let read = '';
  for (let at = 0; at < expanded.length; at += 1) {
    let letter = expanded.charAt(at);
    if (letter === '^' && !isQuoted) letter = expanded.charAt((at += 1));
    else if (letter === '"') isQuoted = !isQuoted;
    else if (!isQuoted && '&|<>'.includes(letter)) throw new Error(`It is read as another command: ${line}`);
    read += letter;
  }
  return read;
}

/** Arguments as programs of Windows read them. */
function argumentsOf(text: string): string[] {
  const found: string[] = [];
  for (const [, word = ''] of text.matchAll(/ ((?:"(?:\\.|[^"\\])*"|[^ "])+)/g)) {
    const isQuoted = word.startsWith('"');
    const inner = isQuoted ? word.slice(1, -1) : word;
    found.push(
      isQuoted
        ? inner.replace(
            /(\\+)("|$)/g,
            (_all, slashes: string, quote: string) => '\\'.repeat(Math.floor(slashes.length / 2)) + quote,
          )
        : inner,
    );
  }
  return found;
}

/** The words of the program that a batch file starts with `%*`, as `npx.cmd` of Node does: the line is read, and no variables in its arguments. */
function handedOn(words: string): string[] {
  return argumentsOf(readLine(` "C:\\Program Files\\nodejs\\node.exe" "C:\\npx-cli.js"${words}`, {})).slice(2);
}

it('a word that is escaped for one line alone would start a program in the batch file', () => {
  expect(() => handedOn(readLine(' ^"a\\^"^&calc^"', {}))).toThrow('It is read as another command');
  const line = startedWords('npx', ['a"&calc'], { env, cwd: root }).args.at(-1)?.slice(1, -1) ?? '';
  expect(handedOn(readLine(line, {}).slice(npx.length))).toEqual(['a"&calc']);
});

it.each(['a b', 'a=b', 'a^b', 'a&b (c)', '100%PATH%', 'a,b;c'])(
  'the path of a batch file in %j is read as it is, from its folder and with backslashes',
  (folder) => {
    write(root, { [`${folder}/tool.cmd`]: '' });
    for (const cwd of [root, win32.resolve(root)]) {
      const line = startedWords(`./${folder}/tool`, [], { env, cwd }).args.at(-1)?.slice(1, -1) ?? '';
      // What is in quotes is one word, and cmd.exe drops those of a command.
      expect(line.replaceAll('"^%"', '')).toMatch(/^"[^"/]+"$/);
      expect(readLine(line, { PATH: 'expanded' }).replaceAll('"', '')).toBe(win32.join(root, folder, 'tool.cmd'));
    }
  },
);

it('whatever the words are, a program behind a batch file receives them, and nothing else is started', () => {
  const piece = fc.constantFrom(
    'a',
    ' ',
    '"',
    '\\',
    '&',
    '|',
    '<',
    '>',
    '^',
    '%',
    '%PATH%',
    '!',
    '(',
    ')',
    ',',
    ';',
    'é',
    '*',
  );
  const word = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(fc.array(word, { maxLength: 4 }), (words) => {
      const line = startedWords('npx', words, { env, cwd: root }).args.at(-1)?.slice(1, -1) ?? '';
      expect(handedOn(readLine(line, { PATH: 'expanded' }).slice(npx.length))).toEqual(words);
    }),
    { numRuns: 2000 },
  );
});

it('servers and package managers are started so', async () => {
  const line = `"${npx} ^^^"two^^^ words^^^""`;
  const { said } = await runProgram('npx', ['two words'], { cwd: root, env });
  expect(said.split('\n').slice(0, 4)).toEqual(['/d', '/s', '/c', line]);
  const target = { kind: 'command', command: 'npx', args: ['two words'], label: 'npx', cwd: root, env } as const;
  const nothing = () => undefined;
  const user = { receive: nothing, waitsFor: () => false, fail: nothing, fault: nothing, end: nothing };
  const pipe = new ChildPipe(target, user, nothing);
  await until(() => pipe.rubbish.length === 4);
  expect(pipe.rubbish).toEqual(['/d', '/s', '/c', line]);
  await pipe.close();
});
