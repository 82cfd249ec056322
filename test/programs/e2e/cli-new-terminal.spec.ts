/** `sigil new` at a terminal: its questions, and Ctrl-C at each stage. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describeWithTerminal, Terminal } from './terminal';

jest.setTimeout(150_000);

const ENTER = '\r';
const DOWN = '\u001b[B';
const CTRL_C = '\u0003';

describeWithTerminal('sigil new at a terminal', () => {
  const open: Terminal[] = [];
  let folder = '';

  const start = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Terminal => {
    const terminal = new Terminal(['new', ...args], { columns: 240, env });
    open.push(terminal);
    return terminal;
  };
  /** A search path whose npm, or another program, does what the script says. */
  const pathWith = (script: string, program = 'npm'): Record<string, string> => {
    const bin = join(folder, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, program), `#!/bin/sh\n${script}\n`);
    chmodSync(join(bin, program), 0o755);
    return { PATH: `${bin}:${process.env['PATH']}` };
  };
  const isAlive = (pid: number): boolean => {
    try {
      process.kill(pid, 0);
      return true;
    } catch {
      return false;
    }
  };

  beforeEach(() => void (folder = realpathSync(mkdtempSync(join(tmpdir(), 'sigil new ')))));
  afterEach(() => {
    open.splice(0).forEach((terminal) => terminal.kill());
    rmSync(folder, { recursive: true, force: true });
  });

  it('asks what no flag says, and writes what was answered', async () => {
    // Only package managers that are installed are offered.
    const terminal = start(['--no-install'], pathWith('echo 10.0.0', 'pnpm'));
    await terminal.sees('What is it called?');
    terminal.press(`${join(folder, 'Bad Name')}${ENTER}`);
    await terminal.sees('How about bad-name?');
    terminal.press(`${'\u007f'.repeat('Bad Name'.length)}notes${ENTER}`);
    await terminal.sees('How do clients reach it?');
    terminal.press(`${DOWN}${ENTER}`);
    await terminal.sees('What is in it?');
    terminal.press(ENTER);
    await terminal.sees('Who may call it over HTTP?');
    terminal.press(ENTER);
    await terminal.sees('Which package manager?');
    await terminal.sees('○ pnpm');
    terminal.press(ENTER);
    await terminal.sees('Which kind of modules?');
    terminal.press(`${DOWN}${ENTER}`);
    await terminal.sees('Make it a git repository?');
    terminal.press(`n`);
    expect(await terminal.exit).toBe(0);
    expect(terminal.screen).toContain('notes is ready:');
    // One frame holds the questions and the work, and nothing is done after it is closed.
    const frame = terminal.screen.slice(terminal.screen.indexOf('┌'), terminal.screen.indexOf('notes is ready:'));
    expect(frame.match(/[┌└].*/g)).toEqual(['┌  A new MCP server', '└  Done.']);
    expect(frame).toContain('│\n◇  Wrote notes: HTTP, 25 files\n│\n└  Done.\n');
    expect(existsSync(join(folder, 'notes', 'Dockerfile'))).toBe(true);
    expect(existsSync(join(folder, 'notes', '.git'))).toBe(false);
    expect(readFileSync(join(folder, 'notes', 'package.json'), 'utf8')).toContain('"type": "module"');
  });

  it('Ctrl-C at the first question ends it, with nothing written', async () => {
    const terminal = start(['--no-install']);
    await terminal.sees('What is it called?');
    terminal.press(CTRL_C);
    expect(await terminal.exit).toBe(130);
    expect(terminal.screen).toMatch(/\n└\n\nStopped\.\nNothing was written\./);
  });

  it('Ctrl-C during the installation ends npm and all that it started, and says how to finish', async () => {
    const pids = join(folder, 'pids');
    const env = pathWith(`sleep 60 &\necho "$$ $!" > '${pids}'\nwait`);
    const terminal = start([join(folder, 'notes'), '--yes', '--no-git', '-p', 'npm'], env);
    await terminal.sees('◇  Wrote notes: stdio, 22 files\n│\n');
    await terminal.sees('Installing with npm');
    while (!existsSync(pids) || !readFileSync(pids, 'utf8').includes('\n')) await delay(20);
    terminal.press(CTRL_C);
    expect(await terminal.exit).toBe(130);
    expect(terminal.screen).toContain(
      `notes is written, but the installation was stopped.\nFinish it with: cd '${join(folder, 'notes')}' && npm install`,
    );
    // What npm started is dead with it, and takes a moment to disappear.
    const started = readFileSync(pids, 'utf8').trim().split(' ').map(Number);
    expect(started).toHaveLength(2);
    while (started.some(isAlive)) await delay(20);
    expect(existsSync(join(folder, 'notes', 'package.json'))).toBe(true);
  });

  it('Ctrl-C while it compiles says that, and not that packages are missing', async () => {
    const env = pathWith(`[ "$1" = install ] && exit 0\nsleep 60`);
    const terminal = start([join(folder, 'notes'), '--yes', '--no-git', '-p', 'npm'], env);
    await terminal.sees('Compiling');
    terminal.press(CTRL_C);
    expect(await terminal.exit).toBe(130);
    expect(terminal.screen).toContain(
      `notes is installed, but compiling it was stopped.\nFinish it with: cd '${join(folder, 'notes')}' && npm run build`,
    );
  });
});
