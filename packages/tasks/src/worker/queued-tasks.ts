/** Tasks that are ready, and wait for a place in this process. */
import { ClientTurns, type Places } from '@sigil-mcp/core/adapter';

/** A task that waits. */
interface QueuedTask {
  readonly holder: string;
  /** When its time ends, in milliseconds since 1970: it is ended then, also if its turn has not come. */
  readonly end: number;
}

/** Holders take turns. */
export class QueuedTasks {
  readonly #tasks = new Map<string, QueuedTask>();
  readonly #turns = new ClientTurns<string>();

  get size(): number {
    return this.#tasks.size;
  }

  has(id: string): boolean {
    return this.#tasks.has(id);
  }

  add(id: string, task: QueuedTask): void {
    if (this.#tasks.has(id)) return;
    this.#tasks.set(id, task);
    this.#turns.add(task.holder, id);
  }

  /** Forgets a task: it has changed, or is looked at. */
  delete(id: string): void {
    const task = this.#tasks.get(id);
    if (task) this.#turns.delete(task.holder, id);
    this.#tasks.delete(id);
  }

  /** Forgets all: any of them may have changed. */
  clear(): void {
    for (const id of [...this.#tasks.keys()]) this.delete(id);
  }

  /** Takes the next task whose holder may have a place, which it has then. */
  take(places: Places): { readonly id: string; readonly holder: string } | undefined {
    const id = this.#turns.take(places)?.item;
    const task = id === undefined ? undefined : this.#tasks.get(id);
    if (id === undefined || !task) return undefined;
    this.#tasks.delete(id);
    return { id, holder: task.holder };
  }

  /** Takes out those whose time has ended. */
  ended(now: number): readonly string[] {
    const ids = [...this.#tasks].filter(([, { end }]) => end <= now).map(([id]) => id);
    for (const id of ids) this.delete(id);
    return ids;
  }
}
