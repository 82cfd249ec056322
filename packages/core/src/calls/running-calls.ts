/** The requests of one client that are being answered. */
import type { RequestId } from '@sigil-mcp/protocol';

/** What can be done with a request that is being answered. */
export interface Cancellable {
  /** Gives up on it: fires its signal, sends nothing more for it. */
  cancel(reason: Error): void;
  /** Fires its signal; an answer that comes all the same is sent. */
  abort(reason: Error): void;
}

/** Finds running requests by id; `1` and `"1"` are different ids. */
export class RunningCalls {
  readonly #calls = new Map<RequestId, Cancellable>();

  /** Whether a request with this id is being answered. */
  has(id: RequestId): boolean {
    return this.#calls.has(id);
  }

  add(id: RequestId, call: Cancellable): void {
    this.#calls.set(id, call);
  }

  remove(id: RequestId): void {
    this.#calls.delete(id);
  }

  /** Cancels one request; an id that is not running is no error, because a cancellation may cross the answer on its way. */
  cancel(id: RequestId, reason: Error): void {
    this.#calls.get(id)?.cancel(reason);
  }

  /** Cancels all requests that run. */
  cancelAll(reason: Error): void {
    for (const call of [...this.#calls.values()]) call.cancel(reason);
  }

  /** Fires the signals of all requests that run. */
  abortAll(reason: Error): void {
    for (const call of [...this.#calls.values()]) call.abort(reason);
  }
}
