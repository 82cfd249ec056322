/** Commands with packages of their own: found by their names, listed without them, and offered if they are not installed. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { Command } from 'commander';
import { CapturedText } from '../../../test/support/captured-text';
import { runCaptured } from '../../../test/support/captured-cli';
import { loadBuilt } from '../../../test/support/command-line';
import { TemporaryFolders } from '../../../test/support/temporary-folder';
import { OUTSIDE_COMMANDS, type CommandPackage } from '../src/command-packages/command-package';
import type * as OpenCommand from '../src/command-packages/open-command';
import { offerPackage } from '../src/command-packages/open-command';
import { loadPackage, OWN_PLACE } from '../src/project/find-project';
import type * as Shells from '../src/terminal/shell';
import { Shell } from '../src/terminal/shell';

const folders = new TemporaryFolders();
afterEach(() => folders.removeAll());

const NAMES = Object.entries(OUTSIDE_COMMANDS);

describe.each(NAMES)('sigil %s', (name, { package: home, usage, summary }) => {
  it('takes the arguments that the help lists without its package', () => {
    const command = new Command();
    loadPackage<CommandPackage>(home, [OWN_PLACE])?.commands[name]?.(command, new Shell());
    expect(command.usage()).toBe(usage);
    expect(command.options).not.toEqual([]);
  });

  it('is in the help, and has a help of its own', async () => {
    const [first = '', ...rest] = name.split(' ');
    const list = await runCaptured(...(rest.length > 0 ? [first, '--help'] : ['--help']));
    expect(list.stdout.replace(/\s+/g, ' ')).toContain(summary);
    const own = await runCaptured('help', ...name.split(' '));
    const same = await runCaptured(...name.split(' '), '--help');
    expect(same.stdout).toContain(`Usage: sigil ${name} ${usage}`);
    if (rest.length === 0) expect(own.stdout).toBe(same.stdout);
  });
});

/** A program on the built command line, in which no package of commands is installed. */
const WITHOUT = `
  const Module = require('node:module');
  const resolve = Module._resolveFilename;
  let sought = 0;
  Module._resolveFilename = (name, ...rest) => {
    if (!/^@sigil-mcp\\/(openapi|migrate|publish|install|inspector)$|^gpt-tokenizer/.test(name)) return resolve(name, ...rest);
    sought++;
    throw Object.assign(new Error("Cannot find module '" + name + "'"), { code: 'MODULE_NOT_FOUND' });
  };
  const { Readable, Writable } = require('node:stream');
  const { runCli } = require('./packages/cli/dist/index.js');
  const run = async (...words) => {
    let said = '';
    const stream = () => new Writable({ write: (text, _, done) => ((said += text), done()) });
    const given = { stdin: Readable.from([]), stdout: stream(), stderr: stream(), cwd: process.argv[1], env: {} };
    const status = await runCli(words, { ...given, signal: new AbortController().signal });
    return { status, said, sought };
  };
  (async () => {
    const lines = [['--version'], ['--help'], ['migrate', 'x'], ['help', 'pack'], ['complete', '--', 'publish', '--'], ['dev', 'a.js'], ['inspect', '--cost', 'a.js'], ['check', '--budget', '9', 'a.js'], ['check', process.cwd() + '/apps/weather/dist/server.js']];
    const ran = [];
    for (const words of lines) ran.push(await run(...words));
    console.log(JSON.stringify(ran));
  })();`;

describe('without these packages', () => {
  let ran: readonly { readonly status: number; readonly said: string; readonly sought: number }[];
  beforeAll(() => {
    const folder = mkdtempSync(join(tmpdir(), 'sigil-without-'));
    writeFileSync(join(folder, 'package.json'), '{}');
    writeFileSync(join(folder, 'a.js'), 'setInterval(() => undefined, 1000);');
    const { stdout, stderr } = spawnSync(process.execPath, ['-e', WITHOUT, folder], {
      cwd: join(__dirname, '..', '..', '..'),
      encoding: 'utf8',
    });
    rmSync(folder, { recursive: true, force: true });
    if (stdout === '') throw new Error(stderr);
    ran = JSON.parse(stdout) as typeof ran;
  });

  it('has a version and a help, for which none of them is looked for', () => {
    expect(ran.slice(0, 2)).toEqual([
      { status: 0, said: expect.stringMatching(/^\d/), sought: 0 },
      { status: 0, said: expect.stringContaining('migrate <from> [folder]'), sought: 0 },
    ]);
  });

  it('ends a command with what installs it', () => {
    expect(ran[2]).toMatchObject({
      status: 1,
      said: expect.stringContaining('Install it first: npm install --save-dev @sigil-mcp/migrate@0.1.0'),
    });
  });

  it('says in the help of a command where its options are', () => {
    expect(ran[3]).toMatchObject({ status: 0, said: expect.stringContaining('in the package @sigil-mcp/publish') });
  });

  it('completes nothing of a command', () => {
    expect(ran[4]?.status).toBe(0);
    expect(ran[4]?.said).not.toContain('--check');
  });

  it('runs a server without its page', () => {
    expect(ran[5]?.said).toContain(
      'no page: install its package with npm install --save-dev @sigil-mcp/inspector@0.1.0',
    );
  });

  it('says how to get the tokenizer where a command is about tokens, and estimates elsewhere', () => {
    const missing = { status: 1, said: expect.stringContaining('npm install --save-dev gpt-tokenizer') as unknown };
    expect(ran.slice(6, 8)).toEqual([expect.objectContaining(missing), expect.objectContaining(missing)]);
    expect(ran[8]?.said).toMatch(/weather: \d tools, about \d+ tokens, /);
  });
});

describe('a package that is not installed', () => {
  const offered = (files: Readonly<Record<string, string>>): Promise<unknown> => {
    const shell = new Shell({ cwd: folders.make(files), stderr: new CapturedText(), env: {} });
    return offerPackage(shell, { name: 'migrate', package: '@sigil-mcp/migrate' });
  };

  it('is named without a terminal, with the command that installs it', async () => {
    expect(loadPackage('no-such-package', [OWN_PLACE, join(folders.make(), 'package.json')])).toBeUndefined();
    await expect(offered({ 'package.json': '{}' })).rejects.toMatchObject({
      code: 'SIGIL_CLI_PACKAGE',
      message: 'sigil migrate is in the package @sigil-mcp/migrate, which is not installed.',
      fix: 'Install it first: npm install --save-dev @sigil-mcp/migrate@0.1.0',
    });
  });

  it.each([
    ['pnpm-lock.yaml', 'pnpm add --save-dev'],
    ['yarn.lock', 'yarn add --dev'],
    ['bun.lock', 'bun add --dev'],
  ])('is installed by the package manager of %s', async (lock, command) => {
    await expect(offered({ 'package.json': '{}', [lock]: '' })).rejects.toMatchObject({
      fix: `Install it first: ${command} @sigil-mcp/migrate@0.1.0`,
    });
  });
});

describe('a package that is offered at a terminal', () => {
  /** Answers the question in a project whose npm ends with a status. @returns what npm was called with */
  async function answer(keys: string, status = 0): Promise<string> {
    const folder = folders.make({
      'package.json': '{}',
      'bin/npm': `#!/bin/sh\necho "$@" > called\necho "npm error Out of coffee."\nexit ${status}\n`,
    });
    chmodSync(join(folder, 'bin', 'npm'), 0o755);
    const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined });
    let isAnswered = false;
    const stderr = new CapturedText(true, 80, (text) => {
      if (isAnswered || !text.includes('Install it')) return;
      isAnswered = true;
      setImmediate(() => stdin.write(keys));
    });
    const env = { PATH: `${join(folder, 'bin')}${delimiter}${process.env['PATH'] ?? ''}` };
    // Node loads them: jest cannot load what draws the question.
    const built = loadBuilt<typeof OpenCommand>('packages/cli/dist/command-packages/open-command.js');
    const { Shell: BuiltShell } = loadBuilt<typeof Shells>('packages/cli/dist/terminal/shell.js');
    const shell = new BuiltShell({ cwd: folder, stdin, stderr, env, signal: new AbortController().signal });
    await built.offerPackage(shell, { name: 'migrate', package: '@sigil-mcp/migrate' });
    return readFileSync(join(folder, 'called'), 'utf8');
  }

  it('is installed if the user wants it', async () => {
    expect(await answer('y')).toBe('install --save-dev @sigil-mcp/migrate@0.1.0\n');
  });

  it('is named if the user does not want it', async () => {
    await expect(answer('n')).rejects.toMatchObject({ code: 'SIGIL_CLI_PACKAGE' });
  });

  it('says why it was not installed', async () => {
    await expect(answer('y', 1)).rejects.toMatchObject({
      code: 'SIGIL_CLI_PACKAGE_FAILED',
      message: '@sigil-mcp/migrate was not installed: npm says "Out of coffee".',
    });
  });
});

it('says what is wrong with a package that is there and cannot be loaded', () => {
  const folder = folders.make({
    'package.json': '{}',
    'node_modules/broken-commands/index.js': "require('no-such-package');",
  });
  expect(() => loadPackage('broken-commands', [join(folder, 'package.json')])).toThrow('no-such-package');
});
