/** A server that wants to own the terminal of whoever looks at it: every word that it says holds control sequences. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWithTerminal, sigil, Terminal } from './terminal';

jest.setTimeout(150_000);

const hostile = join(__dirname, 'fixtures', 'hostile.mjs');
const ESCAPE = '\u001b';
const ENTER = '\r';
const DOWN = '\u001b[B';

/** What our own prompts, styles and status lines write; the server's sequences hold a number that none of ours has. */
// eslint-disable-next-line no-control-regex -- they are what this is about
const OURS = /\u001b\[\??(?!7331)\d*(?:;\d+)*[ABCDGJKhlm]/g;
// eslint-disable-next-line no-control-regex -- they are what this is about
const OBEYED = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
/** A terminal ends lines with CR and LF, and our status lines and prompts with neither. */
const BARE_RETURN = /\r(?!\n|\r)[^\n]*evil/;

/** The server's sequences are shown, and none of them arrived as what it is. */
function expectShown(bytes: string): void {
  const rest = bytes.replace(OURS, '');
  expect(rest).not.toMatch(OBEYED);
  expect(rest).not.toMatch(BARE_RETURN);
  expect(bytes.replace(/\s/g, '')).toContain('\\u001b[7331m');
  expect(bytes).not.toContain('\u001b[2J\u009b');
}

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sigil-'));
});
afterAll(() => {
  open.splice(0).forEach((child) => child.kill());
  rmSync(folder, { recursive: true });
});

/** The terminals of one test: a command that hangs must not outlive it. */
const terminals: Terminal[] = [];
function openTerminal(args: readonly string[], size: { columns: number; rows: number }): Terminal {
  const terminal = new Terminal(args, size);
  terminals.push(terminal);
  return terminal;
}
afterEach(() => terminals.splice(0).forEach((terminal) => terminal.kill()));

/** The ways to the same server: a program, and an address. */
const open: ChildProcess[] = [];
const targets: Readonly<Record<'stdio' | 'HTTP', () => Promise<string>>> = {
  stdio: async () => hostile,
  HTTP: () => {
    const child = spawn(process.execPath, [hostile, '--http'], { stdio: ['ignore', 'ignore', 'pipe'] });
    open.push(child);
    return new Promise((resolve) => child.stderr.once('data', (text: Buffer) => resolve(String(text).trim())));
  },
};

describe.each(['stdio', 'HTTP'] as const)('over %s', (way) => {
  let target: string;
  beforeAll(async () => {
    target = await targets[way]();
  });
  describeWithTerminal('a terminal shows what a server says, and obeys none of it', () => {
    it.each([
      ['all that it lists', ['inspect', 'TARGET'], 0],
      ['all that it lists, as JSON', ['inspect', 'TARGET', '--json'], 0],
      ['its types', ['types', 'TARGET'], 0],
      ['a result of every kind, its logs and its progress', ['call', 'TARGET', 'text'], 0],
      ['a result as JSON', ['call', 'TARGET', 'text', '--json'], 0],
      ['a structured result', ['call', 'TARGET', 'json'], 0],
      ['the failure of a tool', ['call', 'TARGET', 'fail'], 1],
      ['an error of the protocol', ['call', 'TARGET', 'refuse'], 3],
      ['the names of its tools', ['call', 'TARGET', 'nothing-of-this-name'], 2],
      ['arguments that are not there', ['call', 'TARGET', 'needy', 'needx=1'], 2],
      ['the values of an argument', ['call', 'TARGET', 'choosy', 'pick=one'], 2],
      ['a resource', ['read', 'TARGET', 'test://a'], 0],
      ['the messages of a prompt', ['prompt', 'TARGET', 'ask'], 0],
      ['what it asks of a model', ['call', 'TARGET', 'sample', '--answer', 'sampling=ok'], 0],
    ])('%s', async (_, args, status) => {
      const words = [...args.map((word) => (word === 'TARGET' ? target : word)), ...output(args)];
      const terminal = openTerminal(words, { columns: 120, rows: 400 });
      expect(await terminal.exit).toBe(status);
      expectShown(terminal.bytes);
    });

    it('the names of arguments, as questions and as an error', async () => {
      const terminal = openTerminal(['call', target, 'needy'], { columns: 120, rows: 400 });
      await terminal.sees('\\u001b');
      terminal.press(ESCAPE);
      expect(await terminal.exit).toBe(2);
      expectShown(terminal.bytes);
    });

    it('a form, from its question to what is wrong with an answer', async () => {
      const terminal = openTerminal(['call', target, 'form', '--output', folder], { columns: 200, rows: 400 });
      await terminal.sees('Name\\u001b');
      terminal.press(`x${ENTER}`);
      await terminal.sees('It must be');
      terminal.press(`y${ENTER}`);
      await terminal.sees('A\\u001b');
      terminal.press(`${DOWN}${ENTER}`);
      expect(await terminal.exit).toBe(0);
      expectShown(terminal.bytes);
    });

    it.each([
      ['an address', 'visit', 'Open it in a browser.'],
      ['a question for a model', 'sample', 'What does the model answer?'],
    ])('%s', async (_, tool, question) => {
      const terminal = openTerminal(['call', target, tool, '--output', folder], { columns: 200, rows: 400 });
      await terminal.sees(question);
      terminal.press(ENTER);
      await terminal.exit;
      expectShown(terminal.bytes);
    });
  });

  it('says what it asks where there is no terminal to ask at, and a pipe can be looked at later', async () => {
    for (const tool of ['form', 'visit', 'sample']) {
      const { stderr } = await sigil(['call', target, tool, '--output', folder]);
      expect(stderr).toContain('Declined: ');
      expectShown(stderr);
    }
  });

  it.each([
    ['call', 'files'],
    ['read', `test://${'long'.repeat(2500)}`],
  ])('writes all files of a result, whatever they are called, or none (sigil %s)', async (command, what) => {
    const out = join(folder, `${way}-${command}`);
    const { status, stdout } = await sigil([command, target, what, '--output', out]);
    expect(status).toBe(0);
    expect(stdout.match(/^Saved /gm)).toHaveLength(8);
    expect(readdirSync(out).sort()).toEqual(
      ['CON-1', 'a-b-1', 'a-b-2', 'dots-1', `${'long'.repeat(15)}-1`, 'owned-1', 'same-1', 'same-2'].map(
        (name) => `${name}.png`,
      ),
    );
    for (const name of readdirSync(out)) expect(readFileSync(join(out, name), 'utf8')).toBe('bytes');
    // A file stands where the folder of another would be.
    const failed = await sigil([command, target, what, '--output', join(out, 'CON-1.png')]);
    expect(failed).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining('[SIGIL_CLI_OUTPUT]\n') });
    expect(readdirSync(out)).toHaveLength(8);
  });

  it('hands a program what the server said as it is', async () => {
    const { stdout } = await sigil(['call', target, 'text', '--output', folder]);
    expect(stdout).toContain('Hello\u001b[7331m');
    const read = await sigil(['read', target, 'test://a']);
    expect(read.stdout).toContain('read\u001b[7331m');
    const { stdout: json } = await sigil(['call', target, 'json', '--json']);
    expect(Object.keys(JSON.parse(json) as object)[0]).toMatch(/^key\u001b\[7331m/); // eslint-disable-line no-control-regex -- it is what this is about
  });
});

describeWithTerminal('a terminal obeys no program that serves', () => {
  it.each([
    ['what it writes to stderr', ['call', hostile, 'text', '--verbose'], 0],
    ['what it writes to stdout beside its messages', ['call', hostile, 'chat'], 0],
    ['its last words', ['call', hostile, 'die'], 4],
  ])('%s', async (_, args, status) => {
    const terminal = openTerminal([...args, '--output', folder], { columns: 120, rows: 400 });
    expect(await terminal.exit).toBe(status);
    // Colours are taken away from what programs log; everything else is shown.
    expectShown(terminal.bytes);
    expect(terminal.bytes).toContain('\\u001b]0;owned\\u0007');
  });

  it.each([
    ['what each of its texts costs', ['inspect', '--cost'], 0],
    ['what is wrong with its definitions', ['check'], 1],
  ])('%s', async (_, words, status) => {
    const args = [...words, '--', process.execPath, hostile];
    const terminal = openTerminal(args, { columns: 120, rows: 400 });
    expect(await terminal.exit).toBe(status);
    const rest = terminal.bytes.replace(OURS, '');
    expect(rest).not.toMatch(OBEYED);
    expect(rest).not.toMatch(BARE_RETURN);
    expect(rest).toContain('\\u001b]0;owned\\u0007');
  });

  it('a denial over HTTP, whose words are shown and whose challenge is put in ours', async () => {
    const terminal = openTerminal(['call', await targets.HTTP(), 'deny'], { columns: 120, rows: 400 });
    expect(await terminal.exit).toBe(3);
    expectShown(terminal.bytes);
    const shown = terminal.bytes.replace(/\s/g, '');
    expect(shown).toContain('deniedtherequest(HTTP403):No\\u001b[7331m');
    expect(shown).not.toContain('realm=');
  });
});

/** Results of tools are written to files, which belong into the folder of the test. */
function output(args: readonly string[]): readonly string[] {
  return ['inspect', 'types'].includes(args[0] ?? '') ? [] : ['--output', folder];
}

it.each([['check'], ['inspect'], ['inspect', '--cost'], ['call', 'deep']])(
  'an answer that is nested too deeply ends sigil %s with a sentence',
  async (...words) => {
    const [command = '', ...rest] = words;
    const ran = await sigil([command, ...rest, '--', process.execPath, join(__dirname, 'fixtures', 'deep.mjs')]);
    expect(ran.status).toBe(3);
    expect(ran.stderr).toContain("The server's answer violates the protocol: it is nested too deeply to be read.");
    expect(ran.stderr).not.toContain('    at ');
  },
);
