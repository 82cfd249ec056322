/** The requests of one client that are being answered. */
import type { RequestId } from '@sigil-mcp/protocol';
import { ClientLoad } from '../limits/client-load';

/** What can be done with a request that is being answered. */
export interface Cancellable {
  /** Gives up on it: fires its signal, sends nothing more for it. */
  cancel(reason: Error): void;
  /** Fires its signal; an answer that comes all the same is sent. */
  abort(reason: Error): void;
}

/** Finds running requests by id; `1` and `"1"` are different ids. */
export class RunningCalls {
  /** Made with the first call that is waited for: a session that is idle holds nothing. */
  #calls: Map<RequestId, Cancellable> | undefined;
  #isOver = false;
  #listeners: Set<() => void> | undefined;

  /** @param load of the client, where it is counted over more than these; a load of their own if left out */
  constructor(readonly load: ClientLoad = new ClientLoad()) {}

  /** Whether all were cancelled: nothing is answered any more. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Whether a request with this id is being answered. */
  has(id: RequestId): boolean {
    return this.#calls?.has(id) ?? false;
  }

  add(id: RequestId, call: Cancellable): void {
    (this.#calls ??= new Map<RequestId, Cancellable>()).set(id, call);
  }

  remove(id: RequestId): void {
    this.#calls?.delete(id);
  }

  /** Cancels one request; an id that is not running is no error, because a cancellation may cross the answer on its way. */
  cancel(id: RequestId, reason: Error): void {
    this.#calls?.get(id)?.cancel(reason);
  }

  /** Cancels all requests that run; those that come later are not answered. */
  cancelAll(reason: Error): void {
    this.#isOver = true;
    for (const call of [...(this.#calls?.values() ?? [])]) call.cancel(reason);
    const listeners = this.#listeners ?? [];
    this.#listeners = undefined;
    for (const listener of listeners) listener();
  }

  /**
   * Calls back when all were cancelled, which is the end of the connection or session that they came from.
   * @returns a function that removes the listener
   */
  onOver(listener: () => void): () => void {
    const listeners = (this.#listeners ??= new Set());
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  /** Fires the signals of all requests that run. */
  abortAll(reason: Error): void {
    for (const call of [...(this.#calls?.values() ?? [])]) call.abort(reason);
  }
}
