/** What Redis keeps when no server looks any more: nothing for ever, and right counts when a server is back. */
import { randomUUID } from 'node:crypto';
import type { StoredTask, TaskStore } from '@sigil-mcp/tasks';
import { redisTasks } from '@sigil-mcp/tasks/redis';
import { TESTED_KINDS, type ClientKind, type OpenClient } from '../../../../test/support/supplies/redis-clients';
import type { RedisServer } from '../../../../test/support/supplies/redis-server';
import { describeWith } from '../../../../test/support/supplies/supply';

const HOUR = 3_600_000;
const ROOM = { tasks: 100, tasksPerHolder: 100, bytesPerHolder: 10_000, bytes: 10_000 };

function describeExpiry({ open, start, isCluster }: ClientKind): void {
  let server: RedisServer;
  let opened: OpenClient;
  let store: TaskStore;
  let prefix: string;
  beforeAll(async () => {
    server = await start();
    opened = await open(server);
  });
  afterAll(async () => {
    opened.close();
    await server.stop();
  });
  beforeEach(async () => {
    prefix = randomUUID();
    store = redisTasks(opened.client, { prefix, commandTimeout: 20_000 });
    await store.open?.('weather');
  });
  afterEach(() => store.close?.());

  function newTask(fields: Partial<StoredTask> = {}): StoredTask {
    const { holder = 'h' } = fields;
    const id = store.newId?.(holder) ?? '';
    return { id, version: 1, holder, dueAt: 1, isEnded: false, text: 'text', ...fields };
  }

  const ask = (...words: readonly string[]): Promise<unknown> => server.command(...words);

  /** Milliseconds since 1970, as Redis has it. */
  async function timeOfRedis(): Promise<number> {
    const [seconds] = (await ask('TIME')) as readonly unknown[];
    return Number(seconds) * 1000;
  }

  /** Milliseconds until each key of a task's slot expires; -1 for never. */
  async function timesToLive({ id, isEnded }: StoredTask): Promise<number[]> {
    const keys = await keysOf(id, isEnded);
    return Promise.all(keys.map(async (key) => Number(await ask('PTTL', key))));
  }

  async function keysOf(id: string, hasEnded = false): Promise<string[]> {
    const name = `${prefix}:weather`;
    const slots = isCluster ? Array.from({ length: 16 }, (_, slot) => `${name}:${slot}`) : [name];
    const beginnings = slots.map((slot) => `${prefix}:{${slot}}`);
    for (const beginning of beginnings)
      if (Number(await ask('EXISTS', `${beginning}:task:${id}`)) === 1)
        return ['task:' + id, 'due', 'counts', ...(hasEnded ? ['ended'] : [])].map((key) => `${beginning}:${key}`);
    throw new Error('There is no such task.');
  }

  it('a task, and what counts it, expires after it is needed no longer, and as late as the last one', async () => {
    const now = await timeOfRedis();
    const soon = newTask({ keptUntil: now + 2 * HOUR });
    await store.create(soon, ROOM);
    for (const time of await timesToLive(soon)) {
      expect(time).toBeGreaterThan(HOUR);
      expect(time).toBeLessThanOrEqual(2 * HOUR + HOUR / 2);
    }
    const later = newTask({ keptUntil: now + 50 * HOUR });
    await store.create(later, ROOM);
    const ended = { ...soon, version: 2, isEnded: true, keptUntil: now + 3 * HOUR };
    await store.replace(ended);
    const [own, due, counts, names] = await timesToLive(ended);
    for (const time of [own, names]) expect(time).toBeLessThanOrEqual(4 * HOUR);
    for (const time of [due, counts]) expect(time).toBeGreaterThan(49 * HOUR);
    await store.replace(newTask({ id: later.id, version: 2, isEnded: true }));
    expect((await timesToLive(ended)).slice(1)).toEqual([-1, -1, -1]);
  });

  it('a task without an end stays, and with it what counts it', async () => {
    const now = await timeOfRedis();
    const endless = newTask();
    await store.create(newTask({ keptUntil: now + HOUR }), ROOM);
    await store.create(endless, ROOM);
    await store.create(newTask({ keptUntil: now + HOUR }), ROOM);
    expect(await timesToLive(endless)).toEqual([-1, -1, -1]);
  });

  it('a task stays an hour at least, also if it was needed until long ago: a clock may be wrong', async () => {
    const old = newTask({ keptUntil: 1 });
    await store.create(old, ROOM);
    for (const time of await timesToLive(old)) expect(time).toBeGreaterThan(HOUR / 2);
  });

  it('tasks that have expired are counted no longer, and their ids are gone', async () => {
    const kept = newTask({ text: 'kept', isEnded: true });
    const expired = [newTask(), newTask({ isEnded: true, text: 'longer' }), newTask()];
    for (const task of [kept, ...expired]) await store.create(task, ROOM);
    for (const { id } of expired) await ask('DEL', (await keysOf(id))[0] ?? '');
    expect(await store.count('h')).toEqual({ unended: 2, bytes: 18 });
    expect([...(await store.due(10, 10))].sort()).toEqual([kept, ...expired].map(({ id }) => id).sort());
    expect(await store.read(expired[1]?.id ?? '')).toBeUndefined();
    expect(await store.count('h')).toEqual({ unended: 0, bytes: 4 });
    expect(await store.count()).toEqual({ unended: 0, bytes: 4 });
    expect([...(await store.due(10, 10))]).toEqual([kept.id]);
    expect(await store.read(kept.id)).toMatchObject({ text: 'kept' });
    expect(await store.dropEnded?.(0)).toBe(true);
    expect(await store.read(kept.id)).toBeUndefined();
  });

  it('tasks that have expired make no room: those that ended after them do', async () => {
    const [gone, kept, running] = [newTask({ isEnded: true }), newTask({ isEnded: true }), newTask()];
    for (const task of [gone, kept, running]) await store.create(task, ROOM);
    await ask('DEL', (await keysOf(gone.id))[0] ?? '');
    expect(await store.dropEnded?.(8)).toBe(true);
    expect(await store.count()).toEqual({ unended: 1, bytes: 8 });
    expect(await store.dropEnded?.(4)).toBe(true);
    expect(await store.count()).toEqual({ unended: 1, bytes: 4 });
    expect(await store.dropEnded?.(3)).toBe(false);
    expect(await store.read(running.id)).toMatchObject({ text: 'text' });
  });

  it('a task that an earlier version has removed makes no room', async () => {
    const [gone, running] = [newTask({ isEnded: true }), newTask()];
    for (const task of [gone, running]) await store.create(task, ROOM);
    const [key = '', due = ''] = await keysOf(gone.id);
    await Promise.all([ask('DEL', key), ask('ZREM', due, gone.id)]);
    expect(await store.dropEnded?.(4)).toBe(true);
    expect(await store.count()).toEqual({ unended: 1, bytes: 4 });
    expect(await store.dropEnded?.(3)).toBe(false);
  });

  it('tasks that an earlier version has ended count until their time is over, and can be removed', async () => {
    const [old, ended] = [newTask({ isEnded: true }), newTask({ isEnded: true })];
    for (const task of [old, ended]) await store.create(task, ROOM);
    const [key = '', , counts = '', names = ''] = await keysOf(old.id, true);
    await ask('HDEL', key, 'end');
    for (const name of ((await ask('ZRANGE', names, '0', '-1')) as Buffer[]).map(String))
      if (name.endsWith(old.id)) await ask('ZREM', names, name);
    for (const whose of ['*', 'h']) await ask('HINCRBY', counts, `ended ${whose}`, '-4');
    expect(await store.dropEnded?.(3)).toBe(false);
    expect(await store.dropEnded?.(4)).toBe(true);
    expect(await store.read(old.id)).toMatchObject({ text: 'text' });
    expect(await store.remove(old.id, 1)).toBe(true);
    expect(await store.count()).toEqual({ unended: 0, bytes: 0 });
    expect(await store.dropEnded?.(-1)).toBe(false);
  });

  it('ids of one holder are in one slot, and different, and those of others spread', async () => {
    const ids = Array.from({ length: 200 }, () => store.newId?.('h') ?? '');
    expect(new Set(ids).size).toBe(200);
    for (const id of ids) expect(id).toMatch(/^[\w-]{22}$/);
    const holders = Array.from({ length: 300 }, (_, index) => newTask({ holder: `holder${index}` }));
    for (const task of holders) await store.create(task, { ...ROOM, tasks: 1000 });
    expect(await store.count()).toEqual({ unended: 300, bytes: 1200 });
    expect(await store.due(10, 1000)).toHaveLength(300);
    const slots = new Set(await Promise.all(holders.slice(0, 60).map(async ({ id }) => (await keysOf(id))[1])));
    expect(slots.size).toBeGreaterThanOrEqual(isCluster ? 10 : 1);
    expect(new Set(ids.map((id) => id.charAt(0))).size > 4).toBe(!isCluster);
  });
}

describeWith('redis-server', 'tasks that nobody removes', () => {
  describe.each(TESTED_KINDS)('with a client of $name', describeExpiry);
});
