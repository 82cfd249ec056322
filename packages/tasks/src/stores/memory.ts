/** Tasks in the memory of one process: they end with it. */
import { DROPPED } from '@sigil-mcp/core/internal';
import type { HeldAccount, HeldLimit, Holding } from '@sigil-mcp/core';
import {
  bytesOf,
  type StoredTask,
  type TaskChanged,
  type TaskCount,
  type TaskRoom,
  type TaskStore,
  type TextRoom,
} from './task-store';

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

/** A task, and what its text weighs. */
interface WeighedTask {
  readonly task: StoredTask;
  readonly bytes: number;
}

/** What a holder, or all of them, have, and how much of it nobody works with. */
interface HeldCount extends TaskCount {
  readonly ended: number;
  readonly endedBytes: number;
}

/** What a task takes in memory in addition to its text. */
const OVERHEAD = 768;

/**
 * Keeps tasks in memory, which the server that opens it counts among what clients make it hold. A client that is sent to another instance does
 * not find its tasks there.
 */
export class MemoryTaskStore implements TaskStore {
  readonly isDurable: boolean = false;
  readonly #tasks = new Map<string, WeighedTask>();
  /** The ids of tasks that have ended, the first to end first. */
  readonly #ended = new Set<string>();
  readonly #counts = new Map<string, HeldCount>();
  readonly #watchers = new Watchers();
  #all: HeldCount = NOTHING;
  /** No task is due before. */
  #earliest = Infinity;
  #account: HeldAccount | undefined;
  /** What is charged to the account, by the holders of the tasks. */
  readonly #charged = new Map<string, Holding>();
  #leave: (() => void) | undefined;

  open(_server: string, account?: HeldAccount): void {
    this.#account = account;
    this.#leave = account?.keep({
      order: DROPPED.results,
      droppable: (holder) => {
        const { ended, endedBytes } = this.#countOf(holder);
        return endedBytes + ended * OVERHEAD;
      },
      drop: (bytes, holder) => this.#drop(bytes, holder, OVERHEAD),
    });
    for (const { task, bytes } of this.#tasks.values()) this.#change(task.holder, bytes + OVERHEAD);
  }

  close(): void {
    this.#leave?.();
    for (const charged of this.#charged.values()) charged.release();
    this.#charged.clear();
    this.#account = undefined;
  }

  create(task: StoredTask, room: TaskRoom): keyof TaskRoom | HeldLimit | undefined {
    if (this.#tasks.has(task.id)) return undefined;
    const weighed = weigh(task);
    const [all, held] = [plus(this.#all, weighed, 1), plus(this.#countOf(task.holder), weighed, 1)];
    if (all.unended > room.tasks) return 'tasks';
    if (held.unended > room.tasksPerHolder) return 'tasksPerHolder';
    const limit = exceeded(room, all.bytes, held.bytes) ?? this.#charge(task.holder, weighed.bytes + OVERHEAD);
    if (!limit) this.#put(weighed, undefined);
    return limit;
  }

  read(id: string): StoredTask | undefined {
    return this.#tasks.get(id)?.task;
  }

  replace(task: StoredTask, room?: TextRoom): boolean | keyof TextRoom | HeldLimit {
    const before = this.#tasks.get(task.id);
    if (before?.task.version !== task.version - 1) return false;
    const { holder } = before.task;
    const next = weigh({ ...task, holder });
    const limit = this.#grow(next, before, room);
    if (limit) return limit;
    this.#put(next, before);
    return true;
  }

  remove(id: string, version: number): boolean {
    const before = this.#tasks.get(id);
    if (before?.task.version !== version) return false;
    this.#tasks.delete(id);
    this.#ended.delete(id);
    this.#add(before, -1);
    this.#change(before.task.holder, -before.bytes - OVERHEAD);
    this.#watchers.tell(id, version);
    return true;
  }

  dropEnded(most: number, holder?: string): boolean {
    const { bytes, endedBytes } = this.#countOf(holder);
    if (bytes - endedBytes > most) return false;
    this.#drop(bytes - most, holder, 0);
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
    const { unended, bytes } = this.#countOf(holder);
    return { unended, bytes };
  }

  watch(changed: TaskChanged): () => void {
    return this.#watchers.add(changed);
  }

  /** Makes room for a text that has more bytes than the one before; for one that has fewer, there is room. */
  #grow(next: WeighedTask, before: WeighedTask, room: TextRoom | undefined): keyof TextRoom | HeldLimit | undefined {
    const { holder } = before.task;
    const more = next.bytes - before.bytes;
    if (room && more > 0)
      return exceeded(room, this.#all.bytes + more, this.#countOf(holder).bytes + more) ?? this.#charge(holder, more);
    this.#change(holder, more);
    return undefined;
  }

  #put(next: WeighedTask, before: WeighedTask | undefined): void {
    const { task } = next;
    this.#tasks.set(task.id, next);
    if (task.isEnded) this.#ended.add(task.id);
    else this.#ended.delete(task.id);
    this.#earliest = Math.min(this.#earliest, task.dueAt);
    if (before) this.#add(before, -1);
    this.#add(next, 1);
    this.#watchers.tell(task.id, task.version);
  }

  #countOf(holder: string | undefined): HeldCount {
    return holder === undefined ? this.#all : (this.#counts.get(holder) ?? NOTHING);
  }

  #add(weighed: WeighedTask, sign: 1 | -1): void {
    const { holder } = weighed.task;
    this.#all = plus(this.#all, weighed, sign);
    const count = plus(this.#countOf(holder), weighed, sign);
    if (count.unended === 0 && count.ended === 0) this.#counts.delete(holder);
    else this.#counts.set(holder, count);
  }

  /** Charges bytes for a holder. @returns the limit of the server that leaves no room for them */
  #charge(holder: string, bytes: number): HeldLimit | undefined {
    const charged = this.#chargeOf(holder);
    const limit = charged?.grow(bytes);
    // Room may have been made by dropping all tasks of this holder.
    if (charged) this.#keepCharge(holder, charged);
    return limit;
  }

  /** Charges more bytes, or fewer, if negative, which is never refused. */
  #change(holder: string, bytes: number): void {
    const charged = this.#chargeOf(holder);
    charged?.add(bytes);
    if (charged) this.#keepCharge(holder, charged);
  }

  #chargeOf(holder: string): Holding | undefined {
    return this.#charged.get(holder) ?? this.#account?.hold(holder, 'tasks');
  }

  #keepCharge(holder: string, charged: Holding): void {
    if (charged.bytes === 0) this.#charged.delete(holder);
    else this.#charged.set(holder, charged);
  }

  /**
   * Removes tasks that have ended, the first to end first, until so many bytes are free.
   * @param overhead what a task takes in addition to its text
   */
  #drop(bytes: number, holder: string | undefined, overhead: number): void {
    let missing = bytes;
    for (const id of this.#ended) {
      if (missing <= 0) return;
      const ended = this.#tasks.get(id);
      if (!ended || (holder !== undefined && ended.task.holder !== holder)) continue;
      this.remove(id, ended.task.version);
      missing -= ended.bytes + overhead;
    }
  }
}

const NOTHING: HeldCount = { unended: 0, bytes: 0, ended: 0, endedBytes: 0 };

function weigh(task: StoredTask): WeighedTask {
  return { task, bytes: bytesOf(task.text) };
}

function plus(count: HeldCount, { task, bytes }: WeighedTask, sign: 1 | -1): HeldCount {
  const [unended, ended] = task.isEnded ? [0, sign] : [sign, 0];
  return {
    unended: count.unended + unended,
    bytes: count.bytes + sign * bytes,
    ended: count.ended + ended,
    endedBytes: count.endedBytes + ended * bytes,
  };
}

/** The first limit that some texts exceed. */
function exceeded(room: TextRoom, all: number, held: number): keyof TextRoom | undefined {
  if (held > room.bytesPerHolder) return 'bytesPerHolder';
  return all > room.bytes ? 'bytes' : undefined;
}
