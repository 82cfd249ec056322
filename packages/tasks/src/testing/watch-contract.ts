/** How a store must report changes. */
import { deepEqual, ok } from 'node:assert/strict';
import type { StoredTask, TaskStore } from '../stores/task-store';
import { newTask, nextOf, ROOM, until, type TaskContract } from './suite';

/** Keeps the calls of one watcher. */
class Calls {
  readonly calls: string[] = [];
  readonly stop: () => void;

  constructor(store: TaskStore) {
    this.stop = store.watch((id, version) => this.calls.push(`${id ?? 'all'} ${version}`));
  }

  /** Waits until a change of this task is reported: by its id, or because changes may have been missed. */
  async hears({ id, version }: StoredTask, before: number): Promise<void> {
    const isHeard = (): boolean =>
      this.calls.slice(before).some((call) => call === 'all 0' || call === `${id} ${version}`);
    await until(isHeard);
    ok(isHeard(), `${id} ${version} is not among ${JSON.stringify(this.calls.slice(before))}`);
  }
}

/** The contract of `watch`. */
export const WATCH_CONTRACT: TaskContract = {
  'reports a change of its own before the command resolves, with the version': async (store) => {
    const task = newTask(store);
    const one = new Calls(store);
    const reports = async (version: number, run: () => unknown): Promise<void> => {
      const before = one.calls.length;
      await run();
      ok(one.calls.slice(before).includes(`${task.id} ${version}`), JSON.stringify(one.calls.slice(before)));
    };
    await reports(1, () => store.create(task, ROOM));
    await reports(2, () => store.replace(nextOf(task)));
    await reports(2, () => store.remove(task.id, 2));
    await store.create({ ...task, isEnded: true }, ROOM);
    await reports(1, () => (store.dropEnded ? store.dropEnded(0) : store.remove(task.id, 1)));
    one.stop();
  },
  'reports nothing where nothing has changed': async (store) => {
    const [task, refused, last] = [newTask(store), newTask(store), newTask(store)];
    await store.create(task, ROOM);
    const one = new Calls(store);
    await store.create(task, ROOM);
    await store.create(refused, { ...ROOM, tasks: 1 });
    await store.replace(task);
    await store.replace({ ...task, version: 3 });
    await store.remove(task.id, 2);
    await store.read(task.id);
    await store.create(last, ROOM);
    deepEqual(
      one.calls.filter((call) => call !== 'all 0'),
      [`${last.id} 1`],
    );
    one.stop();
  },
  'reports the changes of other processes': async (store, another) => {
    const calls = new Calls(another);
    const task = newTask(store);
    const change = async (next: StoredTask, run: () => unknown): Promise<void> => {
      const before = calls.calls.length;
      await run();
      await calls.hears(next, before);
    };
    await change(task, () => store.create(task, ROOM));
    await change(nextOf(task), () => store.replace(nextOf(task)));
    await change(nextOf(task), () => store.remove(task.id, 2));
    const ended = newTask(store, { isEnded: true });
    await store.create(ended, ROOM);
    await change(ended, () => (store.dropEnded ? store.dropEnded(0) : store.remove(ended.id, 1)));
    calls.stop();
  },
  'reports to every watcher until it stops': async (store, another) => {
    const [stopped, own, others] = [new Calls(store), new Calls(store), new Calls(another)];
    const [first, second] = [newTask(store), newTask(store)];
    await store.create(first, ROOM);
    stopped.stop();
    // Stopping again changes nothing.
    stopped.stop();
    const [before, heard] = [others.calls.length, stopped.calls.length];
    await store.create(second, ROOM);
    await own.hears(second, 0);
    await others.hears(second, before);
    deepEqual(stopped.calls.slice(heard), []);
    own.stop();
    others.stop();
  },
  'reports again to who watches after all have stopped': async (store, another) => {
    new Calls(another).stop();
    const calls = new Calls(another);
    const task = newTask(store);
    await store.create(task, ROOM);
    await calls.hears(task, 0);
    calls.stop();
  },
};
