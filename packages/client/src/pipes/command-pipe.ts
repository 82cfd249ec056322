/** The pipe to a program that is started for this client: one message a line, over its stdin and stdout. */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { OPTION_RULES, orNull, settleWithin, withOthers, type OptionRule } from '@sigil-mcp/base';
import { clientError } from '../errors';
import { readJson } from '../json';
import { LONGEST_MESSAGE } from './read-text';
import type { OpenPipe, Pipe, PipeUser } from './pipe';

/** A program that serves MCP over stdio. */
export interface CommandTarget {
  /** The program; it runs without a shell. */
  readonly command: string;
  readonly args?: readonly string[];
  /**
   * Variables of the program. It also inherits `HOME`, `LANG`, `LOGNAME`, `PATH`, `SHELL`, `TERM`, `TMPDIR`, `USER` and what Windows needs
   * to start programs; no others, because they may hold secrets that are not meant for the server.
   */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The working directory of the program; that of this process if left out. */
  readonly cwd?: string;
}

const MEMBERS: Readonly<Record<keyof CommandTarget, OptionRule>> = {
  command: OPTION_RULES.text,
  args: orNull(OPTION_RULES.texts),
  env: orNull(OPTION_RULES.object),
  cwd: orNull({ wanted: 'a path', fits: (value) => typeof value === 'string' || value instanceof URL }),
};
/** For the one check of options: an entry of a file of an application has others, such as `type` and `disabled`. */
export const COMMAND_TARGET = withOthers(MEMBERS, { needs: 'command' });

/** Milliseconds that a program has to end on its own, and again after SIGTERM. */
const PATIENCE = 2000;
/** Milliseconds in which the output of a program arrives that has ended. */
const LAST_OUTPUT = 500;
/** How many lines of stderr an error quotes. */
const QUOTED_LINES = 10;
/** How many of the last characters of stderr are kept. */
const KEPT_OUTPUT = 1_000_000;
/** The variables that a program inherits. */
const INHERITED = [
  ...['HOME', 'LANG', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'TMPDIR', 'USER'],
  ...['APPDATA', 'HOMEDRIVE', 'HOMEPATH', 'LOCALAPPDATA', 'PATHEXT', 'PROCESSOR_ARCHITECTURE', 'PROGRAMFILES'],
  ...['SYSTEMDRIVE', 'SYSTEMROOT', 'TEMP', 'TMP', 'USERNAME', 'USERPROFILE', 'WINDIR'],
];

/** Starts the program when the client asks for the pipe. */
export function commandPipe(target: CommandTarget): OpenPipe {
  return (user) => new CommandPipe(target, user);
}

class CommandPipe implements Pipe {
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #ended: Promise<void>;
  #stderr = '';
  /** The parts of a line whose end has not arrived. */
  #begun: string[] = [];
  #begunLength = 0;
  /** The reason why no more messages will come; undefined while the program runs. */
  #over: Error | undefined;

  constructor(
    private readonly target: CommandTarget,
    private readonly user: PipeUser,
  ) {
    const { command, args, env, cwd } = target;
    this.#process = spawn(command, args ?? [], { stdio: 'pipe', env: { ...inherited(), ...env }, ...(cwd && { cwd }) });
    const closed = new Promise<void>((resolve) => this.#process.once('close', () => resolve()));
    this.#ended = new Promise((resolve) => this.#process.once('exit', () => resolve()));
    this.#process.once('error', (error) => this.#end(this.#notStarted(error)));
    this.#process.once('exit', (code, signal) => {
      this.#leave(closed, () => this.#died(code, signal)).catch((error: Error) => this.user.fault(error));
    });
    this.#process.stdout.setEncoding('utf8').on('data', (text: string) => this.#read(text));
    this.#process.stderr.setEncoding('utf8').on('data', (text: string) => this.#keepOutput(text));
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
    this.#over ??= clientError('SIGIL_CLIENT_CLOSED');
    if (this.#process.pid === undefined) return;
    this.#process.stdin.end();
    if (await settleWithin(PATIENCE, this.#ended)) return;
    this.#process.kill('SIGTERM');
    if (await settleWithin(PATIENCE, this.#ended)) return;
    this.#process.kill('SIGKILL');
    await this.#ended;
  }

  get #name(): string {
    const { command, args } = this.target;
    return `\`${[command, ...(args ?? [])].join(' ')}\``;
  }

  #keepOutput(text: string): void {
    this.#stderr = (this.#stderr + text).slice(-KEPT_OUTPUT);
  }

  #read(text: string): void {
    if (this.#over) return;
    const [first = '', ...others] = text.split('\n');
    this.#begun.push(first);
    this.#begunLength += first.length;
    if (this.#begunLength > LONGEST_MESSAGE) return this.#stop();
    for (const next of others) {
      this.#take(this.#begun.join(''));
      this.#begun = [next];
      this.#begunLength = next.length;
    }
  }

  #take(line: string): void {
    if (readJson(line) !== undefined) this.user.receive(line);
    // An empty line holds no message, and harms nothing.
    else if (line.trim() !== '') this.user.fault(this.#stray(line));
  }

  /** Reads the last output of a program that has ended; programs that it has left behind may keep its pipes open. */
  async #leave(closed: Promise<void>, reason: () => Error): Promise<void> {
    await settleWithin(LAST_OUTPUT, closed);
    this.#end(reason());
    for (const stream of this.#process.stdio) stream?.destroy();
  }

  /** A program that writes a line without end is stopped, because the line would fill the memory. */
  #stop(): void {
    this.#begun = [];
    this.#end(clientError('SIGIL_CLIENT_LONG_MESSAGE', { limit: LONGEST_MESSAGE }));
    this.#process.kill('SIGKILL');
  }

  #end(error: Error): void {
    if (this.#over) return;
    this.#over = error;
    this.user.end(error);
  }

  #stray(line: string): Error {
    const quoted = JSON.stringify(line.slice(0, 200));
    return clientError('SIGIL_CLIENT_STRAY_LINE', { program: this.#name, line: quoted });
  }

  #notStarted({ message }: Error): Error {
    const { cwd } = this.target;
    const folder = cwd === undefined ? '' : ` in ${cwd}`;
    return clientError('SIGIL_CLIENT_NOT_STARTED', { program: this.#name, folder, reason: message });
  }

  #died(code: number | null, signal: NodeJS.Signals | null): Error {
    const how = code === null ? `by the signal ${signal ?? 'unknown'}` : `with exit code ${code}`;
    const lines = this.#stderr.trimEnd().split('\n').slice(-QUOTED_LINES).join('\n');
    return clientError('SIGIL_CLIENT_PROGRAM_ENDED', { program: this.#name, how, stderr: lines || '(nothing)' });
  }
}

function inherited(): Record<string, string> {
  const names = Object.keys(process.env).filter((name) => INHERITED.includes(name.toUpperCase()));
  return Object.fromEntries(names.map((name) => [name, process.env[name] ?? '']));
}
