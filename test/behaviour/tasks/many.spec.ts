/** Many tasks that wait: what a server does while nothing happens does not grow with their number. */
import { connect, ManualClock } from '@sigil-mcp/testing';
import { MemoryTaskStore } from '@sigil-mcp/tasks';
import { bakery } from './bakery/bakery';
import { accept, answer, CAPABILITIES, reach, start, textOf, WITH_TASKS, type Task } from './task-client';

/** Counts how often tasks are read. */
class CountingStore extends MemoryTaskStore {
  reads = 0;

  override read(id: string): ReturnType<MemoryTaskStore['read']> {
    this.reads += 1;
    return super.read(id);
  }
}

it('handlers that wait are looked at in turn, and each goes on when its answer arrives', async () => {
  const clock = new ManualClock();
  const store = new CountingStore();
  const server = bakery({ lines: [] }, { store, lease: 40_000, limits: { tasksPerClient: 1000 } }, { clock });
  const client = await connect(server, { revision: WITH_TASKS, capabilities: CAPABILITIES });
  const all: Task[] = [];
  while (all.length < 350) all.push(await start(client, 'approve', { name: 'rye' }));
  for (const task of all) await reach(client, task, 'input_required');
  for (let turn = 0; turn < 4; turn += 1) {
    const before = store.reads;
    await clock.advance(10_000);
    expect(store.reads - before).toBeLessThanOrEqual(110);
  }
  for (const task of [all[0], all[200], all[349]] as Task[]) {
    await answer(client, task, { approval: accept() });
    expect(textOf(await reach(client, task, 'completed'))).toBe('Baked rye.');
  }
  await client.close();
  await server.close();
});
