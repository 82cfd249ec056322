/**
 * The pipe to a server that is started as a process. Unlike that of the client, it keeps output that is not a message, the last lines on
 * stderr, how the process ended, and what it reports to the command; it starts batch files of Windows, and ends the children of the program.
 */
import { spawn, type ChildProcess, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { isObject, settleWithin, systemClock, type Clock } from '@sigil-mcp/base';
import type { Pipe, PipeUser } from '@sigil-mcp/client/wire';
import { clientError, readJson } from '@sigil-mcp/client/internal';
import { readCrash, type Crash } from '../causes/crash-report';
import { readStray, type StrayText } from '../causes/stray-text';
import { readEntries, type DeclaredEntry } from '../declared/declared-entries';
import { commandError } from '../errors/errors';
import { readLines } from '../read-lines';
import { startedWords } from '../started-words';
import { labelOf, type ProgramTarget } from '../targets/target';

/** The number of invalid lines on stdout that are kept for an explanation. */
const KEPT_RUBBISH = 25;
/** The number of lines on stderr that are kept: a crash has its message at the top, and the stack and fields below. */
const KEPT_WORDS = 500;
/** Milliseconds to wait for the rest of the output after the program has ended. */
const LAST_OUTPUT = 300;
/** Milliseconds for each step of the end. */
const PATIENCE = 1_500;

/** One process and its pipes. */
export class ChildPipe implements Pipe {
  /** Lines on stdout that are not messages. */
  readonly rubbish: string[] = [];
  /** The last lines on stderr. */
  readonly lastWords: string[] = [];
  /** The error that ended the program, if its process reported one. */
  crash: Crash | undefined;
  /** The first text that the program wrote to stdout, and the code that wrote it, if its process reported one. */
  stray: StrayText | undefined;
  /** What the server declares about its entries, if its process reported it. */
  entries: readonly DeclaredEntry[] | undefined;
  /** Whether a message has arrived. */
  spoke = false;
  /** How the process ended: `status 1`, `signal SIGKILL`; undefined while it runs. */
  ending: string | undefined;
  /** The system error, if the program could not be started. */
  startFailure: NodeJS.ErrnoException | undefined;
  readonly #child: ChildProcessWithoutNullStreams;
  /** Read what has no line end on stdout and stderr. */
  readonly #last: readonly (() => void)[];
  #closed = false;

  /**
   * @param onStderr receives each line that the program writes to stderr
   */
  constructor(
    private readonly target: ProgramTarget,
    private readonly user: PipeUser,
    private readonly onStderr: (line: string) => void,
  ) {
    const { cwd, env } = target;
    const { command, args, windowsVerbatimArguments } = startedWords(target.command, target.args, target);
    const child = spawn(command, args, {
      stdio: 'pipe',
      windowsHide: true,
      windowsVerbatimArguments,
      cwd,
      env,
      // Its own process group: Ctrl-C first cancels the call, and the children of the program end with it.
      detached: process.platform !== 'win32',
    });
    this.#child = child;
    child.stdin.on('error', () => undefined);
    this.#last = [
      readLines(child.stdout, { onLine: (line) => this.#receive(line.replace(/\r$/, '')) }),
      readLines(child.stderr, { onLine: (line) => this.#note(line.replace(/\r$/, '')), takesBlank: true }),
    ];
    child.once('exit', (code, signal) => {
      this.ending = signal === null ? `status ${code}` : `signal ${signal}`;
      setTimeout(() => this.#over(), LAST_OUTPUT).unref();
    });
    child.once('close', () => this.#over());
    child.once('error', (error: NodeJS.ErrnoException) => {
      this.startFailure = error;
      user.end(error);
    });
  }

  async send(text: string): Promise<void> {
    if (this.ending !== undefined) throw commandError('SIGIL_CLI_NOBODY_READS');
    this.#child.stdin.write(`${text}\n`);
  }

  async close(): Promise<void> {
    await endProcess(this.#child);
    this.#over();
  }

  #note(line: string): void {
    const [crash, stray, entries] = [readCrash(line), readStray(line), readEntries(line)];
    if (crash) this.crash = crash;
    else if (stray) this.stray ??= stray;
    else if (entries) this.entries = entries;
    else {
      this.lastWords.push(line);
      if (this.lastWords.length > KEPT_WORDS) this.lastWords.shift();
      this.onStderr(line);
    }
  }

  #receive(line: string): void {
    if (isMessage(line)) return this.#take(line);
    // Text without an end of line stands before a message.
    const start = line.lastIndexOf('{"jsonrpc"');
    const rest = start > 0 && isMessage(line.slice(start)) ? line.slice(start) : undefined;
    if (this.rubbish.length < KEPT_RUBBISH) this.rubbish.push(rest ? line.slice(0, start) : line);
    if (rest) this.#take(rest);
  }

  #take(message: string): void {
    this.spoke = true;
    this.user.receive(message);
  }

  #over(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const read of this.#last) read();
    // A program that has printed something else is no older server, which would be started again for a handshake.
    const words = { program: labelOf(this.target), how: this.ending ?? '', stderr: '' };
    const isOlder = this.rubbish.length === 0;
    this.user.end(isOlder ? clientError('SIGIL_CLIENT_PROGRAM_ENDED', words) : clientError('SIGIL_CLIENT_CLOSED'));
  }
}

/** A message, or a batch of them. */
function isMessage(line: string): boolean {
  const read = readJson(line);
  return [read].flat().every((message) => isObject(message) && message['jsonrpc'] === '2.0');
}

/** Closes a program's input, then asks it to end, then kills it; resolves when it and its group have ended. */
export async function endProcess(child: ChildProcess, clock: Clock = systemClock): Promise<void> {
  if (child.pid === undefined) return;
  child.stdin?.end();
  if (await hasEnded(child, clock)) return void signal(child.pid, 'SIGTERM');
  signal(child.pid, 'SIGTERM');
  if (await hasEnded(child, clock)) return void signal(child.pid, 'SIGKILL');
  signal(child.pid, 'SIGKILL');
  await hasEnded(child, clock);
  // A grandchild outside of the group may hold the pipes open; it is not waited for.
  for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe?.destroy();
}

async function hasEnded(child: ChildProcess, clock: Clock): Promise<boolean> {
  const over = (): boolean => child.exitCode !== null || child.signalCode !== null;
  if (over()) return true;
  const settled = new AbortController();
  await settleWithin(PATIENCE, once(child, 'exit', { signal: settled.signal }), clock);
  settled.abort();
  return over();
}

/** Signals the process group of the program; on Windows only the program. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, name);
  } catch {
    // It has ended already.
  }
}
