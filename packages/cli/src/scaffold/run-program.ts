/** Runs another program until it ends: a package manager, git. */
import { spawn, type ChildProcess } from 'node:child_process';
import { codeOf } from '../failure';
import { startedWords } from '../started-words';

/** How a program ended, and its output. */
export interface ProgramEnd {
  /** The exit code: 0 if all went well; undefined if the program could not be started or a signal ended it. */
  readonly code: number | undefined;
  /** Whether the program is not installed. */
  readonly missing: boolean;
  /** The output of the program, on stdout and stderr. */
  readonly said: string;
}

/** Where a program runs, and for how long. */
export interface RunOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Ends the program, together with everything that it started. */
  readonly signal?: AbortSignal;
}

/** Milliseconds for a program to end after a signal. */
const GRACE = 3_000;

/** There are no process groups on Windows. */
const WINDOWS = process.platform === 'win32';

/** Runs a program in a folder, without input, and collects its output. */
export function runProgram(
  program: string,
  args: readonly string[],
  { cwd, env, signal }: RunOptions,
): Promise<ProgramEnd> {
  return new Promise((resolve) => {
    // In its own process group, so that its children end with it; therefore Ctrl-C does not reach it directly.
    const detached = signal !== undefined && !WINDOWS;
    const { command, args: words, windowsVerbatimArguments } = startedWords(program, args, { cwd, env });
    const stdio: ('ignore' | 'pipe')[] = ['ignore', 'pipe', 'pipe'];
    const child = spawn(command, words, { cwd, env, detached, stdio, windowsVerbatimArguments });
    let said = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (said += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (said += text));
    const stop = (): void => endGroup(child);
    signal?.addEventListener('abort', stop, { once: true });
    child.on('error', (error) => {
      resolve({ code: undefined, missing: codeOf(error) === 'ENOENT', said: error.message });
    });
    child.on('close', (code) => {
      signal?.removeEventListener('abort', stop);
      resolve({ code: code ?? undefined, missing: false, said });
    });
    if (signal?.aborted === true) stop();
  });
}

function endGroup(child: ChildProcess): void {
  const { pid } = child;
  if (pid === undefined) return;
  if (WINDOWS) {
    // Without taskkill there is no other way to end a group.
    spawn('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore' }).on('error', () => undefined);
    return;
  }
  signalGroup(pid, 'SIGTERM');
  const timer = setTimeout(() => {
    signalGroup(pid, 'SIGKILL');
    // A process outside of the group may hold the pipes open for ever.
    child.stdout?.destroy();
    child.stderr?.destroy();
  }, GRACE);
  child.once('close', () => clearTimeout(timer));
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // It has ended already.
  }
}
