/** One script in a thread of its own, as the server sees it. */
import type { Worker } from 'node:worker_threads';
import { unawaited } from '@sigil-mcp/core/internal';
import { startThread } from './compiler';
import {
  READY,
  SaidByScript,
  type EndedScript,
  type FromSandbox,
  type SandboxData,
  type ScriptLimit,
  type Settled,
} from './threads/messages';

/** Megabytes of JavaScript memory of the thread; what a script has is in WebAssembly, with a limit of its own. */
const HEAP = 64;
/** Milliseconds after its computing time, after which a thread that does not notice the end itself is terminated. */
const GRACE = 1000;

/** What a script asks for: a call of a tool, or a search. */
export type ScriptQuestion = Extract<FromSandbox, { readonly id: number }>;

/** Answers with JSON. Rejects with an error whose message the script is given. */
type AnswerScript = (question: ScriptQuestion) => Promise<string>;

/**
 * Runs a script to its end. Rejects with the reason of the signal, and the script is gone then. A thread that does not keep a limit itself is
 * ended at its first message beyond it.
 * @param start starts the thread
 */
export async function runInSandbox(
  data: SandboxData,
  answer: AnswerScript,
  signal: AbortSignal,
  start: (data: SandboxData) => Worker = startSandbox,
): Promise<EndedScript> {
  signal.throwIfAborted();
  const thread = start(data);
  const watch = new Watchdog(data.limits.cpu + GRACE);
  const said = new SaidByScript(data.limits, new Set(data.names));
  let abort = (): void => undefined;
  try {
    return await new Promise<EndedScript>((resolve, reject) => {
      const reach = (limit: ScriptLimit): void => resolve({ end: { kind: 'limit', limit }, console: [] });
      abort = () => reject(signal.reason as Error);
      signal.addEventListener('abort', abort, { once: true });
      thread.on('message', (message: FromSandbox) => {
        const broken = said.limitOf(message);
        if (broken) reach(broken);
        else if (message === READY) watch.start(() => reach('cpu'));
        else if (message.kind === 'waiting') watch.rest(message.settled);
        else if (message.kind === 'ended') resolve(message);
        else
          unawaited(
            settle(message, answer).then((settled) => {
              said.settle(message);
              watch.settled();
              thread.postMessage(settled);
            }),
          );
      });
      thread.on('error', (error: Error) => (isOutOfMemory(error) ? reach('memory') : reject(error)));
      thread.on('exit', () => resolve({ end: { kind: 'stuck' }, console: [] }));
    });
  } finally {
    // Node keeps a composed signal that has a listener for ever, and the listener keeps the result.
    signal.removeEventListener('abort', abort);
    watch.stop();
    await stop(thread);
  }
}

function startSandbox(data: SandboxData): Worker {
  return startThread('sandbox-thread', data, HEAP);
}

/** Ends a script that computes without ever looking at its time, such as a regular expression. */
class Watchdog {
  #timer: NodeJS.Timeout | undefined;
  #settled = 0;
  #bark: () => void = () => undefined;

  constructor(private readonly patience: number) {}

  /** @param bark called when the thread has computed for too long */
  start(bark: () => void): void {
    this.#bark = bark;
    this.#watch();
  }

  /** The thread is given something to compute. */
  settled(): void {
    this.#settled += 1;
    this.#watch();
  }

  /** The thread computes nothing. @param settled how much it was given when it said so */
  rest(settled: number): void {
    if (settled === this.#settled) this.stop();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #watch(): void {
    this.#timer ??= setTimeout(this.#bark, this.patience).unref();
  }
}

function isOutOfMemory(error: Error & { readonly code?: string }): boolean {
  return error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}

async function settle(question: ScriptQuestion, answer: AnswerScript): Promise<Settled> {
  const { id } = question;
  try {
    return { id, ok: true, json: await answer(question) };
  } catch (error) {
    return { id, ok: false, json: JSON.stringify(error instanceof Error ? error.message : String(error)) };
  }
}

async function stop(thread: Worker): Promise<void> {
  thread.removeAllListeners();
  thread.on('error', () => undefined);
  await thread.terminate();
}
