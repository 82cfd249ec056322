/** The command line as a person meets it: a process with pipes, or at a real pseudo-terminal whose screen is read. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type * as NodePty from 'node-pty';
import { ownEnvironment, withoutAddress, type Ran, type RunOptions } from '../../support/command-line';
import { loadPseudoTerminal } from '../../support/supplies/pseudo-terminal';
import { describeWith } from '../../support/supplies/supply';
import { until } from '../../support/until';

export { sigil, type Ran } from '../../support/command-line';

const program = join(__dirname, '..', '..', '..', 'packages', 'cli', 'dist', 'main.js');

const isWindows = process.platform === 'win32';

/** How long a text is waited for, milliseconds: a busy machine takes its time, and what never comes ends all the same. */
const PATIENCE = 50_000;

/** A command that hangs fails its test instead of holding up all of them, milliseconds. */
const LONGEST_LIFE = 110_000;

/** How a program is run. */
export interface SpawnOptions extends Omit<RunOptions, 'signal' | 'onStderr' | 'clock'> {
  /** Called with what stderr holds whenever there is more, and the id of the process. */
  readonly onStderr?: (text: string, pid: number) => void;
}

/** Runs the program `sigil` without a terminal: what has to be a process, or is about processes. `sigil` runs the others. */
export async function spawnSigil(
  args: readonly string[],
  { cwd, env, input, onStderr }: SpawnOptions = {},
): Promise<Ran> {
  const child = spawn(process.execPath, [program, ...args], { cwd, env: { ...ownEnvironment(), ...env } });
  let stdout = '';
  let stderr = '';
  setTimeout(() => child.kill('SIGKILL'), LONGEST_LIFE).unref();
  child.stdin.on('error', () => undefined).end(input);
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    onStderr?.(stderr, child.pid ?? 0);
  });
  const [status] = (await once(child, 'close')) as [number | null];
  return { status, stdout, stderr: withoutAddress(stderr) };
}

/**
 * Runs a program, and says on the terminal how it has ended. Then it waits: once nobody has a terminal open any more, what was not
 * read of it is lost, because libuv takes the hang-up for the end. Ctrl-C is for the program.
 */
const SHELL = `trap : INT; "$@"; printf '\\033]777;%s\\007' $?; read -r _`;
/** What it says then. */
// eslint-disable-next-line no-control-regex -- they are what this is about
const ENDED = /\u001b\]777;(\d+)\u0007$/;

/** `sigil` at a pseudo-terminal. */
export class Terminal {
  /** The status of the command, once all that it wrote was read. */
  readonly exit: Promise<number>;
  readonly #pty: NodePty.IPty;
  readonly #screen: Screen;
  #seen = '';

  constructor(args: readonly string[], { columns = 80, rows = 40, env = {}, cwd = process.cwd() } = {}) {
    const environment = { ...ownEnvironment(), TERM: 'xterm-256color', NO_COLOR: '', ...env };
    const options = { cols: columns, rows, env: environment, cwd };
    const command = [process.execPath, program, ...args];
    // Windows has no such shell, and needs none: its terminals are read by something else.
    const [file = '', ...words] = isWindows ? command : ['/bin/sh', '-c', SHELL, 'sh', ...command];
    this.#pty = loadPseudoTerminal().spawn(file, words, options);
    this.#screen = new Screen(columns);
    this.exit = new Promise((resolve) => {
      this.#pty.onExit(({ exitCode }) => resolve(exitCode));
      this.#pty.onData((text) => {
        const status = this.#take(text);
        if (status === undefined) return;
        resolve(status);
        this.kill();
      });
    });
  }

  /** What stands on the screen, without colours and empty space. */
  get screen(): string {
    return this.#screen.text;
  }

  /** Every byte that came. */
  get bytes(): string {
    return this.#seen;
  }

  /** Waits until a text stands on the screen. */
  async sees(text: string): Promise<void> {
    await until(() => this.screen.includes(text), PATIENCE).catch(() => {
      throw new Error(`There was no "${text}" on the screen:\n${this.screen}`);
    });
  }

  /** Presses keys. */
  press(keys: string): void {
    this.#pty.write(keys);
  }

  /** Ends what a failed test left. */
  kill(): void {
    try {
      // The shell, and the command that it runs.
      if (isWindows) this.#pty.kill();
      else process.kill(-this.#pty.pid, 'SIGKILL');
    } catch {
      // They have ended.
    }
  }

  /** Returns the status of the command where it has ended. */
  #take(text: string): number | undefined {
    this.#seen += text;
    this.#screen.write(text);
    const ended = ENDED.exec(this.#seen);
    if (!ended) return undefined;
    this.#seen = this.#seen.slice(0, ended.index);
    return Number(ended[1]);
  }
}

/** A `describe` for what needs a pseudo-terminal. */
export function describeWithTerminal(title: string, suite: () => void): void {
  describeWith('pseudo-terminal', title, suite);
}

/** A control sequence, or characters without any. */
// eslint-disable-next-line no-control-regex -- they are what this is about
const TOKEN = /\u001b\[(\??[\d;]*)([A-Za-z])|\u001b\][^\u0007]*\u0007|\u001b.|[\r\n\b]|[^\u001b\r\n\b]+/g;

/** The beginning of a control sequence whose rest is yet to come. */
// eslint-disable-next-line no-control-regex -- they are what this is about
const BEGUN = /\u001b(?:\[\??[\d;]*|\][^\u0007]*)?$/;

/** As much of a terminal as the command line uses: lines, cursor movements, erasing. */
export class Screen {
  readonly #lines: string[][] = [[]];
  #row = 0;
  #column = 0;
  #begun = '';

  constructor(private readonly columns: number) {}

  get text(): string {
    const lines = this.#lines.map((line) =>
      Array.from(line, (character) => character ?? ' ')
        .join('')
        .trimEnd(),
    );
    return lines.join('\n').trimEnd();
  }

  /** Writes what has come, wherever it was cut. */
  write(text: string): void {
    const all = this.#begun + text;
    this.#begun = BEGUN.exec(all)?.[0] ?? '';
    for (const [token, count, letter] of all.slice(0, all.length - this.#begun.length).matchAll(TOKEN)) {
      if (letter !== undefined) this.#control(letter, count ?? '');
      else if (token === '\r') this.#column = 0;
      else if (token === '\n') this.#row++;
      else if (token === '\b') this.#column = Math.max(0, this.#column - 1);
      else if (!token.startsWith('\u001b')) this.#type(token);
      while (this.#lines.length <= this.#row) this.#lines.push([]);
    }
  }

  #type(text: string): void {
    for (const character of text) {
      if (this.#column >= this.columns) {
        this.#column = 0;
        this.#row++;
      }
      while (this.#lines.length <= this.#row) this.#lines.push([]);
      this.#lines[this.#row]![this.#column++] = character;
    }
  }

  #control(letter: string, count: string): void {
    const number = Number(count) || 1;
    const line = (this.#lines[this.#row] ??= []);
    if (letter === 'A') this.#row = Math.max(0, this.#row - number);
    else if (letter === 'B') this.#row += number;
    else if (letter === 'C') this.#column = Math.min(this.columns - 1, this.#column + number);
    else if (letter === 'D') this.#column = Math.max(0, this.#column - number);
    else if (letter === 'G') this.#column = number - 1;
    else if (letter === 'K') line.splice(count === '2' ? 0 : this.#column);
    else if (letter === 'J') {
      line.splice(this.#column);
      this.#lines.splice(this.#row + 1);
    }
  }
}
