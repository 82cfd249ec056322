/** The instances of a server that are in one process, as in a test. */
import type { BusListener, InstanceBus } from './instance-bus';

/** Whoever has joined hears at once. */
export class MemoryBus implements InstanceBus {
  readonly #listeners = new Map<string, BusListener>();

  join(instance: string, listener: BusListener): () => void {
    this.#listeners.set(instance, listener);
    return () => void this.#listeners.delete(instance);
  }

  announce(change: string): void {
    for (const listener of [...this.#listeners.values()]) listener.change(change);
  }

  send(instance: string, message: string): boolean {
    const listener = this.#listeners.get(instance);
    listener?.message(message);
    return listener !== undefined;
  }

  isAlive(instance: string): boolean {
    return this.#listeners.has(instance);
  }
}
