/** The tasks of a server: reads them from the store, and changes them there; of changes at the same time none is lost. */
import { randomBytes } from 'node:crypto';
import type { HeldLimit, Sealer } from '@sigil-mcp/core';
import { dueAt, isOver, keptUntil, pass } from './record/transitions';
import { isEnded, type TaskState } from './record/task-state';
import { isSameView } from './record/task-view';
import { bytesOf, type StoredTask, type TaskRoom, type TaskStore, type TextRoom } from './stores/task-store';
import type { StoreTime } from './store-time';

/**
 * Tasks that are due, and that this process leaves to others: it cannot open them, or does not have their tool. They do not stand in the way of
 * tasks that are due later.
 */
class LeftTasks {
  /** When each is looked at again, in milliseconds since 1970: no more than a store has tasks whose work has not ended. */
  readonly #until = new Map<string, number>();

  /** Leaves a task until a time, or until it changes. */
  leave(id: string, until: number): void {
    this.#until.set(id, until);
  }

  /** Whether a task is not to be looked at now. */
  has(id: string, now: number): boolean {
    const until = this.#until.get(id);
    if (until === undefined || until > now) return until !== undefined;
    this.#until.delete(id);
    return false;
  }

  /** A task was changed: it may be one for this process now. */
  forget(id: string): void {
    this.#until.delete(id);
  }
}

/** The next state of a task, or undefined if a change does not apply to it. */
export type TaskStep = (state: TaskState, now: number) => TaskState | undefined;

/** What a worker makes of a task that is due, if it leaves it to others until a time, in milliseconds since 1970. */
export class Leave {
  constructor(readonly until: number) {}
}

/** Why a change was not made: there is no room for what it adds. */
export class NoRoom {
  constructor(readonly limit: keyof TaskRoom | HeldLimit) {}
}

/** The parts of a board. */
export interface BoardOptions {
  readonly store: TaskStore;
  /** What the store may hold. */
  readonly room: TaskRoom;
  /** The time of the store. */
  readonly time: Pick<StoreTime, 'now'>;
  /** Seals the texts of a store that others can read; undefined for the memory of this process. */
  readonly sealer: Sealer | undefined;
  /** Called when clients would see a difference. */
  readonly changed: (state: TaskState) => void;
  /** Called for each task that is due and cannot be opened; again from time to time. */
  readonly unreadable: () => void;
}

const ID_BYTES = 16;
/** How often room is made for one text: another instance may take it at the same moment. */
const MOST_TRIES = 100;
/** The latest time that stores must be able to hold. */
const NEVER = Number.MAX_SAFE_INTEGER;
/** Milliseconds that a task is kept after it was due, if it cannot be opened: three days. */
const KEPT_UNREADABLE = 259_200_000;
/** Milliseconds until such a task is looked at again: another instance may have sealed it with a secret that this one has. */
const LOOK_AGAIN = 600_000;

/** All tasks of a server, in its store. */
export class TaskBoard {
  readonly #left = new LeftTasks();
  /** Resolves when room was made for all tasks that needed some so far: one after the other, so that none takes the room of another one. */
  #roomMade: Promise<unknown> = Promise.resolve();
  /** How many tasks that are due were seen before the next look begins. */
  #seen = 0;

  constructor(private readonly options: BoardOptions) {}

  /** The time of the store, in milliseconds since 1970. */
  now(): number {
    return this.options.time.now();
  }

  /** Makes an id that nobody guesses, for a task of a holder. */
  newId(holder: string): string {
    return this.options.store.newId?.(holder) ?? randomBytes(ID_BYTES).toString('base64url');
  }

  /**
   * Keeps a new task. A command whose reply is lost is sent once more: a store that has the task already changes nothing.
   * @returns the limit that has no room for it; undefined if it was created
   */
  async create(state: TaskState): Promise<keyof TaskRoom | HeldLimit | undefined> {
    const { store, room } = this.options;
    const task = this.#write(state, 1);
    const create = async (): Promise<keyof TaskRoom | HeldLimit | undefined> => {
      try {
        return await store.create(task, room);
      } catch {
        return store.create(task, room);
      }
    };
    return this.#makingRoom(create, task);
  }

  /**
   * A task, as it is now; undefined if it does not exist, or cannot be read by this server. If its time has ended, or its worker is lost, that
   * is written first: a client that has seen the end of a task never sees another one.
   */
  async read(id: string): Promise<TaskState | undefined> {
    for (;;) {
      const stored = await this.options.store.read(id);
      const state = stored && this.#open(stored);
      const now = this.now();
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
   * @param step the next state; or until when the task is left to others, unless it changes
   * @returns as `change` does
   */
  async attend(
    id: string,
    step: (state: TaskState, now: number) => TaskState | Leave | undefined,
  ): Promise<TaskState | undefined> {
    const { store } = this.options;
    for (;;) {
      const stored = await store.read(id);
      if (!stored) return undefined;
      const now = this.now();
      const before = this.#open(stored);
      const isUseless = before ? isOver(before, now) : this.#isUseless(stored, now);
      if (isUseless) await store.remove(id, stored.version);
      if (isUseless || !before) return undefined;
      const next = step(before, now);
      if (next instanceof Leave) this.#left.leave(id, next.until);
      if (!next || next instanceof Leave) return undefined;
      if (await this.#put(next, { stored, before }, undefined)) return next;
    }
  }

  /**
   * The ids of tasks that a worker has to look at, the earliest first, at most so many. If there are more, the next look goes on where this one
   * has stopped: those that wait for a worker do not hide the others. Those that were left to others are not among them.
   */
  async due(limit: number): Promise<readonly string[]> {
    const now = this.now();
    const ids = await this.options.store.due(now, limit, this.#seen);
    this.#seen = ids.length < limit ? 0 : this.#seen + limit;
    return ids.filter((id) => !this.#left.has(id, now));
  }

  /** Calls back with the ids of tasks that were changed; undefined where changes may have been missed. */
  watch(changed: (id: string | undefined) => void): () => void {
    return this.options.store.watch((id) => {
      if (id !== undefined) this.#left.forget(id);
      changed(id);
    });
  }

  async #change(id: string, step: TaskStep, room: TextRoom | undefined): Promise<TaskState | NoRoom | undefined> {
    for (;;) {
      const stored = await this.options.store.read(id);
      const before = stored && this.#open(stored);
      const next = before && step(before, this.now());
      if (!next) return undefined;
      const answer = await this.#put(next, { stored, before }, room);
      if (typeof answer === 'string') return new NoRoom(answer);
      if (answer) return next;
    }
  }

  /** Makes a step. Returns `late` if the task was changed meanwhile. */
  async #replace(stored: StoredTask, before: TaskState, step: TaskStep): Promise<TaskState | undefined | 'late'> {
    const next = step(before, this.now());
    if (!next) return undefined;
    return (await this.#put(next, { stored, before }, undefined)) ? next : 'late';
  }

  /** Writes the next state of a task. Answers as the store does. */
  async #put(
    next: TaskState,
    { stored, before }: { readonly stored: StoredTask; readonly before: TaskState },
    room: TextRoom | undefined,
  ): Promise<boolean | keyof TextRoom | HeldLimit> {
    const task = this.#write(next, stored.version + 1);
    const answer = await this.#makingRoom(async () => this.options.store.replace(task, room), task, stored);
    if (answer === true && !isSameView(before, next, this.now())) this.options.changed(next);
    return answer;
  }

  /** Writes a text; where a limit of bytes has no room for it, again without tasks that have ended. */
  async #makingRoom<T>(write: () => Promise<T>, task: StoredTask, before?: StoredTask): Promise<T> {
    const { store, room } = this.options;
    const retry = async (refused: T): Promise<T> => {
      const more = bytesOf(task.text) - (before ? bytesOf(before.text) : 0);
      let answer = refused;
      for (let tries = 0; isOfBytes(answer) && tries < MOST_TRIES; tries++) {
        const whose = answer === 'bytes' ? undefined : task.holder;
        if (!(await store.dropEnded?.(room[answer] - more, whose))) break;
        answer = await write();
      }
      return answer;
    };
    const answer = await write();
    if (!isOfBytes(answer)) return answer;
    const made = this.#roomMade.then(() => retry(answer));
    this.#roomMade = made.catch(() => undefined);
    return made;
  }

  /** Whether nobody needs a task that cannot be opened here. Its time and its end stand next to the text. */
  #isUseless(stored: StoredTask, now: number): boolean {
    if (stored.dueAt > now) return false;
    if (stored.isEnded) return true;
    this.options.unreadable();
    const end = stored.dueAt + KEPT_UNREADABLE;
    this.#left.leave(stored.id, Math.min(now + LOOK_AGAIN, end));
    return end <= now;
  }

  #write(state: TaskState, version: number): StoredTask {
    const { id, holder } = state;
    const text = JSON.stringify(state);
    const { sealer } = this.options;
    return {
      id,
      version,
      holder,
      dueAt: Math.min(dueAt(state), NEVER),
      keptUntil: Math.min(keptUntil(state), NEVER),
      isEnded: isEnded(state),
      // An earlier text of the task is not the text of this version.
      text: sealer ? sealer.seal(`${version} ${text}`) : text,
    };
  }

  #open({ id, version, text }: StoredTask): TaskState | undefined {
    const { sealer } = this.options;
    const opened = sealer ? withoutPrefix(sealer.open(text), `${version} `) : text;
    // Written by this code: in this process, or sealed.
    const state = opened === undefined ? undefined : (JSON.parse(opened) as TaskState);
    // A sealed text that was moved under another id is not the task of that id.
    return state?.id === id ? state : undefined;
  }
}

function isOfBytes(answer: unknown): answer is keyof TextRoom {
  return answer === 'bytes' || answer === 'bytesPerHolder';
}

function withoutPrefix(text: string | undefined, prefix: string): string | undefined {
  return text?.startsWith(prefix) ? text.slice(prefix.length) : undefined;
}
