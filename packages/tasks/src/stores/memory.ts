/** Tasks in the memory of one process: they end with it. */
import type { StoredTask, TaskChanged, TaskCount, TaskRoom, TaskStore } from './task-store';
import { Watchers } from './watchers';

/** Keeps tasks in memory. A client that is sent to another instance does not find its tasks there. */
export class MemoryTaskStore implements TaskStore {
  readonly isDurable: boolean = false;
  readonly #tasks = new Map<string, StoredTask>();
  readonly #counts = new Map<string, TaskCount>();
  readonly #watchers = new Watchers();
  #all: TaskCount = NOTHING;
  /** No task is due before. */
  #earliest = Infinity;

  create(task: StoredTask, room: TaskRoom): keyof TaskRoom | undefined {
    if (this.#tasks.has(task.id)) return undefined;
    const held = plus(this.count(task.holder), task, 1);
    if (plus(this.#all, task, 1).unended > room.tasks) return 'tasks';
    if (held.unended > room.tasksPerHolder) return 'tasksPerHolder';
    if (held.text > room.textPerHolder) return 'textPerHolder';
    this.#put(task, undefined);
    return undefined;
  }

  read(id: string): StoredTask | undefined {
    return this.#tasks.get(id);
  }

  replace(task: StoredTask): boolean {
    const before = this.#tasks.get(task.id);
    if (before?.version !== task.version - 1) return false;
    this.#put({ ...task, holder: before.holder }, before);
    return true;
  }

  remove(id: string, version: number): boolean {
    const before = this.#tasks.get(id);
    if (before?.version !== version) return false;
    this.#tasks.delete(id);
    this.#add(before, -1);
    this.#watchers.tell(id, version);
    return true;
  }

  due(now: number, limit: number): readonly string[] {
    // Workers ask all the time, and mostly nothing is due.
    if (now < this.#earliest) return [];
    const due: StoredTask[] = [];
    this.#earliest = Infinity;
    for (const task of this.#tasks.values()) {
      this.#earliest = Math.min(this.#earliest, task.dueAt);
      if (task.dueAt <= now) due.push(task);
    }
    return due
      .sort((one, other) => one.dueAt - other.dueAt)
      .slice(0, limit)
      .map(({ id }) => id);
  }

  count(holder?: string): TaskCount {
    return holder === undefined ? this.#all : (this.#counts.get(holder) ?? NOTHING);
  }

  watch(changed: TaskChanged): () => void {
    return this.#watchers.add(changed);
  }

  #put(task: StoredTask, before: StoredTask | undefined): void {
    this.#tasks.set(task.id, task);
    this.#earliest = Math.min(this.#earliest, task.dueAt);
    if (before) this.#add(before, -1);
    this.#add(task, 1);
    this.#watchers.tell(task.id, task.version);
  }

  #add(task: StoredTask, sign: 1 | -1): void {
    this.#all = plus(this.#all, task, sign);
    const count = plus(this.count(task.holder), task, sign);
    if (count.unended === 0 && count.text === 0) this.#counts.delete(task.holder);
    else this.#counts.set(task.holder, count);
  }
}

const NOTHING: TaskCount = { unended: 0, text: 0 };

function plus({ unended, text }: TaskCount, task: StoredTask, sign: 1 | -1): TaskCount {
  return { unended: unended + (task.isEnded ? 0 : sign), text: text + sign * task.text.length };
}
