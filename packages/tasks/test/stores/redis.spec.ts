/** The store of tasks in Redis, with the clients of both libraries, on a server and on a cluster: what every store does. */
import { randomUUID } from 'node:crypto';
import { redisTasks } from '@sigil-mcp/tasks/redis';
import { describeTaskStore, type OpenedTaskStore } from '@sigil-mcp/tasks/testing';
import {
  CLIENTS,
  CLUSTER_CLIENTS,
  command,
  startCluster,
  type OpenClient,
} from '../../../../test/support/supplies/redis-clients';
import { RedisServer } from '../../../../test/support/supplies/redis-server';
import { describeWith } from '../../../../test/support/supplies/supply';
import { compareWithMemory } from './compare-with-memory';

/** A busy machine may take longer for a command than a server waits. */
const commandTimeout = 20_000;

function describeContract(open: (server: RedisServer) => Promise<OpenClient>, start: () => Promise<RedisServer>): void {
  let server: RedisServer;
  let clients: readonly OpenClient[] = [];
  beforeAll(async () => {
    server = await start();
    clients = [await open(server), await open(server)];
  });
  afterAll(async () => {
    clients.forEach((client) => client.close());
    await server.stop();
  });

  /** Two processes, and nothing of other tests. */
  function openStores(): OpenedTaskStore {
    const prefix = randomUUID();
    const [store, another] = clients.map(({ client }) => redisTasks(client, { prefix, commandTimeout }));
    if (!store || !another) throw new Error('There are no clients.');
    return { store, another };
  }

  describeTaskStore('do what every store does', openStores);

  it('answer as the store in memory does', async () => {
    await compareWithMemory(() => Promise.resolve(openStores()));
  });

  it('leave nothing in Redis when all tasks are removed', async () => {
    const keys = async (): Promise<unknown> => command(server, 'KEYS', 'empty:*');
    const store = redisTasks((clients[0] as OpenClient).client, { prefix: 'empty', commandTimeout });
    const task = { id: 'a'.repeat(22), version: 1, holder: 'h', dueAt: 1, isEnded: false, text: 'abc' };
    await store.create(task, { tasks: 1, tasksPerHolder: 1, textPerHolder: 3 });
    expect(await keys()).toHaveLength(3);
    await store.replace({ ...task, version: 2, isEnded: true, text: '' });
    await store.remove(task.id, 2);
    expect(await keys()).toEqual([]);
    await store.close?.();
  });
}

describeWith('redis-server', 'stores of tasks in Redis', () => {
  describe.each(Object.entries(CLIENTS))('with a client of %s', (_, open) => {
    describeContract(open, () => RedisServer.start());
  });

  describe.each(Object.entries(CLUSTER_CLIENTS))('in a cluster, with a client of %s', (_, open) => {
    describeContract(open, startCluster);
  });
});

describe('redisTasks', () => {
  const client = { status: 'ready', call: () => Promise.resolve(null) } as never;

  it.each([
    [{ prefix: '' }, 'prefix'],
    [{ prefix: 'two words' }, 'prefix'],
    [{ prefix: 'br{ace}s' }, 'prefix'],
    [{ prefix: 7 as never }, 'prefix'],
    [{ commandTimeout: 0 }, 'commandTimeout'],
    [{ commandTimeout: 1.5 }, 'commandTimeout'],
    [{ commandTimeout: '1000' as never }, 'commandTimeout'],
    [{ commandTimeout: 2 ** 31 }, 'commandTimeout'],
  ])('refuses %j, and names the option', (options, name) => {
    expect(() => redisTasks(client, options)).toThrow(
      expect.objectContaining({
        code: 'SIGIL_TASKS_REDIS_OPTION',
        message: expect.stringContaining(`redisTasks(client, { ${name} })`),
      }),
    );
  });

  it('refuses what is no client of Redis', () => {
    expect(() => redisTasks({} as never)).toThrow(expect.objectContaining({ code: 'SIGIL_REDIS_CLIENT' }));
  });
});
