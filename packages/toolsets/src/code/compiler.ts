/** The compiler of scripts: one thread for all of a server, which checks one script after the other. */
import type { Worker } from 'node:worker_threads';
import { outsideRequests, ClientTurns, unawaited } from '@sigil-mcp/core/adapter';
import { startThread } from './thread-files';
import { READY, type CheckAnswer } from './threads/messages';

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
