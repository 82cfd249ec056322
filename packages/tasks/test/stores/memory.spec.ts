/** The store in memory: what every store does, and what only it can promise. */
import { isPromise } from '@sigil-mcp/core/internal';
import { MemoryTaskStore } from '@sigil-mcp/tasks';
import { describeTaskStore } from '@sigil-mcp/tasks/testing';
import { compareWithMemory } from './compare-with-memory';

describeTaskStore('the store of tasks in memory', () => ({ store: new MemoryTaskStore() }));

it('the store of tasks in memory counts what it has, after any commands', async () => {
  await compareWithMemory(() => Promise.resolve({ store: new MemoryTaskStore() }), 500);
});

it('the store of tasks in memory returns nothing that has to be waited for', () => {
  const store = new MemoryTaskStore();
  const task = { id: 'a'.repeat(22), version: 1, holder: 'h', dueAt: 1, isEnded: false, text: '' };
  const room = { tasks: 1, tasksPerHolder: 1, bytesPerHolder: 1, bytes: Infinity };
  const returned = [
    store.create(task, room),
    store.read(task.id),
    store.replace({ ...task, version: 2 }),
    store.due(1, 1),
    store.count(),
    store.remove(task.id, 2),
  ];
  expect(returned.filter((each) => isPromise(each))).toEqual([]);
});
