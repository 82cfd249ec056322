/** Who runs when: clients take turns, whoever has made how many tasks, and nobody waits for the rights of another. */
import { MemoryTaskStore, type StoredTask } from '@sigil-mcp/tasks';
import { ManualClock, type TestClient } from '@sigil-mcp/testing';
import { until } from '../../support/until';
import { NightShift } from './night-shift';
import { SharedStore } from './shared-store';
import { call, get, reach, start, textOf, type Task } from './task-client';

const shift = new NightShift();
afterEach(() => shift.close());

/** Counts how often each task is read. */
class CountingStore extends MemoryTaskStore {
  readonly reads = new Map<string, number>();

  override read(id: string): StoredTask | undefined {
    this.reads.set(id, (this.reads.get(id) ?? 0) + 1);
    return super.read(id);
  }
}

async function flood(client: TestClient, count: number, letter = 'f'): Promise<Task[]> {
  const made: Task[] = [];
  for (let number = 0; number < count; number += 1)
    made.push(await start(client, 'bake', { name: `${letter}${number}` }));
  return made;
}

it('who comes when everything is taken has the first turn that is free, on another instance, too', async () => {
  const store = new SharedStore();
  const clock = new ManualClock();
  const front = await shift.instance({ store, work: false }, { clock });
  await shift.instance({ store, concurrency: 4 }, { clock });
  for (const letter of ['a', 'b']) await flood(await front.meet(letter), 240, letter);
  await clock.advance(1000);
  expect([...shift.began].sort()).toEqual(['a0', 'a1', 'b0', 'b1']);
  await start(await front.meet('eve'), 'bake', { name: 'mine' });
  await clock.advance(1000);
  shift.letGo('a0');
  await until(() => shift.began.length === 5);
  expect(shift.began[4]).toBe('mine');
  shift.letGo('a1');
  await until(() => shift.began.length === 6);
  expect(shift.began[5]).toMatch(/^[ab]2$/);
});

it('a share that is set counts, and a local client has all', async () => {
  const one = await shift.instance({ concurrency: 6, concurrencyPerClient: 1 });
  await flood(await one.meet('ada'), 3, 'ada');
  await until(() => shift.began.length === 1);
  await flood(await one.meet(), 8, 'local');
  await until(() => shift.began.length === 6);
  expect(shift.began.filter((name) => name.startsWith('local'))).toHaveLength(5);
});

it('a task says that it waits for its turn, and no longer when it has begun', async () => {
  const clock = new ManualClock();
  const one = await shift.instance({ concurrency: 1 }, { clock });
  const client = await one.meet('ada');
  const [first, second] = await flood(client, 2);
  const { result } = client.start('subscriptions/listen', { notifications: { taskIds: [second?.taskId ?? ''] } });
  result.catch(() => undefined);
  expect(await get(client, second as Task)).not.toHaveProperty('statusMessage');
  await clock.advance(2000);
  expect(await get(client, first as Task)).not.toHaveProperty('statusMessage');
  expect(await get(client, second as Task)).toMatchObject({
    status: 'working',
    statusMessage: 'The task waits for its turn.',
  });
  shift.letGo('f0');
  await until(() => shift.began.length === 2);
  expect(await get(client, second as Task)).not.toHaveProperty('statusMessage');
  const told = client.notifications('notifications/tasks').map(({ params }) => params);
  expect(told.at(-1)).toMatchObject({ status: 'working' });
  expect(told.at(-1)).not.toHaveProperty('statusMessage');
});

it('tasks that have ended are removed behind hundreds that wait, and none that waits is read again and again', async () => {
  const clock = new ManualClock();
  const store = new CountingStore();
  const one = await shift.instance({ store, concurrency: 1, ttl: 600_000 }, { clock });
  const client = await one.meet('ada');
  const short = await start(client, 'bake', { name: 'first' });
  const many = await flood(client, 300);
  shift.letGo('first');
  expect(textOf(await reach(client, short, 'completed'))).toBe('baked first');
  for (const { taskId } of many.slice(250)) await client.request('tasks/cancel', { taskId });
  await clock.advance(60_000);
  for (const { taskId } of many.slice(2, 250)) expect(store.reads.get(taskId)).toBeLessThanOrEqual(1);
  await clock.advance(541_000);
  expect(await get(client, many[100] as Task)).toMatchObject({
    status: 'failed',
    error: { message: 'The task was not done within 600000 ms.' },
  });
  await expect(get(client, short)).rejects.toThrow('Unknown task');
  await clock.advance(400_000);
  expect(store.count()).toEqual({ unended: 0, bytes: 0 });
});

it('a slow answer about the rights of a caller holds up nobody else', async () => {
  const clock = new ManualClock();
  const answers: (() => void)[] = [];
  let isQuick = false;
  const rights = ({ id }: { readonly id: string }): Promise<{ scopes: string[] }> =>
    id === 'slow' && !isQuick
      ? new Promise((resolve) => answers.push(() => resolve({ scopes: [] })))
      : Promise.resolve({ scopes: [] });
  const store = new SharedStore();
  const front = await shift.instance({ store, work: false }, { clock });
  await flood(await front.meet('slow'), 20, 'slow');
  await flood(await front.meet('ada'), 3, 'ada');
  await shift.instance({ store, rights, concurrency: 4 }, { clock });
  await until(() => shift.began.length === 2);
  expect(shift.began).toEqual(['ada0', 'ada1']);
  // Without an answer it is asked again, and what is answered then counts.
  const asked = answers.length;
  await clock.advance(10_001);
  await clock.advance(2000);
  expect(answers.length).toBeGreaterThan(asked);
  isQuick = true;
  answers.forEach((each) => each());
  await clock.advance(2000);
  await until(() => shift.began.some((name) => name.startsWith('slow')));
});

it('what a client may make is not what it may run: the limit of tasks is another one', async () => {
  const one = await shift.instance({ limits: { tasksPerClient: 3 } });
  const client = await one.meet('ada');
  await flood(client, 3);
  await expect(call(client, 'bake', { name: 'more' })).rejects.toThrow('limits.tasksPerClient');
});
