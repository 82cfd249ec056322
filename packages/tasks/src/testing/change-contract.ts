/** What a store must do when tasks are replaced and removed, and what it finds and counts then. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import type { StoredTask, TaskCount, TaskStore, TextRoom } from '../stores/task-store';
import { fieldsOf, newTask, nextOf, ROOM, until, type TaskContract } from './suite';

/** Long after every `dueAt`. */
const LATER = Number.MAX_SAFE_INTEGER;

/** What a store finds, as an array of this program: a store may return one of another kind. */
async function dueOf(store: TaskStore, now: number, limit: number): Promise<string[]> {
  return [...(await store.due(now, limit))];
}

/** A list of different times, in no order. */
const TIMES = [5000, 1000, 4000, 2000, 3000, 1_900_000_000_000, 0];

/** The contract of the other commands. */
export const CHANGE_CONTRACT: TaskContract = {
  'replaces a task by its next version, and by no other': async (store, another) => {
    const task = newTask(store);
    await store.create(task, ROOM);
    const next = nextOf(task, { text: 'next', dueAt: 17, isEnded: true });
    for (const version of [0, 1, 3, 4]) equal(await another.replace({ ...next, version }), false, `version ${version}`);
    deepEqual(fieldsOf(await store.read(task.id)), fieldsOf(task));
    equal(await another.replace(next), true);
    for (const each of [store, another]) deepEqual(fieldsOf(await each.read(task.id)), fieldsOf(next));
    equal(await store.replace(next), false);
    equal(await store.replace(nextOf(next, { isEnded: false })), true);
    equal((await another.read(task.id))?.isEnded, false);
  },
  'replaces no task that does not exist': async (store) => {
    const task = newTask(store);
    for (const version of [0, 1, 2]) equal(await store.replace({ ...task, version }), false);
    equal(await store.read(task.id), undefined);
    await store.create(task, ROOM);
    await store.remove(task.id, 1);
    for (const version of [0, 1, 2]) equal(await store.replace({ ...task, version }), false);
    equal(await store.read(task.id), undefined);
    deepEqual(await dueOf(store, LATER, 10), []);
  },
  'replaces a task once when several do it at the same time': async (store, another) => {
    const task = newTask(store);
    await store.create(task, ROOM);
    const texts = Array.from({ length: 20 }, (_, index) => `by ${index}`);
    const answers = await Promise.all(
      texts.map(async (text, index) => (index % 2 ? store : another).replace(nextOf(task, { text }))),
    );
    equal(answers.filter(Boolean).length, 1);
    const winner = texts[answers.indexOf(true)] ?? 'none';
    deepEqual(fieldsOf(await store.read(task.id)), fieldsOf(nextOf(task, { text: winner })));
    deepEqual({ ...(await store.count()) }, { unended: 1, bytes: winner.length });
  },
  'lets a text grow while there is room, and leaves the task as it is otherwise': async (store, another) => {
    const [one, two] = [newTask(store, { holder: 'a', text: '0123' }), newTask(store, { holder: 'b', text: '0123' })];
    for (const task of [one, two]) await store.create(task, ROOM);
    const refused = async (task: StoredTask, room: TextRoom, limit: keyof TextRoom): Promise<void> => {
      equal(await another.replace(nextOf(one, { text: '01234', isEnded: true, dueAt: 1 }), room), limit);
      deepEqual(fieldsOf(await store.read(task.id)), fieldsOf(task));
      deepEqual({ ...(await store.count()) }, { unended: 2, bytes: 8 });
    };
    await refused(one, { bytesPerHolder: 4, bytes: 9 }, 'bytesPerHolder');
    await refused(one, { bytesPerHolder: 5, bytes: 8 }, 'bytes');
    await refused(one, { bytesPerHolder: 4, bytes: 8 }, 'bytesPerHolder');
    equal(await another.replace({ ...one, version: 9, text: '01234' }, { bytesPerHolder: 1, bytes: 1 }), false);
    equal(await another.replace(nextOf(one, { text: '01234' }), { bytesPerHolder: 5, bytes: 9 }), true);
    deepEqual({ ...(await store.count('a')) }, { unended: 1, bytes: 5 });
    // Two bytes for each character.
    const wide = nextOf(two, { text: 'aą' });
    equal(await store.replace(wide, { bytesPerHolder: 4, bytes: 9 }), true);
    equal(await store.replace(nextOf(wide, { text: 'aąa' }), { bytesPerHolder: 5, bytes: 20 }), 'bytesPerHolder');
    equal(await store.replace(nextOf(wide, { text: 'aąa' }), { bytesPerHolder: 6, bytes: 11 }), true);
  },
  'lets a text change that does not grow, however little room there is': async (store, another) => {
    const task = newTask(store, { text: '0123' });
    await store.create(task, ROOM);
    const none = { bytesPerHolder: 1, bytes: 1 };
    const same = nextOf(task, { text: 'abcd' });
    equal(await another.replace(same, none), true);
    equal(await store.replace(nextOf(same, { text: 'abc', isEnded: true }), none), true);
    deepEqual({ ...(await another.count()) }, { unended: 0, bytes: 3 });
  },
  'never has more bytes than the limits, however many tasks grow at once': async (store, another) => {
    for (const room of [
      { bytesPerHolder: 60, bytes: 1000 },
      { bytesPerHolder: 1000, bytes: 60 },
    ]) {
      const tasks = Array.from({ length: 10 }, () => newTask(store, { text: '0' }));
      for (const task of tasks) await store.create(task, ROOM);
      const answers = await Promise.all(
        tasks.map(async (task, index) =>
          (index % 2 ? store : another).replace(nextOf(task, { text: '01234567890' }), room),
        ),
      );
      equal(answers.filter((answer) => answer === true).length, 5);
      deepEqual({ ...(await store.count()) }, { unended: 10, bytes: 60 });
      for (const [index, { id }] of tasks.entries()) await store.remove(id, answers[index] === true ? 2 : 1);
      deepEqual({ ...(await store.count()) }, { unended: 0, bytes: 0 });
    }
  },
  'keeps the holder that a task was created with': async (store) => {
    const task = newTask(store, { holder: 'first', text: '12' });
    await store.create(task, ROOM);
    equal(await store.replace(nextOf(task, { holder: 'second', text: '1234' })), true);
    equal((await store.read(task.id))?.holder, 'first');
    deepEqual({ ...(await store.count('first')) }, { unended: 1, bytes: 4 });
    deepEqual({ ...(await store.count('second')) }, { unended: 0, bytes: 0 });
  },
  'removes a task that has the version, and no other': async (store, another) => {
    const task = newTask(store);
    equal(await store.remove(task.id, 1), false);
    await store.create(task, ROOM);
    await store.replace(nextOf(task));
    for (const version of [0, 1, 3]) equal(await another.remove(task.id, version), false);
    const answers = await Promise.all([store, another, store].map(async (each) => each.remove(task.id, 2)));
    equal(answers.filter(Boolean).length, 1);
    for (const each of [store, another]) equal(await each.read(task.id), undefined);
    equal(await store.remove(task.id, 2), false);
    equal(await store.create(task, ROOM), undefined);
    equal((await another.read(task.id))?.version, 1);
  },
  'makes room by dropping tasks that have ended, the first to end first and no more than needed, if it can': async (
    store,
    another,
  ) => {
    if (!store.dropEnded || !another.dropEnded) return;
    const holders = ['a', 'b', 'a', 'a', 'b', 'a'];
    const tasks = holders.map((holder) => newTask(store, { holder, text: '0123456789' }));
    for (const task of tasks) await store.create(task, ROOM);
    const end = async (index: number, isEnded = true, version = 2): Promise<void> => {
      const [task] = tasks.slice(index);
      // Its time has nothing to do with the order.
      if (task) equal(await another.replace({ ...task, version, isEnded, dueAt: 9000 - index }), true);
    };
    // The first task runs, the second had ended and runs again; of the others, the last one has ended first.
    for (const index of [1, 5, 4, 2, 3]) await end(index);
    await end(1, false, 3);
    await end(5, true, 3);
    const left = async (): Promise<readonly number[]> => {
      const found = await Promise.all(tasks.map(async ({ id }) => store.read(id)));
      return found.flatMap((task, index) => (task ? [index] : []));
    };
    equal(await store.dropEnded(9, 'a'), false);
    equal(await store.dropEnded(-1), false);
    equal(await store.dropEnded(60), true);
    equal(await another.dropEnded(40, 'a'), true);
    deepEqual(await left(), [0, 1, 2, 3, 4, 5]);
    equal(await another.dropEnded(39, 'a'), true);
    deepEqual(await left(), [0, 1, 2, 3, 4]);
    equal(await store.dropEnded(49), true);
    deepEqual(await left(), [0, 1, 2, 3]);
    equal(await store.dropEnded(10, 'a'), true);
    deepEqual(await left(), [0, 1]);
    equal(await store.dropEnded(19), false);
    deepEqual({ ...(await another.count()) }, { unended: 2, bytes: 20 });
    deepEqual({ ...(await another.count('b')) }, { unended: 1, bytes: 10 });
  },
  'drops any number of tasks that have ended': async (store, another) => {
    if (!store.dropEnded) return;
    const texts = Array.from({ length: 250 }, (_, index) => `${index}`.padStart(3, '0'));
    for (const [index, text] of texts.entries())
      await store.create(newTask(store, { holder: `holder${index % 7}`, text, isEnded: true }), ROOM);
    equal(await store.dropEnded(6), true);
    const due = await Promise.all((await dueOf(another, LATER, 300)).map(async (id) => another.read(id)));
    deepEqual(due.map((task) => task?.text).sort(), ['248', '249']);
    equal(await store.dropEnded(0), true);
    deepEqual({ ...(await another.count()) }, { unended: 0, bytes: 0 });
  },
  'either replaces or removes a task when both are tried at the same time': async (store, another) => {
    for (let turn = 0; turn < 10; turn++) {
      const task = newTask(store);
      await store.create(task, ROOM);
      const [isReplaced, isRemoved] = await Promise.all([
        Promise.resolve(store.replace(nextOf(task))),
        Promise.resolve(another.remove(task.id, 1)),
      ]);
      ok(isReplaced !== isRemoved);
      equal((await store.read(task.id))?.version, isReplaced ? 2 : undefined);
    }
  },
  'does the commands of a process in their order, also if none waits for the one before': async (store) => {
    const task = newTask(store);
    const versions = Array.from({ length: 20 }, (_, index) => ({ ...task, version: index + 2, text: `${index + 2}` }));
    const created = store.create(task, ROOM);
    const replaced = Promise.all(versions.map(async (version) => store.replace(version)));
    const read = store.read(task.id);
    const removed = store.remove(task.id, 21);
    const gone = store.read(task.id);
    equal(await created, undefined);
    deepEqual(await replaced, Array<boolean>(20).fill(true));
    equal((await read)?.text, '21');
    equal(await removed, true);
    equal(await gone, undefined);
  },
  'finds what is due, the earliest first, and no more than the limit': async (store, another) => {
    const tasks = TIMES.map((dueAt) => newTask(store, { dueAt, isEnded: dueAt === 2000 }));
    for (const task of tasks) await store.create(task, ROOM);
    const idsAt = (...times: readonly number[]): unknown[] =>
      times.map((time) => tasks.find(({ dueAt }) => dueAt === time)?.id);
    deepEqual(await dueOf(another, -1, 10), []);
    deepEqual(await dueOf(another, 0, 10), idsAt(0));
    deepEqual(await dueOf(another, 2999, 10), idsAt(0, 1000, 2000));
    // At its very time a task is due.
    deepEqual(await dueOf(another, 3000, 10), idsAt(0, 1000, 2000, 3000));
    deepEqual(await dueOf(another, LATER, 3), idsAt(0, 1000, 2000));
    deepEqual(await dueOf(another, LATER, 10), idsAt(0, 1000, 2000, 3000, 4000, 5000, 1_900_000_000_000));
    deepEqual(await dueOf(another, LATER, 0), []);
    // The next part, for a worker that has seen the first.
    deepEqual([...(await another.due(LATER, 3, 2))], idsAt(2000, 3000, 4000));
    deepEqual([...(await another.due(LATER, 3, 6))], idsAt(1_900_000_000_000));
    deepEqual([...(await another.due(LATER, 3, 7))], []);
  },
  'finds a task by its latest time, and none that was removed': async (store, another) => {
    const tasks = [1000, 2000, 3000].map((dueAt) => newTask(store, { dueAt }));
    const [first, second, third] = tasks.map(({ id }) => id);
    for (const task of tasks) await store.create(task, ROOM);
    const [one, two] = tasks;
    if (one) equal(await another.replace(nextOf(one, { dueAt: 2500, isEnded: true })), true);
    deepEqual(await dueOf(store, LATER, 10), [second, first, third]);
    deepEqual(await dueOf(store, 2499, 10), [second]);
    if (two) equal(await another.replace({ ...two, version: 7, dueAt: 9000 }), false);
    deepEqual(await dueOf(store, 2499, 10), [second]);
    if (one) equal(await store.remove(one.id, 2), true);
    deepEqual(await dueOf(another, LATER, 10), [second, third]);
  },
  'tells a time in milliseconds, the same to every process, if it tells one': async (store, another) => {
    if (!store.now || !another.now) return;
    const times = [await store.now(), await another.now(), await store.now()];
    deepEqual(times, [...times].sort());
    ok(
      times.every((time) => Number.isSafeInteger(time) && time > 1_500_000_000_000),
      JSON.stringify(times),
    );
  },
  'finds all tasks of the same time': async (store) => {
    const tasks = Array.from({ length: 30 }, () => newTask(store, { dueAt: 1000 }));
    for (const task of tasks) await store.create(task, ROOM);
    deepEqual((await dueOf(store, 1000, 100)).sort(), tasks.map(({ id }) => id).sort());
    equal(new Set(await store.due(1000, 20)).size, 20);
  },
  'counts the tasks and the texts of a holder and of all, after every change': async (store, another) => {
    const counts = async (...expected: readonly (readonly [holder: string | undefined, count: TaskCount])[]) => {
      for (const each of [store, another])
        for (const [holder, count] of expected) deepEqual({ ...(await each.count(holder)) }, count, holder ?? 'all');
    };
    const [one, two] = [newTask(store, { holder: 'a', text: '123' }), newTask(store, { holder: 'b', text: '12345' })];
    await counts([undefined, { unended: 0, bytes: 0 }], ['a', { unended: 0, bytes: 0 }]);
    await store.create(one, ROOM);
    await another.create(two, ROOM);
    await counts(
      [undefined, { unended: 2, bytes: 8 }],
      ['a', { unended: 1, bytes: 3 }],
      ['b', { unended: 1, bytes: 5 }],
    );
    await store.replace(nextOf(two, { text: '1' }));
    await counts(
      [undefined, { unended: 2, bytes: 4 }],
      ['a', { unended: 1, bytes: 3 }],
      ['b', { unended: 1, bytes: 1 }],
    );
    await store.replace({ ...one, version: 9, text: 'not replaced' });
    await another.replace(nextOf(one, { isEnded: true, text: '1234' }));
    await counts(
      [undefined, { unended: 1, bytes: 5 }],
      ['a', { unended: 0, bytes: 4 }],
      ['b', { unended: 1, bytes: 1 }],
    );
    await another.remove(one.id, 1);
    await another.remove(one.id, 2);
    await counts([undefined, { unended: 1, bytes: 1 }], ['a', { unended: 0, bytes: 0 }]);
    await store.remove(two.id, 2);
    await counts([undefined, { unended: 0, bytes: 0 }], ['b', { unended: 0, bytes: 0 }]);
  },
};

// How a store must report changes.

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
