/** The callbacks that a store calls after changes. */
import type { TaskChanged } from './task-store';

/** Each callback that was added is called once for each change, until it is removed. */
export class Watchers {
  readonly #watchers = new Set<{ readonly changed: TaskChanged }>();

  get size(): number {
    return this.#watchers.size;
  }

  /** Adds a callback. Returns what removes it. */
  add(changed: TaskChanged): () => void {
    const watcher = { changed };
    this.#watchers.add(watcher);
    return () => void this.#watchers.delete(watcher);
  }

  /** Calls all of them. One that is removed meanwhile is not called. */
  tell(id: string | undefined, version: number): void {
    for (const watcher of [...this.#watchers]) if (this.#watchers.has(watcher)) watcher.changed(id, version);
  }
}
