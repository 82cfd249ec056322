/** Work that outlives the request that began it: owned by the code that detached it, counted until it ends, and ended with the server. */
import type { JsonObject, WrittenServerRequest } from '@sigil-mcp/protocol';
import { endedCall } from '../errors/failures';
import type { Caller } from '../context/caller';
import { Deadline, settleWithin, type Clock, type MaybePromise } from '@sigil-mcp/base';

/** The options of detached work. */
export interface DetachOptions {
  /** Milliseconds that it may take; any time if left out. After that its signal fires. */
  readonly timeout?: number;
  /** Receives its progress, which no longer goes to the client; ignored if left out. */
  readonly onProgress?: (progress: number, total: number | undefined, message: string | undefined) => void;
  /**
   * Asks the client in another way than its request had: returns the result that the client answers with. Without it, a question is an error.
   * @param key the same for the same question of this work
   */
  readonly onQuestion?: (key: string, question: WrittenServerRequest, signal: AbortSignal) => Promise<JsonObject>;
}

/** Who a call belongs to. */
export interface CallOwner {
  readonly session: object | undefined;
  readonly context: { readonly caller: Caller };
}

/** Work that goes on after its request was answered. */
export interface DetachedCall<T = unknown> {
  /** What the work returns; rejects with what it throws, or with the reason for which it was cancelled. */
  readonly result: Promise<T>;
  /** Fires when it is cancelled, after its time limit, and when the server closes. */
  readonly signal: AbortSignal;
  /** Fires its signal, and rejects `result`. */
  cancel(reason?: Error): void;
  /**
   * Whether another call is of the same owner: the same principal or, if the caller has none, the same session or connection. A caller
   * that has neither owns what it can name.
   */
  belongsTo(call: CallOwner): boolean;
}

/** All detached work of a server. */
export class DetachedCalls {
  readonly #running = new Map<Promise<unknown>, (reason: Error) => void>();

  /** The number of them. */
  get size(): number {
    return this.#running.size;
  }

  /** Counts one until it has ended. */
  add(work: Promise<unknown>, cancel: (reason: Error) => void): void {
    this.#running.set(work, cancel);
    const remove = (): void => void this.#running.delete(work);
    work.then(remove, remove);
  }

  /** Waits until all have ended, at most so many milliseconds, and cancels the rest. */
  async close(deadline: number, clock: Clock): Promise<void> {
    if (this.#running.size > 0) await settleWithin(deadline, Promise.allSettled([...this.#running.keys()]), clock);
    for (const cancel of this.#running.values()) cancel(endedCall('SIGIL_SHUTTING_DOWN'));
  }
}

/** What the detached work of a call needs of it. */
export interface DetachableCall extends CallOwner {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  abort(reason: Error): void;
}

/** Detached work, as the call sees it: `settled` is the work itself, also after it was cancelled. */
export interface StartedWork<T> extends DetachedCall<T> {
  readonly settled: Promise<T>;
  cancel(this: void, reason?: Error): void;
}

/** Starts the work of a call that was detached. */
export function startDetached<T>(
  call: DetachableCall,
  work: () => MaybePromise<T>,
  { timeout = Infinity }: DetachOptions,
): StartedWork<T> {
  const { session, signal, clock } = call;
  const { principal } = call.context.caller;
  const settled = begin(work);
  let reject: (reason: Error) => void = () => undefined;
  const result = new Promise<T>((resolve, fail) => {
    reject = fail;
    settled.then(resolve, fail);
  });
  const cancel = (reason: Error = endedCall('SIGIL_CANCELLED', { reason: '' })): void => {
    call.abort(reason);
    reject(reason);
  };
  const deadline = new Deadline(clock, timeout);
  deadline.onPassed(() => cancel(endedCall('SIGIL_DETACHED_LATE', { timeout })));
  const end = (): void => deadline.stop();
  settled.then(end, end);
  // A result that nobody awaits causes no unhandled rejection.
  result.catch(() => undefined);
  const belongsTo = ({ session: other, context: { caller } }: CallOwner): boolean =>
    principal === undefined && caller.principal === undefined ? session === other : principal === caller.principal;
  return { result, settled, signal, cancel, belongsTo };
}

/** Work that throws at once rejects, too. */
async function begin<T>(work: () => MaybePromise<T>): Promise<T> {
  return work();
}
