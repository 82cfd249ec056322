/**
 * Programs that the page may run: chosen by sigil dev and the project, never by a request. Each has ended when this is closed, with all that it
 * has started.
 */
import { spawn, type ChildProcess } from 'node:child_process';

/** Characters of the output that are kept: its end. */
const MOST_OUTPUT = 64 * 1024;
/** Colours and other sequences for terminals. */
// eslint-disable-next-line no-control-regex -- they begin with a control character
const SEQUENCES = /\u001b\[[\d;?]*[A-Za-z]/g;

/** A program, and what follows its name. */
export interface OwnProgram {
  /** A file that Node runs. */
  readonly file: string;
  readonly args: readonly string[];
}

/** How a program has ended, and what it has written to stdout and stderr. */
export interface OwnProgramEnd {
  /** Null if it was stopped. */
  readonly status: number | null;
  readonly stdout: string;
  readonly output: string;
}

/** Runs one program after the other. */
export class OwnPrograms {
  #running: ChildProcess | undefined;
  #isClosed = false;
  readonly #stopAll = (): void => this.stop();

  /** @param folder of the project, in which they run */
  constructor(private readonly folder: string) {
    process.once('exit', this.#stopAll);
  }

  /** Runs a program, in place of the one that runs. @param onOutput is called with all that is kept of its output */
  async run({ file, args }: OwnProgram, onOutput: (output: string) => void = () => undefined): Promise<OwnProgramEnd> {
    this.stop();
    if (this.#isClosed) return { status: null, stdout: '', output: '' };
    // A group of its own, so that its workers end with it.
    const child = spawn(process.execPath, [file, ...args], {
      cwd: this.folder,
      env: { ...process.env, FORCE_COLOR: '0', CI: 'true' },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
    });
    this.#running = child;
    const written = { stdout: '', output: '' };
    const take = (text: string, isStdout: boolean): void => {
      if (isStdout) written.stdout += text;
      written.output = (written.output + text.replace(SEQUENCES, '')).slice(-MOST_OUTPUT);
      if (this.#running === child) onOutput(written.output);
    };
    child.stdout.setEncoding('utf8').on('data', (text: string) => take(text, true));
    child.stderr.setEncoding('utf8').on('data', (text: string) => take(text, false));
    const status = await new Promise<number | null>((resolve) => {
      child.on('error', () => resolve(null)).on('close', (code) => resolve(code));
    });
    if (this.#running === child) this.#running = undefined;
    return { status, ...written };
  }

  /** Ends the program that runs, and all that it has started. */
  stop(): void {
    const { pid } = this.#running ?? {};
    this.#running = undefined;
    if (pid === undefined) return;
    try {
      process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
    } catch {
      // It has ended already.
    }
  }

  /** Runs nothing any more. */
  close(): void {
    this.#isClosed = true;
    this.stop();
    process.off('exit', this.#stopAll);
  }
}
