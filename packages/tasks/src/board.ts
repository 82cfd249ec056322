/** The tasks of a server: reads them from the store, and changes them there; of changes at the same time none is lost. */
import type { Clock, Sealer } from '@sigil-mcp/core';
import { dueAt, isOver, pass } from './record/transitions';
import { isEnded, type TaskState } from './record/task-state';
import { isSameView } from './record/task-view';
import type { StoredTask, TaskRoom, TaskStore, TextRoom } from './stores/task-store';
import { UnreadableTasks } from './unreadable-tasks';

/** The next state of a task, or undefined if a change does not apply to it. */
export type TaskStep = (state: TaskState, now: number) => TaskState | undefined;

/** Why a change was not made: there is no room for what it adds. */
export class NoRoom {
  constructor(readonly limit: keyof TaskRoom) {}
}

/** The parts of a board. */
export interface BoardOptions {
  readonly store: TaskStore;
  /** What the store may hold. */
  readonly room: TaskRoom;
  readonly clock: Clock;
  /** Seals the texts of a store that others can read; undefined for the memory of this process. */
  readonly sealer: Sealer | undefined;
  /** Called when clients would see a difference. */
  readonly changed: (state: TaskState) => void;
  /** Called for each task that is due and cannot be opened; again from time to time. */
  readonly unreadable: () => void;
}

/** The latest time that stores must be able to hold. */
const NEVER = Number.MAX_SAFE_INTEGER;

/** All tasks of a server, in its store. */
export class TaskBoard {
  readonly #unreadable = new UnreadableTasks();

  constructor(private readonly options: BoardOptions) {}

  /**
   * Keeps a new task. A command whose reply is lost is sent once more: a store that has the task already changes nothing.
   * @returns the limit that has no room for it; undefined if it was created
   */
  async create(state: TaskState): Promise<keyof TaskRoom | undefined> {
    const { store, room } = this.options;
    const task = this.#write(state, 1);
    try {
      return await store.create(task, room);
    } catch {
      return store.create(task, room);
    }
  }

  /**
   * A task, as it is now; undefined if it does not exist, or cannot be read by this server. If its time has ended, or its worker is lost, that
   * is written first: a client that has seen the end of a task never sees another one.
   */
  async read(id: string): Promise<TaskState | undefined> {
    for (;;) {
      const stored = await this.options.store.read(id);
      const state = stored && this.#open(stored);
      const now = this.options.clock.now();
      if (!state || isOver(state, now)) return undefined;
      if (!pass(state, now)) return state;
      const made = await this.#replace(stored, state, pass);
      if (made && made !== 'late') return made;
    }
  }

  /**
   * Changes a task, on top of all changes that were made before.
   * @returns the new state; undefined if the change does not apply, or if there is no such task
   */
  async change(id: string, step: TaskStep): Promise<TaskState | undefined> {
    // Without limits there is always room.
    return (await this.#change(id, step, undefined)) as TaskState | undefined;
  }

  /**
   * Changes a task by what a client or a handler adds to it, which the limits have to allow. What the server itself notes, such as a lease or a
   * short error, has no limit: every task can end.
   * @returns as `change` does, or why there is no room: the task is as it was then
   */
  grow(id: string, step: TaskStep): Promise<TaskState | NoRoom | undefined> {
    return this.#change(id, step, this.options.room);
  }

  /**
   * Changes a task that is due; one that is kept no longer is removed instead. A task that cannot be opened is left to other instances, and
   * removed three days after it was due: by then its secret is gone everywhere.
   * @returns as `change` does
   */
  async attend(id: string, step: TaskStep): Promise<TaskState | undefined> {
    const { store, clock } = this.options;
    for (;;) {
      const stored = await store.read(id);
      if (!stored) return undefined;
      const now = clock.now();
      const before = this.#open(stored);
      const isUseless = before ? isOver(before, now) : this.#isUseless(stored, now);
      if (isUseless) await store.remove(id, stored.version);
      if (isUseless || !before) return undefined;
      const made = await this.#replace(stored, before, step);
      if (made !== 'late') return made;
    }
  }

  /** The ids of tasks that a worker has to look at, the earliest first, at most so many. Those that it could not open are left out. */
  async due(limit: number): Promise<readonly string[]> {
    const now = this.options.clock.now();
    const ids = await this.options.store.due(now, limit + this.#unreadable.size);
    return ids.filter((id) => !this.#unreadable.has(id, now)).slice(0, limit);
  }

  /** Calls back with the ids of tasks that were changed; undefined where changes may have been missed. */
  watch(changed: (id: string | undefined) => void): () => void {
    return this.options.store.watch((id) => {
      if (id !== undefined) this.#unreadable.forget(id);
      changed(id);
    });
  }

  async #change(id: string, step: TaskStep, room: TextRoom | undefined): Promise<TaskState | NoRoom | undefined> {
    for (;;) {
      const stored = await this.options.store.read(id);
      const before = stored && this.#open(stored);
      const next = before && step(before, this.options.clock.now());
      if (!next) return undefined;
      const answer = await this.#put(next, { stored, before }, room);
      if (typeof answer === 'string') return new NoRoom(answer);
      if (answer) return next;
    }
  }

  /** Makes a step. Returns `late` if the task was changed meanwhile. */
  async #replace(stored: StoredTask, before: TaskState, step: TaskStep): Promise<TaskState | undefined | 'late'> {
    const next = step(before, this.options.clock.now());
    if (!next) return undefined;
    return (await this.#put(next, { stored, before }, undefined)) ? next : 'late';
  }

  /** Writes the next state of a task. Answers as the store does. */
  async #put(
    next: TaskState,
    { stored, before }: { readonly stored: StoredTask; readonly before: TaskState },
    room: TextRoom | undefined,
  ): Promise<boolean | keyof TextRoom> {
    const answer = await this.options.store.replace(this.#write(next, stored.version + 1), room);
    if (answer === true && !isSameView(before, next)) this.options.changed(next);
    return answer;
  }

  /** Whether nobody needs a task that cannot be opened here. Its time and its end stand next to the text. */
  #isUseless(stored: StoredTask, now: number): boolean {
    if (stored.dueAt > now) return false;
    if (stored.isEnded) return true;
    this.options.unreadable();
    return !this.#unreadable.add(stored, now);
  }

  #write(state: TaskState, version: number): StoredTask {
    const { id, holder } = state;
    const text = JSON.stringify(state);
    return {
      id,
      version,
      holder,
      dueAt: Math.min(dueAt(state), NEVER),
      isEnded: isEnded(state),
      text: this.options.sealer?.seal(text) ?? text,
    };
  }

  #open({ id, text }: StoredTask): TaskState | undefined {
    const { sealer } = this.options;
    const opened = sealer ? sealer.open(text) : text;
    // Written by this code: in this process, or sealed.
    const state = opened === undefined ? undefined : (JSON.parse(opened) as TaskState);
    // A sealed text that was moved under another id is not the task of that id.
    return state?.id === id ? state : undefined;
  }
}
