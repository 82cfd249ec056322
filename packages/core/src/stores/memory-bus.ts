/** The instances of a server that are in one process, as in a test. */
import { randomUUID } from 'node:crypto';
import type { BusListener, Change, InstanceBus } from './instance-bus';

/** Changes that are kept. */
const CHANGES = 1000;

/** Whoever has joined hears at once; what somebody says while others are being told is told next, so that all have one order. */
export class MemoryBus implements InstanceBus {
  readonly #listeners = new Map<string, BusListener>();
  readonly #untold: (() => void)[] = [];
  #isTelling = false;
  /** The newest last; the last of them stands at the count of all that there ever were. */
  readonly #changes: Change[] = [];
  #count = 0;
  /** Positions of another bus, as of this process before it was started anew, are none of this one's. */
  readonly #epoch = randomUUID().slice(0, 8);

  join(instance: string, listener: BusListener): () => void {
    this.#listeners.set(instance, listener);
    return () => {
      if (this.#listeners.get(instance) === listener) this.#listeners.delete(instance);
    };
  }

  announce(text: string): void {
    this.#count++;
    const position = this.position();
    this.#changes.push({ text, position });
    if (this.#changes.length > CHANGES) this.#changes.shift();
    this.#tell([...this.#listeners], (listener) => listener.change(text, position));
  }

  send(instance: string, message: string): boolean {
    const listener = this.#listeners.get(instance);
    if (listener) this.#tell([[instance, listener]], () => listener.message(message));
    return listener !== undefined;
  }

  broadcast(message: string): void {
    this.#tell([...this.#listeners], (listener) => listener.message(message));
  }

  isAlive(instance: string): boolean {
    return this.#listeners.has(instance);
  }

  position(): string {
    return `${this.#epoch}-${this.#count}`;
  }

  changesAfter(position: string): readonly Change[] | undefined {
    const first = this.#count - this.#changes.length;
    if (position === `${this.#epoch}-${first}`) return [...this.#changes];
    const index = this.#changes.findLastIndex((change) => change.position === position);
    return index < 0 ? undefined : this.#changes.slice(index + 1);
  }

  #tell(listeners: readonly (readonly [string, BusListener])[], say: (listener: BusListener) => void): void {
    for (const [instance, listener] of listeners)
      this.#untold.push(() => {
        if (this.#listeners.get(instance) === listener) say(listener);
      });
    if (!this.#isTelling) this.#tellUntold();
  }

  #tellUntold(): void {
    this.#isTelling = true;
    try {
      for (let tell = this.#untold.shift(); tell; tell = this.#untold.shift()) tell();
    } finally {
      this.#isTelling = false;
    }
  }
}
