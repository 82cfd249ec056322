/** What a store must do when tasks are created and read. */
import { deepEqual, equal } from 'node:assert/strict';
import { bytesOf, type StoredTask, type TaskRoom, type TaskStore } from '../stores/task-store';
import { fieldsOf, newTask, nextOf, ROOM, type TaskContract } from './suite';

/** Texts that a store might change: of every plane, with controls, with spaces at the ends, and long ones. */
const TEXTS: readonly string[] = [
  '',
  ' spaces at both ends ',
  '{"a":"à la carte\\n\\u0000","b":[1.50,null]}',
  'NUL \u0000 in the middle, and at the end \u0000',
  '\uFEFFa mark of order, \u0001\u001f\u007f\u0085\u2028\u2029 controls, \r\n lines',
  '日本語 العربية \u0301 e\u0301 🎈 👩\u200d🚀 \u{10FFFF} \uFFFD \uFFFF',
  'quotes \' " ` \\ %s $1 :a ? --',
  'é'.repeat(1000),
  '🎈'.repeat(1000),
  'a'.repeat(1024 * 1024),
  'é🎈'.repeat(256 * 1024),
];

/** How many tasks are created at once, and how many of them a limit admits. */
const AT_ONCE = 50;
const ADMITTED = 7;

/** Creates many tasks at once, in both stores, and returns how many there are then. */
async function createAtOnce(
  stores: readonly [TaskStore, ...TaskStore[]],
  room: TaskRoom,
  limit: keyof TaskRoom,
): Promise<number> {
  const [store] = stores;
  const tasks = Array.from({ length: AT_ONCE }, () => newTask(store, { text: '0123456789' }));
  const answers = await Promise.all(
    tasks.map(async (task, index) => stores[index % stores.length]?.create(task, room)),
  );
  for (const answer of answers) if (answer !== undefined) equal(answer, limit);
  const found = await Promise.all(tasks.map(async ({ id }) => store.read(id)));
  deepEqual(
    found.map((task) => task !== undefined),
    answers.map((answer) => answer === undefined),
  );
  return found.filter((task) => task !== undefined).length;
}

/** The contract of `create` and `read`. */
export const CREATE_CONTRACT: TaskContract = {
  'has a task as it was created, for every process': async (store, another) => {
    const tasks = [
      newTask(store),
      newTask(store, { holder: 'someone_else-2', dueAt: 0, isEnded: true, text: 'ended' }),
      newTask(store, { holder: 'h'.repeat(64), dueAt: Number.MAX_SAFE_INTEGER }),
    ];
    for (const task of tasks) equal(await store.create(task, ROOM), undefined);
    for (const task of tasks)
      for (const each of [store, another]) deepEqual(fieldsOf(await each.read(task.id)), fieldsOf(task));
  },
  'has no task under an id that was never created, or that differs only in case': async (store) => {
    await store.create(newTask(store, { id: 'abcdefghijklmnopqrst-_' }), ROOM);
    for (const id of ['ABCDEFGHIJKLMNOPQRST-_', 'abcdefghijklmnopqrst_-', newTask(store).id])
      equal(await store.read(id), undefined);
    deepEqual({ ...(await store.count('nobody')) }, { unended: 0, bytes: 0 });
  },
  'keeps every text as it is, and counts its bytes': async (store, another) => {
    const tasks = TEXTS.map((text, index) => newTask(store, { text, holder: `holder${index}` }));
    for (const task of tasks) {
      equal(await store.create(task, ROOM), undefined);
      // Compared alone: nobody reads the difference of two texts of a megabyte.
      equal((await another.read(task.id))?.text === task.text, true, JSON.stringify(task.text.slice(0, 60)));
      equal((await another.count(task.holder)).bytes, bytesOf(task.text));
      equal(await another.replace(nextOf(task, { text: `${task.text}🎈` })), true);
      equal((await store.read(task.id))?.text === `${task.text}🎈`, true, JSON.stringify(task.text.slice(0, 60)));
      equal((await store.count(task.holder)).bytes, bytesOf(`${task.text}🎈`));
    }
  },
  'shows nothing to a server of another name, or refuses it': async (store, _, foreign) => {
    const task = newTask(store);
    await store.create(task, ROOM);
    if (!foreign || !(await isOpened(foreign))) return;
    try {
      equal(await foreign.read(task.id), undefined);
      deepEqual([...(await foreign.due(Number.MAX_SAFE_INTEGER, 1))], []);
      deepEqual({ ...(await foreign.count()) }, { unended: 0, bytes: 0 });
      equal(await foreign.replace(nextOf(task)), false);
      equal(await foreign.remove(task.id, 1), false);
      deepEqual(fieldsOf(await store.read(task.id)), fieldsOf(task));
    } finally {
      await foreign.close?.();
    }
  },
  'leaves a task as it is when it is created again': async (store, another) => {
    const task = newTask(store, { text: 'first' });
    await store.create(task, ROOM);
    equal(await another.create({ ...task, text: 'second', holder: 'other', dueAt: 1 }, ROOM), undefined);
    deepEqual(fieldsOf(await store.read(task.id)), fieldsOf(task));
    // It needs no room.
    equal(await store.create(task, { tasks: 1, tasksPerHolder: 1, bytesPerHolder: 5, bytes: Infinity }), undefined);
    await store.replace(nextOf(task));
    equal(await another.create(task, ROOM), undefined);
    equal((await store.read(task.id))?.version, 2);
    deepEqual({ ...(await store.count()) }, { unended: 1, bytes: 5 });
  },
  'names the first limit that a task would exceed, and keeps nothing of the task': async (store, another) => {
    const exact: TaskRoom = { tasks: 2, tasksPerHolder: 1, bytesPerHolder: 10, bytes: Infinity };
    const before = [
      newTask(store, { holder: 'a', text: '01234' }),
      newTask(store, { holder: 'b', text: '0123456789' }),
    ];
    for (const task of before) equal(await store.create(task, exact), undefined);
    const refused = async (task: StoredTask, room: TaskRoom, limit: keyof TaskRoom): Promise<void> => {
      equal(await another.create(task, room), limit);
      equal(await store.read(task.id), undefined);
    };
    await refused(newTask(store, { holder: 'c' }), exact, 'tasks');
    await refused(newTask(store, { holder: 'a', text: '012345' }), exact, 'tasks');
    await refused(newTask(store, { holder: 'a', text: '012345' }), { ...exact, tasks: 3 }, 'tasksPerHolder');
    await refused(
      newTask(store, { holder: 'a', text: '012345' }),
      { ...exact, tasks: 3, tasksPerHolder: 2 },
      'bytesPerHolder',
    );
    await refused(newTask(store, { holder: 'd', text: '01234567890' }), { ...exact, tasks: 3 }, 'bytesPerHolder');
    await refused(newTask(store, { holder: 'd', text: '012345' }), { ...exact, tasks: 3, bytes: 20 }, 'bytes');
    await refused(
      newTask(store, { holder: 'd', text: '0123456789A' }),
      { ...exact, tasks: 3, bytes: 20 },
      'bytesPerHolder',
    );
    deepEqual({ ...(await store.count()) }, { unended: 2, bytes: 15 });
    equal(
      await store.create(newTask(store, { holder: 'a', text: '01234' }), { ...exact, tasks: 3, tasksPerHolder: 2 }),
      undefined,
    );
  },
  'counts tasks that have ended for their texts alone, and has room again when one is removed': async (store) => {
    const room: TaskRoom = { tasks: 1, tasksPerHolder: 1, bytesPerHolder: 10, bytes: Infinity };
    const task = newTask(store, { text: '01234' });
    await store.create(task, room);
    equal(await store.create(newTask(store, { text: '01234' }), room), 'tasks');
    await store.replace(nextOf(task, { isEnded: true }));
    equal(await store.create(newTask(store, { text: '012345' }), room), 'bytesPerHolder');
    const second = newTask(store, { text: '01234' });
    equal(await store.create(second, room), undefined);
    await store.remove(task.id, 2);
    await store.remove(second.id, 1);
    equal(await store.create(newTask(store, { text: '0123456789' }), room), undefined);
  },
  'never has more tasks than the limit for all, however many are created at once': async (store, another) => {
    equal(await createAtOnce([store, another], { ...ROOM, tasks: ADMITTED }, 'tasks'), ADMITTED);
    deepEqual({ ...(await store.count()) }, { unended: ADMITTED, bytes: ADMITTED * 10 });
  },
  'never has more tasks of a holder than the limit, however many are created at once': async (store, another) => {
    await store.create(newTask(store, { holder: 'other' }), ROOM);
    equal(await createAtOnce([store, another], { ...ROOM, tasksPerHolder: ADMITTED }, 'tasksPerHolder'), ADMITTED);
    deepEqual({ ...(await store.count('someone')) }, { unended: ADMITTED, bytes: ADMITTED * 10 });
  },
  'never has more text of a holder than the limit, however many are created at once': async (store, another) => {
    const room = { ...ROOM, bytesPerHolder: ADMITTED * 10 + 9, bytes: Infinity };
    equal(await createAtOnce([store, another], room, 'bytesPerHolder'), ADMITTED);
    deepEqual({ ...(await store.count('someone')) }, { unended: ADMITTED, bytes: ADMITTED * 10 });
  },
};

/** Opens a store for another server. Returns false if it refuses. */
async function isOpened(foreign: TaskStore): Promise<boolean> {
  try {
    await foreign.open?.('another server');
    return true;
  } catch {
    return false;
  }
}
