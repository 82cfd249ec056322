/** The server that is being developed: one process, from its start to its end. */
import { spawn, type ChildProcess } from 'node:child_process';
import { systemClock, type Clock } from '@sigil-mcp/core/adapter';

/** The program of a server, and how it is started. */
export interface ChildOptions {
  readonly program: string;
  readonly args: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  /** Whether the server speaks on its stdin and stdout; if not, what it prints goes to stderr. */
  readonly speaks: boolean;
  /** What tells how long the server takes to end; the time of the machine if left out. */
  readonly clock?: Clock | undefined;
}

/** The end of a process: its exit code, or the signal that ended it. */
export interface ChildEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Milliseconds for the last output of a server that has ended: what it started may keep its stdout open for ever. */
const LAST_OUTPUT = 200;

/** Code that runs before the server does, in its process: a server without a pipe learns no other way that we were killed. */
const WATCH_PARENT = `
  const parent = ${process.pid};
  const look = () => process.ppid === parent || process.kill(process.pid, 'SIGTERM');
  if (process.ppid === parent) setInterval(look, 500).unref();
`;

/** A running server. */
export class ChildServer {
  readonly ended: Promise<ChildEnd>;
  readonly #process: ChildProcess;
  readonly #clock: Clock;
  #hasEnded = false;
  #rest = '';

  /** @param onLine takes each line that it writes to stdout */
  constructor(
    { program, args, environment, speaks, clock = systemClock }: ChildOptions,
    onLine: (line: string) => void,
  ) {
    this.#clock = clock;
    const watch = `data:text/javascript,${encodeURIComponent(WATCH_PARENT)}`;
    // Stacks name the sources, not what was compiled of them.
    this.#process = spawn(process.execPath, ['--enable-source-maps', '--import', watch, program, ...args], {
      env: environment,
      stdio: speaks ? ['pipe', 'pipe', 'inherit'] : ['ignore', process.stderr, 'inherit'],
    });
    this.#process.stdin?.on('error', () => undefined); // it has ended, which is heard of below
    this.#process.stdout?.setEncoding('utf8').on('data', (text: string) => this.#read(text, onLine));
    this.ended = new Promise((resolve) => {
      const end = (code: number | null, signal: NodeJS.Signals | null): void => {
        this.#process.stdout?.destroy();
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

  send(line: string): void {
    if (!this.#hasEnded) this.#process.stdin?.write(`${line}\n`);
  }

  /** Asks it to end, and sees to it; asked again, with the shorter patience. @param patience milliseconds */
  async stop(patience: number): Promise<void> {
    this.#process.stdin?.end();
    // Without a pipe there is nothing whose end would tell it.
    if (!this.#process.stdin) this.#process.kill('SIGTERM');
    const kill = (): void => void this.#process.kill('SIGKILL');
    if (patience <= 0) kill();
    const timer = this.#clock.after(patience, kill);
    await this.ended;
    timer.close();
  }

  #read(text: string, onLine: (line: string) => void): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) if (line.trim() !== '') onLine(line);
  }
}

/** The end of a process in words, to be read after "ended". */
export function describeEnd({ code, signal }: ChildEnd): string {
  return signal === null ? `with exit code ${code ?? 'unknown'}` : `by ${signal}`;
}
