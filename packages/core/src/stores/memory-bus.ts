/** The bus of instances that run in one process, as in a test. */
import { randomUUID } from 'node:crypto';
import { outsideRequests } from '../values/outside-requests';
import type { BusListener, Change, InstanceBus } from './stores';

/** The number of changes that are kept, and of their characters: a change may have the result of a task in it. */
const [CHANGES, CHARACTERS] = [1000, 1024 * 1024];

/** Delivers to its listeners synchronously. Messages that a listener sends meanwhile are delivered next, so all see the same order. */
export class MemoryBus implements InstanceBus {
  readonly #listeners = new Map<string, BusListener>();
  readonly #untold: (() => void)[] = [];
  readonly #shared = new Map<string, string>();
  #isTelling = false;
  /** The others receive a message outside of the request that sends it. */
  readonly #outside = outsideRequests();
  /** The newest last; its position is the number of all changes ever announced. */
  readonly #changes: Change[] = [];
  #characters = 0;
  #count = 0;
  /** Positions of another bus, such as that of an earlier run of this process, are not valid here. */
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
    this.#characters += text.length;
    while (this.#changes.length > CHANGES || this.#characters > CHARACTERS)
      this.#characters -= this.#changes.shift()?.text.length ?? 0;
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

  swap(name: string, text: string): string | undefined {
    const before = this.#shared.get(name);
    this.#shared.set(name, text);
    return before;
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
    if (!this.#isTelling) this.#outside(() => this.#tellUntold());
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
