/** The parts of which the contract of stores is made: a test runner, stores that are opened for each test, and tasks. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MaybePromise } from '@sigil-mcp/core';
import { taskStoreError } from '../stores/errors';
import type { StoredTask, TaskRoom, TaskStore } from '../stores/task-store';

/** A store without tasks, for one test. The test calls `open` and `close` of the stores. */
export interface OpenedTaskStore {
  readonly store: TaskStore;
  /** The store of another process on the same data. If it is left out, the tests use one store for both. */
  readonly another?: TaskStore;
  /** The store of a server with another name that was given the same data; left out where data cannot be shared. */
  readonly foreign?: TaskStore;
  /** Called after the stores were closed, to remove what the test has left. */
  close?(): MaybePromise<void>;
}

/** The functions of a test runner that declare tests. */
export interface TestFramework {
  readonly describe: (title: string, declare: () => void) => unknown;
  readonly it: (title: string, run: () => Promise<void>) => unknown;
}

/**
 * Requirements, each with a test that proves it. A test receives the store of one process and that of another, both open, and that of another
 * server, which is not.
 */
export type TaskContract = Readonly<
  Record<string, (store: TaskStore, another: TaskStore, foreign: TaskStore | undefined) => Promise<void>>
>;

/** Declares a contract. */
export function declareContract(
  contract: TaskContract,
  open: () => MaybePromise<OpenedTaskStore>,
  { it }: TestFramework,
): void {
  for (const [sentence, show] of Object.entries(contract))
    it(sentence, async () => {
      const opened = await open();
      const { store, another = store } = opened;
      const stores = [...new Set([store, another])];
      try {
        for (const each of stores) await each.open?.(SERVER);
        await show(store, another, opened.foreign);
      } finally {
        for (const each of stores) await each.close?.();
        await opened.close?.();
      }
    });
}

/**
 * The functions that a test runner has put into the global scope.
 * @throws SigilError if they do not exist
 */
export function globalFramework(): TestFramework {
  // Test runners put their functions where the language has no type for them.
  const { describe, it } = globalThis as Partial<TestFramework>;
  if (!describe || !it) throw taskStoreError('SIGIL_TASKS_TEST_FRAMEWORK');
  return { describe, it };
}

/** The server that the tasks of a test belong to. */
const SERVER = 'server of the tests';

/** Room for every task of a test. */
export const ROOM: TaskRoom = { tasks: 1000, tasksPerHolder: 1000, bytesPerHolder: 100_000_000, bytes: Infinity };

/** A task that no other test has, with an id that the store has made, if it makes ids. */
export function newTask(store: TaskStore, { holder = 'someone', ...fields }: Partial<StoredTask> = {}): StoredTask {
  const id = store.newId?.(holder) ?? randomBytes(16).toString('base64url');
  return { id, version: 1, holder, dueAt: 1_800_000_000_000, isEnded: false, text: '{}', ...fields };
}

/** The next version of a task. */
export function nextOf(task: StoredTask, fields: Partial<StoredTask> = {}): StoredTask {
  return { ...task, version: task.version + 1, ...fields };
}

/** The fields of a task as a test compares them: a store may return objects of any class. */
export function fieldsOf(task: StoredTask | undefined): StoredTask | undefined {
  if (!task) return undefined;
  const { id, version, holder, dueAt, isEnded, text } = task;
  return { id, version, holder, dueAt, isEnded, text };
}

/** Milliseconds after which a condition does not hold any more: most test runners give a test less. */
const PATIENCE = 45_000;

/** Waits until a condition holds, or for 45 seconds: the assertion that follows reports what is missing. */
export async function until(holds: () => boolean): Promise<void> {
  for (const end = performance.now() + PATIENCE; !holds() && performance.now() < end;) await sleep(5);
}
