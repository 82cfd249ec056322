/** The pending requests of one client. */
import type { RequestId } from '@sigil-mcp/protocol';
import { ClientLoad } from '../limits/client-load';

/** A pending request that can be cancelled. */
export interface Cancellable {
  /** Cancels it: fires its signal, and sends no more messages for it. */
  cancel(reason: Error): void;
  /** Fires its signal; if it is answered anyway, the answer is sent. */
  abort(reason: Error): void;
}

/** Finds running requests by id; `1` and `"1"` are different ids. */
export class RunningCalls {
  /** Made with the first pending call: an idle session holds no map. */
  #calls: Map<RequestId, Cancellable> | undefined;
  #isOver = false;
  #listeners: Set<() => void> | undefined;

  /** @param load of the client, if it is counted over more than these requests; its own load if left out */
  constructor(readonly load: ClientLoad = new ClientLoad()) {}

  /** Whether all were cancelled: no request is answered any more. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Whether a request with this id is pending. */
  has(id: RequestId): boolean {
    return this.#calls?.has(id) ?? false;
  }

  add(id: RequestId, call: Cancellable): void {
    (this.#calls ??= new Map<RequestId, Cancellable>()).set(id, call);
  }

  remove(id: RequestId): void {
    this.#calls?.delete(id);
  }

  /** Cancels one request; an unknown id is not an error, because a cancellation may cross the answer on its way. */
  cancel(id: RequestId, reason: Error): void {
    this.#calls?.get(id)?.cancel(reason);
  }

  /**
   * Cancels all pending requests; later ones are not answered.
   * @param reason makes the reason, if a request is pending: most sessions end without one, and the stack trace of an error takes longer
   * than all the rest of their end
   */
  cancelAll(reason: () => Error): void {
    this.#isOver = true;
    if (this.#calls && this.#calls.size > 0) for (const call of [...this.#calls.values()]) call.cancel(reason());
    const listeners = this.#listeners;
    this.#listeners = undefined;
    if (listeners) for (const listener of listeners) listener();
  }

  /**
   * Calls back when all were cancelled, which is the end of their connection or session.
   * @returns a function that removes the listener
   */
  onOver(listener: () => void): () => void {
    const listeners = (this.#listeners ??= new Set());
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  /** Fires the signals of all pending requests. */
  abortAll(reason: Error): void {
    for (const call of [...(this.#calls?.values() ?? [])]) call.abort(reason);
  }
}
