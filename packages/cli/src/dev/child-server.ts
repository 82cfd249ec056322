/** The server under development: one process, from its start to its end. */
import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { Duplex } from 'node:stream';
import { join } from 'node:path';
import { systemClock, type Clock } from '@sigil-mcp/base';
import type { Crash } from '../causes/crash-report';
import { LastOutput } from '../causes/last-output';
import { readLines } from '../read-lines';

/** The program of a server, its arguments and its environment. */
export interface ChildOptions {
  readonly program: string;
  readonly args: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  /** Whether the server uses its stdin and stdout for the protocol; if not, its output goes to stderr. */
  readonly speaks: boolean;
  /** Receives what the requests of the server do inside; they are not watched if left out. */
  readonly watcher?: RequestWatcher | undefined;
  /** The file in which its calls are recorded; none if left out. */
  readonly recording?: string | undefined;
  /** Measures how long the server takes to end; the system clock if left out. */
  readonly clock?: Clock | undefined;
}

/** Watches the requests inside of a server. */
export interface RequestWatcher {
  /** A server has started. @param tell tells it what a page wants, as a line @returns what takes its lines */
  attach(tell: (line: string) => void): WatchedChild;
}

/** Takes what one server reports. */
export interface WatchedChild {
  /** Takes a line of `report-requests.ts`. */
  take(line: string): void;
  /** The server has ended: there are no more lines. */
  end(): void;
}

/** The end of a process: its exit code, or the signal that ended it. */
export interface ChildEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Milliseconds to wait for the last output of a server that has ended: its children may hold its stdout open for ever. */
const LAST_OUTPUT = 200;

/** The compiled module that reports an uncaught error of the server to us; the same for our sources and our build. */
const REPORT_CRASH = join(__dirname, '..', '..', 'dist', 'causes', 'report-crash.js');

/** The compiled module that reports what requests do inside. */
const REPORT_REQUESTS = join(__dirname, '..', '..', 'dist', 'dev', 'report-requests.js');

/** The compiled module that records calls, in a file that it knows by a variable of the environment. */
const RECORD_CALLS = join(__dirname, '..', '..', 'dist', 'replay', 'record-program.js');
const RECORDING = 'sigil_recording_file';

/** Code that runs in the server's process before the server: without a pipe, a server notices in no other way that we were killed. */
const WATCH_PARENT = `
  const parent = ${process.pid};
  const look = () => process.ppid === parent || process.kill(process.pid, 'SIGTERM');
  if (process.ppid === parent) setInterval(look, 500).unref();
`;

/** A running server. */
export class ChildServer {
  readonly ended: Promise<ChildEnd>;
  readonly #process: ChildProcess;
  readonly #errors = new LastOutput();
  readonly #clock: Clock;
  #hasEnded = false;

  /** @param onLine takes each line that it writes to stdout */
  constructor(
    { program, args, environment, speaks, watcher, recording, clock = systemClock }: ChildOptions,
    onLine: (line: string) => void,
  ) {
    this.#clock = clock;
    const watch = `data:text/javascript,${encodeURIComponent(WATCH_PARENT)}`;
    // Stack traces name the sources, not the compiled files.
    const loaded = ['--enable-source-maps', '--import', watch, '--require', REPORT_CRASH];
    if (watcher) loaded.push('--require', REPORT_REQUESTS);
    if (recording !== undefined) loaded.push('--require', RECORD_CALLS);
    const stdio: StdioOptions = speaks ? ['pipe', 'pipe', 'pipe'] : ['ignore', process.stderr, 'pipe'];
    this.#process = spawn(process.execPath, [...loaded, program, ...args], {
      env: { ...environment, ...(recording !== undefined && { [RECORDING]: recording }) },
      stdio: watcher ? [...stdio, 'pipe'] : stdio,
    });
    if (watcher) listen(this.#process, watcher);
    // Unchanged, because it is the author's own program.
    this.#process.stderr?.pipe(this.#errors).pipe(process.stderr, { end: false });
    this.#process.stdin?.on('error', () => undefined); // the server has ended; `exit` below reports it
    if (this.#process.stdout) readLines(this.#process.stdout, { onLine });
    this.ended = new Promise((resolve) => {
      const end = (code: number | null, signal: NodeJS.Signals | null): void => {
        this.#process.stdout?.destroy();
        this.#process.stderr?.destroy();
        this.#errors.end();
        resolve({ code, signal });
      };
      this.#process
        .on('exit', (code, signal) => {
          this.#hasEnded = true;
          setTimeout(end, LAST_OUTPUT, code, signal).unref();
        })
        .on('close', end)
        .on('error', () => {
          this.#hasEnded = true;
          end(null, null);
        });
    });
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** The error that ended the server, if its process reported one. */
  get crash(): Crash | undefined {
    return this.#errors.crash;
  }

  /** The last lines that it wrote to stderr. */
  get lastLines(): readonly string[] {
    return this.#errors.lines;
  }

  send(line: string): void {
    if (!this.#hasEnded) this.#process.stdin?.write(`${line}\n`);
  }

  /** Asks the server to end, and kills it after the deadline; a second call may shorten it. @param patience milliseconds */
  async stop(patience: number): Promise<void> {
    this.#process.stdin?.end();
    // Without a pipe that ends, the server needs a signal.
    if (!this.#process.stdin) this.#process.kill('SIGTERM');
    const kill = (): void => void this.#process.kill('SIGKILL');
    if (patience <= 0) kill();
    const timer = this.#clock.after(patience, kill);
    await this.ended;
    timer.close();
  }
}

/** The end of a process as text, to be read after "ended". */
export function describeEnd({ code, signal }: ChildEnd): string {
  return signal === null ? `with exit code ${code ?? 'unknown'}` : `by ${signal}`;
}

/** Connects a watcher with the pipe on which `report-requests.ts` writes. */
function listen({ stdio }: ChildProcess, watcher: RequestWatcher): void {
  const pipe = stdio[3];
  if (!(pipe instanceof Duplex)) return;
  const child = watcher.attach((line) => void (pipe.writable && pipe.write(`${line}\n`)));
  pipe.on('error', () => undefined);
  readLines(pipe, { onLine: (line) => child.take(line), onEnd: () => child.end() });
}
