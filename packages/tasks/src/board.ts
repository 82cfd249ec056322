/** The tasks of a server: reads them from the store, and changes them there; of changes at the same time none is lost. */
import type { Clock, MaybePromise, Sealer } from '@sigil-mcp/core';
import { dueAt, isOver, pass } from './record/transitions';
import { isEnded, type TaskState } from './record/task-state';
import { isSameView } from './record/task-view';
import type { StoredTask, TaskRoom, TaskStore } from './stores/task-store';

/** The next state of a task, or undefined if a change does not apply to it. */
export type TaskStep = (state: TaskState, now: number) => TaskState | undefined;

/** The parts of a board. */
export interface BoardOptions {
  readonly store: TaskStore;
  readonly clock: Clock;
  /** Seals the texts of a store that others can read; undefined for the memory of this process. */
  readonly sealer: Sealer | undefined;
  /** Called when clients would see a difference. */
  readonly changed: (state: TaskState) => void;
}

/** The latest time that stores must be able to hold. */
const NEVER = Number.MAX_SAFE_INTEGER;

/** All tasks of a server, in its store. */
export class TaskBoard {
  constructor(private readonly options: BoardOptions) {}

  /** Keeps a new task. Returns the limit that has no room for it; undefined if it was created. */
  create(state: TaskState, room: TaskRoom): MaybePromise<keyof TaskRoom | undefined> {
    return this.options.store.create(this.#write(state, 1), room);
  }

  /** A task, as it is now; undefined if it does not exist, or cannot be read by this server. */
  async read(id: string): Promise<TaskState | undefined> {
    const stored = await this.options.store.read(id);
    const state = stored && this.#open(stored);
    const now = this.options.clock.now();
    if (!state || isOver(state, now)) return undefined;
    return pass(state, now) ?? state;
  }

  /**
   * Changes a task, on top of all changes that were made before.
   * @returns the new state; undefined if the change does not apply, or if there is no such task
   */
  async change(id: string, step: TaskStep): Promise<TaskState | undefined> {
    const { store, clock, changed } = this.options;
    for (;;) {
      const stored = await store.read(id);
      const before = stored && this.#open(stored);
      const next = before && step(before, clock.now());
      if (!stored || !next) return undefined;
      if (!(await store.replace(this.#write(next, stored.version + 1)))) continue;
      if (!isSameView(before, next)) changed(next);
      return next;
    }
  }

  /** Removes a task that is kept no longer. */
  async remove(id: string): Promise<void> {
    const stored = await this.options.store.read(id);
    const state = stored && this.#open(stored);
    // A text that cannot be read was sealed with a secret that is gone.
    const isUseless = state ? isOver(state, this.options.clock.now()) : stored !== undefined;
    if (stored && isUseless) await this.options.store.remove(id, stored.version);
  }

  /** The ids of tasks that a worker has to look at, at most so many. */
  due(limit: number): MaybePromise<readonly string[]> {
    return this.options.store.due(this.options.clock.now(), limit);
  }

  /** Calls back with the ids of tasks that were changed; undefined where changes may have been missed. */
  watch(changed: (id: string | undefined) => void): () => void {
    return this.options.store.watch((id) => changed(id));
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
