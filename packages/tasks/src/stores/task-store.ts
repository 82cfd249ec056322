/**
 * The port of stores: what a store keeps of a task, and the few commands that it must be able to do. Everything that a task means is in its
 * text, which only the servers can read; a store compares versions, and finds what is due.
 */
import type { HeldAccount, HeldLimit, MaybePromise } from '@sigil-mcp/core';

/** A task, as a store keeps it. */
export interface StoredTask {
  /** 22 characters of `A-Z a-z 0-9 - _`. */
  readonly id: string;
  /** 1 when it is created, and one more with each change. */
  readonly version: number;
  /** Whose limits it counts against: a text of at most 64 characters of `A-Z a-z 0-9 - _`. */
  readonly holder: string;
  /** When a worker has to look at it, in milliseconds since 1970: a whole number. */
  readonly dueAt: number;
  /**
   * When nobody needs it any more, at the latest, in milliseconds since 1970: a whole number. A store that outlives its servers may
   * remove it then. For ever if left out; a store does not return it.
   */
  readonly keptUntil?: number;
  /** Whether its work has ended: it is only kept to be read. */
  readonly isEnded: boolean;
  /** Its state, sealed if the store can be read by others. Any well-formed text; it weighs what `bytesOf` says. */
  readonly text: string;
}

/** How many bytes the texts of tasks may have, of tasks that have ended, too. */
export interface TextRoom {
  /** The texts of one holder. */
  readonly bytesPerHolder: number;
  /** All texts. */
  readonly bytes: number;
}

/** How much a store may hold when a task is created. */
export interface TaskRoom extends TextRoom {
  /** Tasks of all clients whose work has not ended. */
  readonly tasks: number;
  /** Tasks of this holder whose work has not ended. */
  readonly tasksPerHolder: number;
}

/** The limits, in the order in which a store names the first that would be exceeded. */
export const LIMITS = [
  'tasks',
  'tasksPerHolder',
  'bytesPerHolder',
  'bytes',
] as const satisfies readonly (keyof TaskRoom)[];

/** A text with letters that V8 keeps in two bytes each: it keeps the whole text so. */
const WIDE = /[\u0100-\uffff]/;

/** The bytes of memory that a text takes: one for each character, or two for each if one of them is beyond Latin-1. */
export function bytesOf(text: string): number {
  return WIDE.test(text) ? 2 * text.length : text.length;
}

/** What a holder, or all of them, have in a store. */
export interface TaskCount {
  /** Tasks whose work has not ended. */
  readonly unended: number;
  /** Bytes of the texts of all tasks, as `bytesOf` weighs them. */
  readonly bytes: number;
}

/**
 * What is called when a task was changed, by this process or another: with the version that it has now, or that it had when it was removed.
 * It is called without an id where changes may have been missed; the version is 0 then.
 */
export type TaskChanged = (id: string | undefined, version: number) => void;

/**
 * Keeps the tasks of a server. Every command is atomic, and what has resolved is seen by every later command of any process that shares the
 * store. Commands of one process are done in the order of their calls, also those that do not wait for each other. Commands reject when the
 * store cannot be reached; then they may or may not have been done.
 *
 * `describeTaskStore` of `@sigil-mcp/tasks/testing` tests a store against this contract.
 */
export interface TaskStore {
  /** Whether tasks outlive the process, or others can read them: their texts are sealed then. */
  readonly isDurable: boolean;
  /**
   * Called once, before any other command.
   * @param server the name of the server whose tasks these are. Servers of different names see nothing of each other, also where they were
   * given the same data: a store either keeps them apart, or rejects
   * @param account where a store charges what it keeps in the memory of this process, and what it then has no room for; nothing is charged if
   * it is left out, as in tests of a store
   */
  open?(server: string, account?: HeldAccount): MaybePromise<void>;
  /** Called once, after the last command. */
  close?(): MaybePromise<void>;
  /**
   * Makes the id of a new task, for a store that spreads tasks by their ids. Nobody can guess it. If it is left out, ids are random.
   * @param holder whose task it will be
   */
  newId?(holder: string): string;
  /**
   * Keeps a new task, whose version is 1. If there is a task with this id already, nothing changes: a connection that breaks may deliver a
   * command twice.
   * @returns why there is no room: the first limit, in the order of `LIMITS`, that would be exceeded; undefined if it was created
   */
  create(task: StoredTask, room: TaskRoom): MaybePromise<keyof TaskRoom | HeldLimit | undefined>;
  /** The task with an id; undefined if it does not exist. */
  read(id: string): MaybePromise<StoredTask | undefined>;
  /**
   * Replaces a task, if the version in the store is the one before. The store keeps the holder that it was created with.
   * @param room the limits for a text that has more bytes than the one before; a text that does not grow needs no room. No limits if left out
   * @returns whether it was replaced; false if it was changed meanwhile, or removed; the first limit that would be exceeded, and then nothing
   * has changed
   */
  replace(task: StoredTask, room?: TextRoom): MaybePromise<boolean | keyof TextRoom | HeldLimit>;
  /** Removes a task, if it still has this version. Returns whether it was removed. */
  remove(id: string, version: number): MaybePromise<boolean>;
  /**
   * Makes room for a text: removes tasks that have ended, the first to end first, and no more than needed. Other commands may be done
   * meanwhile. If it is left out, tasks that have ended count until nobody needs them any more.
   * @param most how many bytes the texts may have then
   * @param holder whose texts and tasks are meant; those of all holders if left out
   * @returns whether the texts have no more bytes; false if those of tasks that have not ended have more: then none is removed
   */
  dropEnded?(most: number, holder?: string): MaybePromise<boolean>;
  /**
   * The ids of tasks whose `dueAt` is not after `now`, the earliest first, at most `limit`.
   * @param skip how many are left out at the beginning; none if left out
   */
  due(now: number, limit: number, skip?: number): MaybePromise<readonly string[]>;
  /**
   * The time of the store, in milliseconds since 1970. All times of tasks are measured with it, so that it does not matter what the clocks of
   * instances say. If it is left out, instances use their own, which must be right.
   */
  now?(): MaybePromise<number>;
  /** What a holder has in the store; all holders if left out. */
  count(holder?: string): MaybePromise<TaskCount>;
  /**
   * Calls back after every change by this process, before its command resolves, and as soon as possible after those of others.
   * @returns what ends it
   */
  watch(changed: TaskChanged): () => void;
}

// A store whose failures are reported: clients are only told that it is unreachable, and the operator needs the reason.

/** The commands of a store; each that fails is reported, and rejects then. */
export function reportedStore(store: TaskStore, failed: (error: unknown) => void): TaskStore {
  const run = async <T>(command: () => MaybePromise<T>): Promise<T> => {
    try {
      return await command();
    } catch (error) {
      failed(error);
      throw error;
    }
  };
  return {
    isDurable: store.isDurable,
    ...(store.newId && { newId: (holder) => store.newId?.(holder) ?? '' }),
    create: (task, room) => run(() => store.create(task, room)),
    read: (id) => run(() => store.read(id)),
    replace: (task, room) => run(() => store.replace(task, room)),
    remove: (id, version) => run(() => store.remove(id, version)),
    ...(store.now && { now: () => run(async () => (await store.now?.()) ?? 0) }),
    ...(store.dropEnded && {
      dropEnded: (most, holder) => run(async () => (await store.dropEnded?.(most, holder)) ?? false),
    }),
    due: (now, limit, skip) => run(() => store.due(now, limit, skip)),
    count: (holder) => run(() => store.count(holder)),
    watch: (changed) => store.watch(changed),
  };
}
