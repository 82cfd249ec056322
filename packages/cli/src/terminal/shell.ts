/**
 * What a command has of the shell that starts it: streams, folder, environment, signals and exit status. Nothing else of a command reads
 * them of the process, so that a program can run commands itself, also several at once.
 */
import { systemClock, type Clock } from '@sigil-mcp/base';
import { relative, resolve } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import type { CompileThreads } from '../compile-threads';
import { withOwnSequences } from './own-sequences';
import { show } from './outlet';
import { stylesFor, type Styles } from './styles';

/** A stream to read, which may be a terminal. */
export type Input = Readable & { readonly isTTY?: boolean; setRawMode?(isRaw: boolean): unknown };

/** A stream to write, which may be a terminal. */
export type Output = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** What a program gives a command that it runs; what is left out is that of the process. */
export interface ShellParts {
  /** What the user types; that of the process if left out. */
  readonly stdin?: Input;
  /** Receives what the command answers; that of the process if left out. */
  readonly stdout?: Output;
  /** Receives what is for people alone; that of the process if left out. */
  readonly stderr?: Output;
  /** The current folder, an absolute path; that of the process if left out. */
  readonly cwd?: string;
  /** The variables of the environment; those of the process if left out. */
  readonly env?: NodeJS.ProcessEnv;
  /** Ends the command as Ctrl-C does; the signals of the process do not reach it then. If left out, they do. */
  readonly signal?: AbortSignal;
  /** The time for the limits of `--timeout`, for tests; the time of the machine if left out. */
  readonly clock?: Clock;
  /** The threads that compile projects, for a program that runs several commands, which closes them; if left out, each command has its own. */
  readonly compileThreads?: CompileThreads;
}

/** The signals of a user or the system that end a program, and that it can handle. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The width if the output is not a terminal. */
const PLAIN_WIDTH = 100;
const WIDEST = 140;

/** The shell around one command. */
export class Shell {
  /** The exit status, if the command ends normally. */
  status = 0;
  /** The threads that compile, if they stay for the next time. */
  compileThreads: CompileThreads | undefined;

  constructor(private readonly given: ShellParts = {}) {
    this.compileThreads = given.compileThreads;
  }

  get stdin(): Input {
    return this.given.stdin ?? process.stdin;
  }

  get stdout(): Output {
    return this.given.stdout ?? process.stdout;
  }

  get stderr(): Output {
    return this.given.stderr ?? process.stderr;
  }

  get cwd(): string {
    return this.given.cwd ?? process.cwd();
  }

  get env(): NodeJS.ProcessEnv {
    return this.given.env ?? process.env;
  }

  get clock(): Clock {
    return this.given.clock ?? systemClock;
  }

  /** Whether it has the streams of the process, to which libraries also write. */
  get isOfProcess(): boolean {
    return this.given.stderr === undefined;
  }

  /** Whether a user can answer questions, which are shown on stderr. */
  get canAsk(): boolean {
    return this.stdin.isTTY === true && this.stderr.isTTY === true;
  }

  /** The styles of results, on stdout. */
  get styles(): Styles {
    return stylesFor(this.stdout, this.env);
  }

  /** The styles of everything else, on stderr. */
  get errorStyles(): Styles {
    return stylesFor(this.stderr, this.env);
  }

  /** The cells of a line of a table on stdout. */
  get width(): number {
    const { isTTY, columns } = this.stdout;
    return isTTY ? Math.min(columns || PLAIN_WIDTH, WIDEST) : PLAIN_WIDTH;
  }

  /** The absolute path of what a user typed. */
  path(typed: string): string {
    return resolve(this.cwd, typed);
  }

  /** A path as the user would type it here. */
  shown(path: string): string {
    return relative(this.cwd, path) || path;
  }

  /** Prints one or more lines for users: on stdout. */
  print(text: string): void {
    show(this.stdout, line(text));
  }

  /** Prints one or more lines about the progress of the command: on stderr. */
  report(text: string): void {
    show(this.stderr, line(text));
  }

  /** Prints output that a program may read: unchanged if stdout is a pipe or a file, and made visible at a terminal. */
  printData(text: string): void {
    if (this.stdout.isTTY) this.print(text);
    else this.stdout.write(withOwnSequences(line(text)));
  }

  /** Prints a value as JSON. */
  printJson(value: unknown): void {
    this.printData(JSON.stringify(value, undefined, 2));
  }

  /** Handles the signals that would end the command. @returns removes the handlers */
  hearSignals(listen: (name: NodeJS.Signals) => void, names: readonly NodeJS.Signals[] = SIGNALS): () => void {
    const { signal } = this.given;
    if (signal) {
      const interrupt = (): void => listen('SIGINT');
      if (signal.aborted) interrupt();
      signal.addEventListener('abort', interrupt);
      return () => signal.removeEventListener('abort', interrupt);
    }
    for (const name of names) process.on(name, listen);
    return () => {
      for (const name of names) process.off(name, listen);
    };
  }

  /** Ends the program at once: a second signal does not wait. A program that runs commands itself goes on. */
  exit(status: number): void {
    if (!this.given.signal) process.exit(status);
  }
}

function line(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}
