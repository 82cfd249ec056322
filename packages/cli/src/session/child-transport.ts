/**
 * A transport that starts the server as a process. Unlike the transport of the official client, it keeps output that is not a
 * message, the last lines on stderr, and how the process ended.
 */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { readCrash, type Crash } from '../causes/crash-report';
import { readEntries, type DeclaredEntry } from '../declared/declared-entries';
import { readStray, type StrayText } from '../causes/stray-text';
import { startedWords } from '../started-words';
import { endProcess } from './end-process';
import type { Message, OfficialClient, Transport } from '../official-client';
import type { ProgramTarget } from '../targets/target';
import { commandError } from '../errors/errors';

/** The number of invalid lines on stdout that are kept for an explanation. */
const KEPT_RUBBISH = 25;
/** The number of lines on stderr that are kept: a crash has its message at the top, and the stack and fields below. */
const KEPT_WORDS = 500;
/** Milliseconds to wait for the rest of the output after the program has ended. */
const LAST_OUTPUT = 300;

/** One process and its pipes. */
export class ChildTransport implements Transport {
  onclose: (() => void) | undefined;
  onerror: ((error: Error) => void) | undefined;
  onmessage: ((message: Message) => void) | undefined;
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
  #child: ChildProcessWithoutNullStreams | undefined;
  /** The pieces of a line that has not ended. */
  readonly #begun: Record<'stdout' | 'stderr', string[]> = { stdout: [], stderr: [] };
  #closed = false;

  /**
   * @param onStderr receives each line that the program writes to stderr
   */
  constructor(
    private readonly target: ProgramTarget,
    private readonly client: OfficialClient,
    private readonly onStderr: (line: string) => void,
  ) {}

  /** By this and `pid` the client recognizes a transport over pipes. */
  get stderr(): null {
    return null;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  start(): Promise<void> {
    const { cwd, env } = this.target;
    const { command, args, windowsVerbatimArguments } = startedWords(
      this.target.command,
      this.target.args,
      this.target,
    );
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
    child.stdout.setEncoding('utf8').on('data', (text: string) => this.#split('stdout', text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => this.#split('stderr', text));
    child.once('exit', (code, signal) => {
      this.ending = signal === null ? `status ${code}` : `signal ${signal}`;
      setTimeout(() => this.#over(), LAST_OUTPUT).unref();
    });
    child.once('close', () => this.#over());
    return new Promise((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', (error: NodeJS.ErrnoException) => {
        this.startFailure = error;
        reject(error);
      });
    });
  }

  async send(message: Message): Promise<void> {
    if (this.ending !== undefined) throw commandError('SIGIL_CLI_NOBODY_READS');
    this.#child?.stdin.write(`${JSON.stringify(message)}\n`);
  }

  async close(): Promise<void> {
    if (this.#child) await endProcess(this.#child);
    this.#over();
  }

  #split(stream: 'stdout' | 'stderr', text: string): void {
    const [first = '', ...others] = text.split('\n');
    const begun = this.#begun[stream];
    begun.push(first);
    for (const next of others) {
      this.#read(stream, begun.splice(0).join('').replace(/\r$/, ''));
      begun.push(next);
    }
  }

  #read(stream: 'stdout' | 'stderr', line: string): void {
    if (stream === 'stdout') return this.#receive(line);
    const crash = readCrash(line);
    if (crash) {
      this.crash = crash;
      return;
    }
    const stray = readStray(line);
    if (stray) {
      this.stray ??= stray;
      return;
    }
    const entries = readEntries(line);
    if (entries) {
      this.entries = entries;
      return;
    }
    this.lastWords.push(line);
    if (this.lastWords.length > KEPT_WORDS) this.lastWords.shift();
    this.onStderr(line);
  }

  #receive(line: string): void {
    if (line.trim() === '') return;
    const message = this.#parse(line);
    if (message) return this.#take(message);
    // Text without an end of line stands before a message.
    const start = line.lastIndexOf('{"jsonrpc"');
    const rest = start > 0 ? this.#parse(line.slice(start)) : undefined;
    if (this.rubbish.length < KEPT_RUBBISH) this.rubbish.push(rest ? line.slice(0, start) : line);
    if (rest) this.#take(rest);
  }

  #parse(line: string): Message | undefined {
    try {
      return this.client.deserializeMessage(line);
    } catch {
      return undefined;
    }
  }

  #take(message: Message): void {
    this.spoke = true;
    this.onmessage?.(message);
  }

  #over(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const stream of ['stdout', 'stderr'] as const) {
      const rest = this.#begun[stream].join('');
      if (rest !== '') this.#read(stream, rest);
    }
    this.onclose?.();
  }
}
