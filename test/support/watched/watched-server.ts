/** A server in a process of its own whose death is seen, and that says over a side door what it holds. */
import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { settled } from './settled';

/** What a server process says of itself. */
export interface Figures {
  /** The longest time for which its event loop stood still since the last question, milliseconds; `cpu` of them were work. */
  readonly held: { readonly wall: number; readonly cpu: number };
  /** Active handles by kind. */
  readonly handles: Readonly<Record<string, number>>;
  readonly heapUsed: number;
}

/** What is left after a full collection. */
export interface Holdings extends Figures {
  /** Our classes, and those of Node for connections and waiting -> how many of each are alive. */
  readonly instances: Readonly<Record<string, number>>;
  /** Listeners of the process and of its pipes, by emitter and event. */
  readonly listeners: Readonly<Record<string, number>>;
}

/** How a server is started. */
export interface Start {
  readonly args?: readonly string[];
  /** Flags of Node. */
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Put before the command, such as `prlimit --nofile=64`. */
  readonly under?: readonly string[];
}

const DOOR = join(__dirname, 'side-door.cjs');
/** Characters of stderr that are kept: enough to see why a process ended. */
const KEPT = 64 * 1024;
/** Milliseconds that a process has to answer. */
const PATIENCE = 60_000;

/** One process. */
export class WatchedServer {
  readonly stdin: Writable;
  readonly stdout: Readable;
  #stderr = '';
  #begun = '';
  #ended: string | undefined;
  /** How the process ended. */
  readonly exit: Promise<string>;

  private constructor(readonly child: ChildProcess) {
    const { stdin, stdout, stderr } = child as ChildProcess & { stdin: Writable; stdout: Readable; stderr: Readable };
    this.stdin = stdin;
    this.stdout = stdout;
    for (const pipe of [stdin, stdout, stderr]) pipe.on('error', () => undefined);
    child.on('error', () => undefined);
    stderr.setEncoding('utf8').on('data', (text: string) => {
      if (this.#begun.length < KEPT) this.#begun += text;
      this.#stderr = (this.#stderr + text).slice(-KEPT);
    });
    this.exit = new Promise((resolve) => {
      child.once('exit', (code, signal) => resolve((this.#ended = code === null ? String(signal) : `exit ${code}`)));
    });
  }

  static start(program: string, { args = [], flags = [], env = {}, under = [] }: Start = {}): WatchedServer {
    const node = [process.execPath, '--expose-gc', '--require', DOOR, ...flags, program, ...args];
    const [command = '', ...rest] = [...under, ...node];
    const stdio = ['pipe', 'pipe', 'pipe', 'ipc'] as const;
    const child = spawn(command, rest, {
      stdio: [...stdio],
      serialization: 'advanced',
      env: { ...process.env, PORT: '0', HOST: '127.0.0.1', ...env },
    });
    return new WatchedServer(child);
  }

  /** Starts a server over HTTP, and waits until it listens. */
  static async startHttp(program: string, start: Start = {}): Promise<WatchedServer> {
    const server = WatchedServer.start(program, { ...start, args: [...(start.args ?? []), '--http'] });
    server.stdout.resume();
    await server.hears('http://');
    return server;
  }

  /** How the process ended; undefined while it lives. */
  get ended(): string | undefined {
    return this.#ended;
  }

  /** Its last words. */
  get stderr(): string {
    return this.#stderr;
  }

  /** Where it listens. */
  get url(): URL {
    return new URL(/http:\/\/[^"\s]+/.exec(this.#begun)?.[0] ?? '');
  }

  /** Waits for a text on stderr. */
  async hears(text: string): Promise<void> {
    const heard = await settled(() => this.#begun.includes(text) || this.#ended !== undefined, PATIENCE);
    if (!heard || this.#ended !== undefined) throw new Error(`There was no "${text}": ${this.#ended}\n${this.#stderr}`);
  }

  /** What it holds now. */
  figures(): Promise<Figures> {
    return this.#ask('figures') as Promise<Figures>;
  }

  /** What it holds after a full collection. */
  collect(): Promise<Holdings> {
    return this.#ask('collect') as Promise<Holdings>;
  }

  /** Keeps its event loop busy. */
  block(milliseconds: number): void {
    this.child.send({ door: 'block', milliseconds });
  }

  kill(signal: NodeJS.Signals = 'SIGKILL'): void {
    this.child.kill(signal);
  }

  /** Ends it at once, and waits for that. */
  async end(): Promise<void> {
    this.kill();
    await this.exit;
  }

  async #ask(door: string): Promise<unknown> {
    const { child } = this;
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        clearTimeout(timer);
        child.off('message', hear).off('exit', fail);
      };
      const fail = (): void => {
        stop();
        reject(
          new Error(`The server said nothing of itself (${this.#ended ?? 'alive'}).\n${this.#stderr.slice(-4000)}`),
        );
      };
      const hear = (message: { door?: string; told?: unknown }): void => {
        if (message.door !== door) return;
        stop();
        resolve(message.told);
      };
      const timer = setTimeout(fail, PATIENCE);
      child.on('message', hear).on('exit', fail);
      if (this.#ended !== undefined || !child.connected) return fail();
      child.send({ door });
    });
  }
}
