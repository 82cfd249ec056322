/**
 * A server started as a process, for the official client. Ours keeps what the client's own transport drops: what the program
 * printed that is no message, its last words on stderr, and how it ended.
 */
import { sigilError } from '@sigil-mcp/core/adapter';
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { endProcess } from './end-process';
import type { Message, OfficialClient, Transport } from '../official-client';
import type { CommandTarget } from '../targets/target';

/** How many lines on stdout are kept for an explanation. */
const KEPT_RUBBISH = 25;
/** How many lines on stderr are kept: a crash has its message at the top, and stacks and fields below. */
const KEPT_WORDS = 500;
/** How long the rest of a dead program's output is waited for, milliseconds. */
const LAST_OUTPUT = 300;

/** One process and its pipes. */
export class ChildTransport implements Transport {
  onclose: (() => void) | undefined;
  onerror: ((error: Error) => void) | undefined;
  onmessage: ((message: Message) => void) | undefined;
  /** Lines on stdout that are no messages. */
  readonly rubbish: string[] = [];
  /** The last lines on stderr. */
  readonly lastWords: string[] = [];
  /** Whether any message came. */
  spoke = false;
  /** How the process ended: `status 1`, `signal SIGKILL`; undefined while it runs. */
  ending: string | undefined;
  /** The error of the system where the program could not be started. */
  startFailure: NodeJS.ErrnoException | undefined;
  #child: ChildProcessWithoutNullStreams | undefined;
  #begun = { stdout: '', stderr: '' };
  #closed = false;

  /**
   * @param onStderr hears each line that the program writes to stderr
   */
  constructor(
    private readonly target: CommandTarget,
    private readonly client: OfficialClient,
    private readonly onStderr: (line: string) => void,
  ) {}

  /** The client tells from this and `pid` that it talks over pipes. */
  get stderr(): null {
    return null;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  start(): Promise<void> {
    const child = spawn(this.target.command, this.target.args, {
      stdio: 'pipe',
      windowsHide: true,
      // A group of its own: Ctrl-C first cancels the call, and the children of the program end with it.
      detached: process.platform !== 'win32',
      // There, npx and its like are scripts.
      shell: process.platform === 'win32' && !/\.exe$|[\\/]/i.test(this.target.command),
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
    if (this.ending !== undefined) throw sigilError('SIGIL_CLI_NOBODY_READS');
    this.#child?.stdin.write(`${JSON.stringify(message)}\n`);
  }

  async close(): Promise<void> {
    if (this.#child) await endProcess(this.#child);
    this.#over();
  }

  #split(stream: 'stdout' | 'stderr', text: string): void {
    const lines = (this.#begun[stream] + text).split(/\r?\n/);
    this.#begun[stream] = lines.pop() ?? '';
    for (const line of lines) this.#read(stream, line);
  }

  #read(stream: 'stdout' | 'stderr', line: string): void {
    if (stream === 'stdout') return this.#receive(line);
    this.lastWords.push(line);
    if (this.lastWords.length > KEPT_WORDS) this.lastWords.shift();
    this.onStderr(line);
  }

  #receive(line: string): void {
    if (line.trim() === '') return;
    let message: Message;
    try {
      message = this.client.deserializeMessage(line);
    } catch {
      if (this.rubbish.length < KEPT_RUBBISH) this.rubbish.push(line);
      return;
    }
    this.spoke = true;
    this.onmessage?.(message);
  }

  #over(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const stream of ['stdout', 'stderr'] as const) {
      if (this.#begun[stream] !== '') this.#read(stream, this.#begun[stream]);
    }
    this.onclose?.();
  }
}
