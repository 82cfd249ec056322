/** The pipe to a program that is started for this client: one message a line, over its stdin and stdout. */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { settleWithin } from '@sigil-mcp/core/adapter';
import { readJson } from '../json';
import type { OpenPipe, Pipe, PipeUser } from './pipe';
import { testingError } from '../errors';

/** A program that serves MCP over stdio. */
export interface CommandTarget {
  /** The program; it runs without a shell. */
  readonly command: string;
  readonly args?: readonly string[];
  /** Variables that are added to the environment of the test process. */
  readonly env?: Readonly<Record<string, string>>;
  /** The working directory of the program; that of the test process if left out. */
  readonly cwd?: string;
}

/** Milliseconds that a program has to end on its own, and again after SIGTERM. */
const PATIENCE = 2000;
/** How many lines of stderr an error quotes. */
const QUOTED_LINES = 10;

/** Starts the program when the client asks for the pipe. */
export function commandPipe(target: CommandTarget): OpenPipe {
  return (user) => new CommandPipe(target, user);
}

class CommandPipe implements Pipe {
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #ended: Promise<void>;
  #stderr = '';
  #begun = '';
  /** The reason why no more messages will come; undefined while the program runs. */
  #over: Error | undefined;

  constructor(
    private readonly target: CommandTarget,
    private readonly user: PipeUser,
  ) {
    const { command, args = [], env, cwd } = target;
    this.#process = spawn(command, args, { stdio: 'pipe', env: { ...process.env, ...env }, ...(cwd && { cwd }) });
    this.#ended = new Promise((resolve) => this.#process.once('close', () => resolve()));
    this.#process.once('error', (error) => this.#end(this.#notStarted(error)));
    this.#process.once('close', (code, signal) => this.#end(this.#died(code, signal)));
    this.#process.stdout.setEncoding('utf8').on('data', (text: string) => this.#read(text));
    this.#process.stderr.setEncoding('utf8').on('data', (text: string) => (this.#stderr += text));
    // The end of the program reports that the server is gone.
    this.#process.stdin.on('error', () => undefined);
  }

  send(text: string): void | Promise<void> {
    if (!this.#over) this.#process.stdin.write(`${text}\n`);
    else return Promise.reject(this.#over);
  }

  stderr(): string {
    return this.#stderr;
  }

  async close(): Promise<void> {
    this.#over ??= testingError('SIGIL_TEST_CLOSED');
    if (this.#process.pid === undefined) return;
    this.#process.stdin.end();
    if (await settleWithin(PATIENCE, this.#ended)) return;
    this.#process.kill('SIGTERM');
    if (await settleWithin(PATIENCE, this.#ended)) return;
    this.#process.kill('SIGKILL');
    await this.#ended;
  }

  get #name(): string {
    const { command, args = [] } = this.target;
    return `\`${[command, ...args].join(' ')}\``;
  }

  #read(text: string): void {
    const lines = (this.#begun + text).split('\n');
    this.#begun = lines.pop() ?? '';
    for (const line of lines) {
      if (readJson(line) !== undefined) this.user.receive(line);
      else this.user.fail(this.#stray(line));
    }
  }

  #end(error: Error): void {
    if (this.#over) return;
    this.#over = error;
    this.user.fail(error);
  }

  #stray(line: string): Error {
    const quoted = JSON.stringify(line.slice(0, 200));
    return testingError('SIGIL_TEST_STRAY_LINE', { program: this.#name, line: quoted });
  }

  #notStarted({ message }: Error): Error {
    const { cwd } = this.target;
    const folder = cwd === undefined ? '' : ` in ${cwd}`;
    return testingError('SIGIL_TEST_NOT_STARTED', { program: this.#name, folder, reason: message });
  }

  #died(code: number | null, signal: NodeJS.Signals | null): Error {
    const how = code === null ? `by the signal ${signal ?? 'unknown'}` : `with exit code ${code}`;
    const lines = this.#stderr.trimEnd().split('\n').slice(-QUOTED_LINES).join('\n');
    return testingError('SIGIL_TEST_PROGRAM_ENDED', { program: this.#name, how, stderr: lines || '(nothing)' });
  }
}
