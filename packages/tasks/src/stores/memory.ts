/** Tasks in the memory of one process: they end with it. */
import {
  bytesOf,
  type StoredTask,
  type TaskChanged,
  type TaskCount,
  type TaskRoom,
  type TaskStore,
  type TextRoom,
} from './task-store';
import { Watchers } from './watchers';

/** A task, and what its text weighs. */
interface WeighedTask {
  readonly task: StoredTask;
  readonly bytes: number;
}

/** Keeps tasks in memory. A client that is sent to another instance does not find its tasks there. */
export class MemoryTaskStore implements TaskStore {
  readonly isDurable: boolean = false;
  readonly #tasks = new Map<string, WeighedTask>();
  readonly #counts = new Map<string, TaskCount>();
  readonly #watchers = new Watchers();
  #all: TaskCount = NOTHING;
  /** No task is due before. */
  #earliest = Infinity;

  create(task: StoredTask, room: TaskRoom): keyof TaskRoom | undefined {
    if (this.#tasks.has(task.id)) return undefined;
    const weighed = weigh(task);
    const [all, held] = [plus(this.#all, weighed, 1), plus(this.count(task.holder), weighed, 1)];
    if (all.unended > room.tasks) return 'tasks';
    if (held.unended > room.tasksPerHolder) return 'tasksPerHolder';
    const limit = exceeded(room, all.bytes, held.bytes);
    if (!limit) this.#put(weighed, undefined);
    return limit;
  }

  read(id: string): StoredTask | undefined {
    return this.#tasks.get(id)?.task;
  }

  replace(task: StoredTask, room?: TextRoom): boolean | keyof TextRoom {
    const before = this.#tasks.get(task.id);
    if (before?.task.version !== task.version - 1) return false;
    const { holder } = before.task;
    const next = weigh({ ...task, holder });
    const more = next.bytes - before.bytes;
    const limit = room && more > 0 && exceeded(room, this.#all.bytes + more, this.count(holder).bytes + more);
    if (limit) return limit;
    this.#put(next, before);
    return true;
  }

  remove(id: string, version: number): boolean {
    const before = this.#tasks.get(id);
    if (before?.task.version !== version) return false;
    this.#tasks.delete(id);
    this.#add(before, -1);
    this.#watchers.tell(id, version);
    return true;
  }

  due(now: number, limit: number, skip = 0): readonly string[] {
    // Workers ask all the time, and mostly nothing is due.
    if (now < this.#earliest) return [];
    const due: StoredTask[] = [];
    this.#earliest = Infinity;
    for (const { task } of this.#tasks.values()) {
      this.#earliest = Math.min(this.#earliest, task.dueAt);
      if (task.dueAt <= now) due.push(task);
    }
    return due
      .sort((one, other) => one.dueAt - other.dueAt)
      .slice(skip, skip + limit)
      .map(({ id }) => id);
  }

  count(holder?: string): TaskCount {
    return holder === undefined ? this.#all : (this.#counts.get(holder) ?? NOTHING);
  }

  watch(changed: TaskChanged): () => void {
    return this.#watchers.add(changed);
  }

  #put(next: WeighedTask, before: WeighedTask | undefined): void {
    const { task } = next;
    this.#tasks.set(task.id, next);
    this.#earliest = Math.min(this.#earliest, task.dueAt);
    if (before) this.#add(before, -1);
    this.#add(next, 1);
    this.#watchers.tell(task.id, task.version);
  }

  #add(weighed: WeighedTask, sign: 1 | -1): void {
    const { holder } = weighed.task;
    this.#all = plus(this.#all, weighed, sign);
    const count = plus(this.count(holder), weighed, sign);
    if (count.unended === 0 && count.bytes === 0) this.#counts.delete(holder);
    else this.#counts.set(holder, count);
  }
}

const NOTHING: TaskCount = { unended: 0, bytes: 0 };

function weigh(task: StoredTask): WeighedTask {
  return { task, bytes: bytesOf(task.text) };
}

function plus({ unended, bytes }: TaskCount, { task, bytes: own }: WeighedTask, sign: 1 | -1): TaskCount {
  return { unended: unended + (task.isEnded ? 0 : sign), bytes: bytes + sign * own };
}

/** The first limit that some texts exceed. */
function exceeded(room: TextRoom, all: number, held: number): keyof TextRoom | undefined {
  if (held > room.bytesPerHolder) return 'bytesPerHolder';
  return all > room.bytes ? 'bytes' : undefined;
}
