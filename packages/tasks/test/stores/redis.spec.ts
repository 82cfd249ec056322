/**
 * The store of tasks in Redis does what every store does, with one of the kinds of clients. On a server their user may do what
 * docs/deployment.md lets it do: that is enough.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '@sigil-mcp/core';
import { systemClock } from '@sigil-mcp/core/adapter';
import { StoreAway } from '@sigil-mcp/core/stores';
import { redisTasks } from '@sigil-mcp/tasks/redis';
import { describeTaskStore, type OpenedTaskStore } from '@sigil-mcp/tasks/testing';
import { TESTED_KINDS, type ClientKind, type OpenClient } from '../../../../test/support/supplies/redis-clients';
import type { RedisServer } from '../../../../test/support/supplies/redis-server';
import { describeWith } from '../../../../test/support/supplies/supply';
import { compareWithMemory } from './compare-with-memory';

/** A busy machine may take longer for a command than a server waits. */
const commandTimeout = 20_000;

const ONE = { tasks: 1, tasksPerHolder: 1, bytesPerHolder: 3, bytes: Infinity };

const page = readFileSync(join(__dirname, '..', '..', '..', '..', 'docs', 'deployment.md'), 'utf8');
/** A line of the file of users, which ACL SETUSER takes as well, and the commands for tasks. */
const [, rules = ''] = /^user weather on (.*)$/m.exec(page) ?? [];
const [, more = ''] = /`redisTasks`[^`]*`@sigil-mcp\/tasks\/redis`\) needs more commands, `([^`]+)`/.exec(page) ?? [];
const [, allowed = ''] = /\{ prefix: '([^']+)' \}/.exec(page) ?? [];

/** A clock for which every question comes long after the one before: then no sum of a cluster is one that another process has changed. */
function eventful(): Clock {
  let elapsed = 0;
  return { ...systemClock, elapsed: () => (elapsed += 10_000) };
}

function describeContract({ open, start, isCluster }: ClientKind): void {
  let server: RedisServer;
  let clients: readonly OpenClient[] = [];
  beforeAll(async () => {
    server = await start();
    const words = `on ${rules.replace('<password>', 'secret')} ${more}`.split(' ');
    await server.command('ACL', 'SETUSER', 'weather', ...words);
    const address = { port: server.port, url: server.url.replace('//', '//weather:secret@') };
    const openOne = (): Promise<OpenClient> => open(isCluster ? server : address);
    clients = [await openOne(), await openOne()];
  });
  afterAll(async () => {
    clients.forEach((client) => client.close());
    await server.stop();
  });

  /** Two processes, and nothing of other tests. */
  function openStores(clock?: Clock): OpenedTaskStore {
    const prefix = `${allowed}:${randomUUID()}`;
    const [one, two] = clients;
    const [store, another, foreign] = [one, two, two].map((open) =>
      redisTasks((open as OpenClient).client, { prefix, commandTimeout, ...(clock && { clock }) }),
    );
    if (!store || !another || !foreign) throw new Error('There are no clients.');
    return { store, another, foreign };
  }

  describeTaskStore('do what every store does', () => openStores());

  it('answer as the store in memory does', async () => {
    await compareWithMemory(() => Promise.resolve(openStores(eventful())));
  });

  it('leave nothing in Redis when all tasks are removed', async () => {
    const keys = async (): Promise<unknown> => server.command('KEYS', `${allowed}:empty:*`);
    const store = redisTasks((clients[0] as OpenClient).client, { prefix: `${allowed}:empty`, commandTimeout });
    const task = { id: 'a'.repeat(22), version: 1, holder: 'h', dueAt: 1, isEnded: false, text: 'abc' };
    await store.open?.('weather');
    await store.create(task, ONE);
    expect(await keys()).toHaveLength(3);
    await store.replace({ ...task, version: 2, isEnded: true, text: '' });
    await store.remove(task.id, 2);
    expect(await keys()).toEqual([]);
    await store.close?.();
  });

  it('have nothing of the tasks of a server with another name, under the same prefix', async () => {
    const names = ['weather', 'Wetter {am} Montag: "schön"', 'weather:news'];
    const options = { prefix: `${allowed}:${randomUUID()}`, commandTimeout };
    const stores = names.map(() => redisTasks((clients[0] as OpenClient).client, options));
    const task = { id: 'a'.repeat(22), version: 1, holder: 'h', dueAt: 1, isEnded: false, text: 'abc' };
    for (const [index, store] of stores.entries()) {
      await store.open?.(names[index] as string);
      expect([await store.read(task.id), await store.due(1, 1)]).toEqual([undefined, []]);
      expect(
        await store.create({ ...task, text: names[index] as string }, { ...ONE, bytesPerHolder: 100, bytes: Infinity }),
      ).toBe(undefined);
    }
    for (const [index, store] of stores.entries())
      expect(await store.read(task.id)).toMatchObject({ text: names[index] });
    for (const store of stores) await store.close?.();
  });

  it('reject commands before they are opened, and after they are closed', async () => {
    const store = redisTasks((clients[0] as OpenClient).client, { prefix: `${allowed}:closed`, commandTimeout });
    await expect(Promise.resolve(store.count())).rejects.toThrow(StoreAway);
    await store.open?.('weather');
    expect(await store.count()).toEqual({ unended: 0, bytes: 0 });
    await store.close?.();
    await expect(Promise.resolve(store.count())).rejects.toThrow(StoreAway);
  });
}

describeWith('redis-server', 'stores of tasks in Redis', () => {
  describe.each(TESTED_KINDS)('with a client of $name', describeContract);
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
    [{ namespace: 'weather' } as never, 'namespace'],
  ])('refuses %j, and names the option', (options, name) => {
    expect(() => redisTasks(client, options)).toThrow(`redisTasks({ ${name} }): `);
  });

  it('refuses what is no client of Redis', () => {
    expect(() => redisTasks({} as never)).toThrow(expect.objectContaining({ code: 'SIGIL_REDIS_CLIENT' }));
  });
});
