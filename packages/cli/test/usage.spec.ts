/** What is typed wrongly: one exit status, one voice, and the help. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT_STATUSES } from '../src/exit-status';
import { createProgram } from '../src/run-cli';
import { Shell } from '../src/terminal/shell';
import { runCaptured, runCapturedIn } from '../../../test/support/captured-cli';
import { TemporaryFolders } from '../../../test/support/temporary-folder';

const folders = new TemporaryFolders();
afterEach(() => folders.removeAll());

const COMMANDS = createProgram(new Shell()).commands.map((command) => command.name());

describe('wrong usage has exit status 2', () => {
  it.each<[string, string]>([
    [
      'inspcet',
      'There is no command "inspcet". [SIGIL_CLI_USAGE_COMMAND]\nCheck its name. Did you mean inspect? The command sigil --help lists all of them.\n',
    ],
    [
      'help inspcet',
      'There is no command "inspcet". [SIGIL_CLI_USAGE_COMMAND]\nCheck its name. Did you mean inspect? The command sigil --help lists all of them.\n',
    ],
    [
      'inspcet --help',
      'There is no command "inspcet". [SIGIL_CLI_USAGE_COMMAND]\nCheck its name. Did you mean inspect? The command sigil --help lists all of them.\n',
    ],
    [
      'inspect --jsno',
      'sigil inspect has no option --jsno. [SIGIL_CLI_USAGE_OPTION]\nCheck its name. Did you mean --json? The command sigil inspect --help lists all of them.\n',
    ],
    [
      '--jsno',
      'sigil has no option --jsno. [SIGIL_CLI_USAGE_OPTION]\nCheck its name. The command sigil --help lists all of them.\n',
    ],
    [
      'explain',
      'sigil explain needs the argument <code>. [SIGIL_CLI_USAGE_MISSING]\nWrite it as: sigil explain [options] <code...>\n',
    ],
    [
      'token',
      'sigil token needs the argument <url>. [SIGIL_CLI_USAGE_MISSING]\nWrite it as: sigil token [options] <url>\n',
    ],
    [
      'add tol x',
      'kind cannot be "tol". [SIGIL_CLI_USAGE_VALUE]\nUse another value. Did you mean tool? Allowed values: tool, resource, prompt, view, feature, skill, openapi.\n',
    ],
    [
      'new x --transport carrier',
      '-t, --transport <transport> cannot be "carrier". [SIGIL_CLI_USAGE_VALUE]\nUse another value. Allowed values: stdio, http, both.\n',
    ],
    [
      'call . x --timeout soon',
      '--timeout <seconds> cannot be "soon". [SIGIL_CLI_USAGE_VALUE]\nUse another value. It is a number of seconds, such as 10.\n',
    ],
    [
      'call . x -H bad',
      "-H, --header <'name: value'> cannot be \"bad\". [SIGIL_CLI_USAGE_VALUE]\nUse another value. Write it as 'name: value'.\n",
    ],
    [
      "call . x --timeout it's",
      '--timeout <seconds> cannot be "it\'s". [SIGIL_CLI_USAGE_VALUE]\nUse another value. It is a number of seconds, such as 10.\n',
    ],
    [
      'call --timeout',
      'The option --timeout <seconds> has no value. [SIGIL_CLI_USAGE_VALUE_MISSING]\nWrite the value after it.\n',
    ],
    [
      'build a b',
      'sigil build does not take "b". [SIGIL_CLI_USAGE_EXCESS]\nUse only these arguments: sigil build [options] [entry]\n',
    ],
  ])('of sigil %s, with what is wrong, its code and the fix', async (line, said) => {
    const { status, stdout, stderr } = await runCaptured(...line.split(' '));
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    if (said !== '') expect(stderr).toBe(said);
  });

  it('of another program that runs sigil new, with the command that the user typed', async () => {
    const { status, stderr } = await runCapturedIn({ typed: 'npm run new --' }, 'new', 'notes', '--', '--yes', 'x');
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr:
        'npm run new -- does not take "--yes", "x". [SIGIL_CLI_USAGE_EXCESS]\n' +
        'Use only these arguments: npm run new -- [options] [folder]\n',
    });
    expect((await runCapturedIn({ typed: 'npm run new --' }, 'new', '--help')).stdout).toMatch(
      /^Usage: npm run new -- \[options\] \[folder\]\n/,
    );
    expect((await runCapturedIn({ typed: 'npm run new --' }, 'new', '--jsno')).stderr).toMatch(
      /^npm run new -- has no option/,
    );
  });

  it('of sigil alone, with the help', async () => {
    const { status, stderr } = await runCaptured();
    expect(status).toBe(2);
    expect(stderr).toContain('Usage: sigil');
  });

  it.each(COMMANDS)('of sigil %s with an option that it does not have', async (command) => {
    const { status, stderr } = await runCaptured(command, '--no-such-option');
    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining('[SIGIL_CLI_USAGE_OPTION]') });
  });

  it.each([
    ['call'],
    ['prompt', 'http://127.0.0.1:1'],
    ['read', 'a', 'b', 'c'],
    ['call', '--header', 'x'],
    ['explain', 'NOTHING'],
    ['new', 'Not A Name'],
    ['token', 'ftp://x'],
    ['dev', 'no-such-file.ts'],
    ['dev', '--port', '99999', '--http'],
    ['dev', '--port', 'abc'],
    ['build', 'no-such-file.ts'],
  ])('of sigil %s %s', async (...words) => {
    expect(await runCaptured(...words)).toMatchObject({ status: 2, stderr: expect.stringMatching(/ \[SIGIL_\w+\]\n/) });
  });
});

describe('--json', () => {
  it.each([
    ['inspect', '--json', 'no-such-file.js'],
    ['call', 'no-such-file.js', 'x', '--json'],
    ['read', 'no-such-file.js', 'a://b', '--json'],
    ['prompt', 'no-such-file.js', 'x', '--json'],
  ])('makes the errors of sigil %s JSON on stdout', async (...words) => {
    const { status, stdout, stderr } = await runCaptured(...words);
    expect({ status, stderr, error: JSON.parse(stdout) }).toEqual({
      status: 4,
      stderr: '',
      error: {
        error: {
          code: 'SIGIL_CLI_TARGET_FILE',
          message: 'There is no file "no-such-file.js".',
          fix: expect.stringMatching(/^Check the path\./),
          page: 'https://sigil-mcp.github.io/sigil/e/SIGIL_CLI_TARGET_FILE',
          exitCode: 4,
        },
      },
    });
  });

  it.each([
    ['doctor', '--json', '/no/such/folder'],
    ['explain', '--json', 'NOTHING'],
    ['docs', '--json', '--no-such-option'],
  ])('does so for sigil %s, and for wrong usage', async (...words) => {
    const { status, stdout, stderr } = await runCaptured(...words);
    expect({ stderr, error: JSON.parse(stdout) }).toMatchObject({ stderr: '', error: { error: { exitCode: status } } });
  });
});

describe('the help', () => {
  it('of sigil has groups, examples, every exit status and the address of the documentation', async () => {
    const { status, stdout } = await runCaptured('--help');
    expect(status).toBe(0);
    expect(stdout.match(/^\S.*:$/gm)).toEqual([
      'Options:',
      'Create:',
      'Develop:',
      'Hand it on:',
      'Use a server:',
      'Help:',
      'Examples:',
      'Exit status:',
    ]);
    for (const [code] of EXIT_STATUSES) expect(stdout).toMatch(new RegExp(`^ {2}${code} `, 'm'));
    expect(stdout).toMatch(/^Documentation: https:\S+\/cli$/m);
  });

  it.each(['inspect', 'call', 'read', 'prompt'])(
    'of sigil %s has the shared options under their own heading',
    async (name) => {
      const { stdout } = await runCaptured(name, '--help');
      const [own, shared] = stdout.split('\nConnection:\n');
      expect(own).not.toContain('--timeout');
      expect(shared).toMatch(/^ {2}--timeout/);
      expect(stdout).not.toContain('words');
    },
  );

  it('of sigil token offers only what a sign-in uses', async () => {
    const { stdout } = await runCaptured('token', '--help');
    expect(stdout).toContain('<url>');
    expect(stdout).not.toMatch(/--answer|--token <|--sign-in/);
  });

  it.each(COMMANDS)('of sigil %s ends with the address of the documentation', async (name) => {
    expect((await runCaptured(name, '--help')).stdout).toMatch(/\nDocumentation: https:\S+\n$/);
  });
});

it('has the exit statuses of the documentation', () => {
  const page = readFileSync(join(__dirname, '..', '..', '..', 'docs', 'cli.md'), 'utf8');
  const [, table = ''] = /\| exit status \| meaning \|\n\| --- \| --- \|\n((?:\|.*\n)+)/.exec(page) ?? [];
  expect(table).toBe(EXIT_STATUSES.map(([code, meaning]) => `| ${code} | ${meaning} |\n`).join(''));
});
