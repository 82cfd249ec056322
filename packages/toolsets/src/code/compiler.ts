/** The compiler of scripts: one thread for all of a server, which checks one script after the other. */
import { Worker } from 'node:worker_threads';
import { outsideRequests, ClientTurns, unawaited } from '@sigil-mcp/core/internal';
import { READY, type CheckAnswer } from './threads/messages';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** What Node has, and its types do not. */
declare const WebAssembly: { compile(code: Uint8Array): Promise<object> };

// eslint-disable-next-line no-restricted-syntax -- compiled code of an installed file, which nobody can change
let engine: Promise<object> | undefined;

/** TypeScript, as it is installed. */
interface InstalledTypeScript {
  readonly path: string;
  /** Whether it has a compiler that programs can call: version 7 has none. */
  readonly isUsable: boolean;
  readonly version: string;
}

/** Megabytes of memory for the compiler. */
const HEAP = 512;

/** A script that has not been checked yet. */
interface Job {
  readonly code: string;
  readonly api: string;
  /** Called when it is its turn. */
  readonly begin: () => void;
  readonly resolve: (answer: CheckAnswer | 'limit') => void;
  readonly reject: (error: Error) => void;
}

/** The call that a script came with. */
export interface ScriptOwner {
  readonly client: unknown;
  readonly signal: AbortSignal;
  /** Called if others come first. @param turn resolves when it is the turn of the script, unless its call was cancelled */
  readonly waitForTurn: (turn: Promise<void>) => Promise<void>;
}

/** Checks scripts. */
export class ScriptCompiler {
  readonly #jobs = new ClientTurns<Job>();
  #current: Job | undefined;
  #thread: Worker | undefined;
  /** Whether the thread has loaded the compiler. */
  #isReady = false;
  #timer: NodeJS.Timeout | undefined;
  #count = 0;
  /** The thread serves the scripts of all callers. */
  readonly #outside = outsideRequests();

  /** @param timeout milliseconds for one script */
  constructor(
    private readonly typescript: string,
    private readonly timeout: number,
  ) {}

  /**
   * Checks a script when it is the turn of its client.
   * @returns `limit` if the check takes too long, or too much memory
   */
  check(
    { code, api }: Pick<Job, 'code' | 'api'>,
    { client, signal, waitForTurn }: ScriptOwner,
  ): Promise<CheckAnswer | 'limit'> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      let begin: () => void = () => undefined;
      if (this.#current) unawaited(waitForTurn(new Promise<void>((come) => (begin = come))));
      const job = { code, api, begin, resolve, reject };
      this.#jobs.add(client, job);
      signal.addEventListener('abort', () => this.#abandon(client, job, signal.reason as Error), { once: true });
      this.#next();
    });
  }

  /** Ends the thread. */
  async close(): Promise<void> {
    const thread = this.#thread;
    this.#thread = undefined;
    await thread?.terminate();
  }

  #abandon(client: unknown, job: Job, reason: Error): void {
    this.#jobs.delete(client, job);
    // One that is being checked ends by itself, in its time.
    job.reject(reason);
  }

  #next(): void {
    if (this.#current) return;
    const job = this.#jobs.take()?.item;
    if (!job) return;
    this.#current = job;
    job.begin();
    this.#thread ??= this.#outside(() => this.#start());
    if (this.#isReady) this.#startTimer();
    this.#thread.postMessage({ id: ++this.#count, code: job.code, api: job.api });
  }

  #startTimer(): void {
    this.#timer = setTimeout(() => this.#stop('limit'), this.timeout);
  }

  #start(): Worker {
    this.#isReady = false;
    const thread = startThread('compiler-thread', this.typescript, HEAP);
    thread.on('message', (answer: CheckAnswer | typeof READY) => {
      if (thread !== this.#thread) return;
      if (answer === READY) {
        this.#isReady = true;
        // To load the compiler is no fault of the script that waits for it.
        if (this.#current) this.#startTimer();
      } else if (answer.id === this.#count) this.#end((job) => job.resolve(answer));
    });
    thread.on('error', (error: Error & { readonly code?: string }) => {
      if (thread !== this.#thread) return;
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') this.#stop('limit');
      else this.#stop(error);
    });
    return thread;
  }

  /** Gives up what is being checked: the next script has a new thread. */
  #stop(reason: 'limit' | Error): void {
    unawaited(this.close());
    this.#end((job) => (reason === 'limit' ? job.resolve(reason) : job.reject(reason)));
  }

  #end(settle: (job: Job) => void): void {
    clearTimeout(this.#timer);
    const job = this.#current;
    this.#current = undefined;
    if (job) settle(job);
    this.#next();
  }
}

/** The folder of this package: threads run what is built, also where the sources are run. */
function own(): string {
  return dirname(require.resolve('@sigil-mcp/toolsets/package.json'));
}

/**
 * Starts a thread without the environment and the flags of the process.
 * @param name its module, which exports `start`
 * @param heap megabytes of JavaScript memory of the thread itself
 */
export function startThread(name: 'compiler-thread' | 'sandbox-thread', data: unknown, heap: number): Worker {
  const path = join(own(), 'dist', 'code', 'threads', `${name}.js`);
  const worker = new Worker(`require(${JSON.stringify(path)}).start();`, {
    eval: true,
    workerData: data,
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: heap, maxYoungGenerationSizeMb: 16 },
  });
  // A script does not keep a process alive whose server has closed.
  worker.unref();
  return worker;
}

/** QuickJS, compiled once for the threads of all scripts: as long as starting the rest of a thread takes. */
export function compiledEngine(): Promise<object> {
  const path = (): string =>
    createRequire(join(own(), 'package.json')).resolve('@jitl/quickjs-wasmfile-release-sync/wasm');
  return (engine ??= readFile(path()).then((code) => WebAssembly.compile(code)));
}

/** Finds TypeScript; undefined if it is not installed. */
export function findTypeScript(): InstalledTypeScript | undefined {
  try {
    const path = require.resolve('typescript');
    const { version } = JSON.parse(readFileSync(require.resolve('typescript/package.json'), 'utf8')) as {
      readonly version: string;
    };
    return { path, version, isUsable: Number.parseInt(version, 10) < 7 };
  } catch {
    return undefined;
  }
}
