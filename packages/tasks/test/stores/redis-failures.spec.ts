/** What the store of tasks does when Redis ends, stops, is demoted, or loses what was published. */
import { StoreAway } from '@sigil-mcp/core/stores';
import type { StoredTask, TaskStore } from '@sigil-mcp/tasks';
import { redisTasks, type RedisTasksOptions } from '@sigil-mcp/tasks/redis';
import { ManualClock } from '@sigil-mcp/testing';
import { TESTED_CLIENTS, type OpenClient } from '../../../../test/support/supplies/redis-clients';
import { RedisServer } from '../../../../test/support/supplies/redis-server';
import { describeWith } from '../../../../test/support/supplies/supply';
import { until } from '../../../../test/support/until';

const ROOM = { tasks: 10_000, tasksPerHolder: 10_000, bytesPerHolder: 10_000_000, bytes: Infinity };
const LATER = Number.MAX_SAFE_INTEGER;
let ids = 0;

function newTask(): StoredTask {
  const id = `${++ids}`.padStart(22, '0');
  return { id, version: 1, holder: 'h', dueAt: ids, isEnded: false, text: 'text' };
}

/** Everything that a store can be asked. */
function commandsOf(store: TaskStore): Promise<unknown>[] {
  const task = newTask();
  const changes = [() => store.create(task, ROOM), () => store.replace(task), () => store.remove(task.id, 1)];
  const questions = [() => store.read(task.id), () => store.due(LATER, 1), () => store.count()];
  return [...changes, ...questions].map(async (run) => run());
}

function watch(store: TaskStore): { calls: string[]; stop: () => void } {
  const calls: string[] = [];
  return { calls, stop: store.watch((id, version) => calls.push(`${id ?? 'all'} ${version}`)) };
}

/** Waits for a new subscription: the store reports it, and so does the client, in either order. */
function subscribed(calls: readonly string[]): Promise<void> {
  return until(() => calls.filter((call) => call === 'all 0').length === 2);
}

describeWith('redis-server', 'stores of tasks in a Redis that fails', () => {
  describe.each(TESTED_CLIENTS)('with a client of %s', (_, open) => {
    let server: RedisServer;
    let clients: readonly OpenClient[];
    const stores: TaskStore[] = [];

    beforeEach(async () => {
      // Like this Redis keeps what it has acknowledged.
      server = await RedisServer.start('--appendonly', 'yes', '--appendfsync', 'always');
      clients = [await open(server), await open(server)];
    });
    afterEach(async () => {
      for (const store of stores.splice(0)) await store.close?.();
      clients.forEach((client) => client.close());
      await server.stop();
    });

    function make(index: 0 | 1, options: RedisTasksOptions = {}): TaskStore {
      const { client } = clients[index] as OpenClient;
      const store = redisTasks(client, { prefix: 'failures', commandTimeout: 20_000, ...options });
      void store.open?.('weather');
      stores.push(store);
      return store;
    }

    /** Waits until the store is reached again. */
    function recovered(store: TaskStore): Promise<void> {
      return until(() =>
        Promise.resolve(store.count()).then(
          () => true,
          () => false,
        ),
      );
    }

    it('every command rejects while Redis is away, and none waits for it', async () => {
      const store = make(0);
      await store.create(newTask(), ROOM);
      await server.kill();
      // Each library has one of the two.
      const client = clients[0]?.client as { readonly isReady?: boolean; readonly status?: string };
      await until(() => !(client.isReady ?? client.status === 'ready'));
      const settled = await Promise.allSettled(commandsOf(store));
      for (const each of settled) expect(each).toMatchObject({ status: 'rejected', reason: expect.any(StoreAway) });
      await server.run();
      await recovered(store);
      expect(await store.count()).toEqual({ unended: 1, bytes: 4 });
    });

    it('what was acknowledged is there after a restart in the middle of many changes', async () => {
      const all = [make(0), make(1)];
      const acknowledged = new Map<string, number>();
      let failures = 0;
      const write = async (store: TaskStore): Promise<void> => {
        // After a failure both outcomes are possible, so it goes on with another task.
        for (let task = newTask(); failures < 20; task = newTask()) {
          try {
            await store.create(task, ROOM);
            acknowledged.set(task.id, 1);
            for (let version = 2; version < 5; version++) {
              expect(await store.replace({ ...task, version, text: `${version}` })).toBe(true);
              acknowledged.set(task.id, version);
            }
          } catch (error) {
            expect(error).toBeInstanceOf(StoreAway);
            failures++;
          }
        }
      };
      const writing = [...all, ...all].map(write);
      await until(() => acknowledged.size > 200);
      await server.kill();
      await Promise.all(writing);
      await server.run();
      for (const store of all) await recovered(store);
      const [store, another] = all as [TaskStore, TaskStore];
      let text = 0;
      for (const id of await store.due(LATER, 10_000)) {
        const task = (await another.read(id)) as StoredTask;
        expect(task.version).toBeGreaterThanOrEqual(acknowledged.get(id) ?? 1);
        acknowledged.delete(id);
        text += task.text.length;
      }
      expect([...acknowledged]).toEqual([]);
      expect((await store.count()).bytes).toBe(text);
      expect(await store.count('h')).toEqual(await another.count());
    });

    it('watchers are called for everything after a lost subscription, and then for each change again', async () => {
      const [store, another] = [make(0), make(1)];
      const { calls } = watch(another);
      await subscribed(calls);
      /** Makes a change. Resolves when it is reported, or may have been missed: true if it is reported by its id. */
      const isReported = async (): Promise<boolean> => {
        const [task, before] = [newTask(), calls.length];
        await store.create(task, ROOM);
        const since = (call: string): boolean => calls.slice(before).includes(call);
        await until(() => since(`${task.id} 1`) || since('all 0'));
        return since(`${task.id} 1`);
      };
      calls.length = 0;
      await server.command('CLIENT', 'KILL', 'TYPE', 'pubsub');
      await until(() => calls.includes('all 0'));
      await until(isReported);
      await server.kill();
      calls.length = 0;
      await server.run();
      await until(() => calls.includes('all 0'));
      await recovered(store);
      await until(isReported);
    });

    it('watchers that came while Redis was away are called when it is back', async () => {
      const store = make(0);
      await store.count();
      await server.kill();
      const { calls } = watch(store);
      await server.run();
      await until(() => calls.includes('all 0'));
      const task = newTask();
      await make(1).create(task, ROOM);
      await until(() => calls.includes(`${task.id} 1`));
    });

    it('watchers are called for everything again and again: a connection may be gone without a sign', async () => {
      const clock = new ManualClock();
      const { calls, stop } = watch(make(0, { clock }));
      await subscribed(calls);
      calls.length = 0;
      await clock.advance(15_000);
      expect(calls).toEqual(['all 0']);
      stop();
      await clock.advance(60_000);
      expect(calls).toEqual(['all 0']);
    });

    it('a change of its own is reported once, whichever comes first: its answer or its message', async () => {
      const [store, another] = [make(0), make(1)];
      const { calls } = watch(store);
      await subscribed(calls);
      const tasks = Array.from({ length: 50 }, newTask);
      for (const task of tasks) await store.create(task, ROOM);
      await Promise.all(tasks.map(async ({ id }) => store.remove(id, 1)));
      // Its message comes after those of all others.
      const last = newTask();
      await another.create(last, ROOM);
      await until(() => calls.includes(`${last.id} 1`));
      for (const { id } of tasks) expect(calls.filter((call) => call === `${id} 1`)).toHaveLength(2);
    });

    it('a change is reported also if its command was rejected before it was done', async () => {
      const clock = new ManualClock();
      const store = make(0, { clock, commandTimeout: 1000 });
      const { calls } = watch(store);
      await until(() => calls.includes('all 0'));
      const task = newTask();
      server.pause();
      const created = Promise.resolve(store.create(task, ROOM)).catch((error: unknown) => error);
      await clock.advance(1000);
      expect(await created).toBeInstanceOf(StoreAway);
      expect(calls).not.toContain(`${task.id} 1`);
      server.resume();
      await until(() => calls.includes(`${task.id} 1`));
      expect(await store.read(task.id)).toEqual(task);
    });

    it('a master that was demoted is asked for nothing, and is left', async () => {
      const store = make(0);
      await store.create(newTask(), ROOM);
      const connections = async (): Promise<number> =>
        Number(/total_connections_received:(\d+)/.exec(String(await server.command('INFO', 'stats')))?.[1]);
      const before = await connections();
      await server.command('REPLICAOF', '127.0.0.1', '1');
      const settled = await Promise.allSettled(commandsOf(store));
      for (const each of settled) expect(each).toMatchObject({ status: 'rejected', reason: expect.any(StoreAway) });
      await until(async () => (await connections()) > before);
      await server.command('REPLICAOF', 'NO', 'ONE');
      await recovered(store);
      expect(await store.count()).toEqual({ unended: 1, bytes: 4 });
    });
  });
});
