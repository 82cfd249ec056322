/** A store that is full of results: the oldest give way to new tasks, and what runs or waits stays. */
import { createServer, Feature, McpContext, Tool, type Server } from '@sigil-mcp/core';
import { MemoryTaskStore, tasks, type TaskLimits, type TaskStore } from '@sigil-mcp/tasks';
import { redisTasks } from '@sigil-mcp/tasks/redis';
import { sqliteTasks } from '@sigil-mcp/tasks/sqlite';
import type { TestClient } from '@sigil-mcp/testing';
import { IsOptional, IsString } from 'class-validator';
import { TESTED_KINDS } from '../../support/supplies/redis-clients';
import { openBetterSqlite } from '../../support/supplies/sqlite';
import { describeWith } from '../../support/supplies/supply';
import { serve, type Served } from '../contexts/requests-of-users';
import { accept, answer, call, CAPABILITIES, get, reach, start, textOf, type Task } from './task-client';

class Note {
  @IsOptional() @IsString() note?: string;
}

const KIB = 1024;
const RESULT = 10 * KIB;

@Feature()
class Printer {
  @Tool('Returns a long text', { task: 'optional' })
  print(): string {
    return 'p'.repeat(RESULT);
  }

  @Tool('Asks', { task: 'optional' })
  async ask(_note: Note, context: McpContext): Promise<string> {
    return (await context.elicit(Note, 'What?', { key: 'what' })).action;
  }
}

/** A task, and the client that has made it. */
interface Made {
  readonly client: TestClient;
  readonly task: Task;
}

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function open(store: TaskStore, limits: TaskLimits): Promise<(address: string) => Promise<TestClient>> {
  const server: Server = createServer({
    name: 'printer',
    version: '1.0.0',
    logger: false,
    features: [Printer],
    requestState: { secrets: ['a secret of the server that prints things'] },
    extensions: [tasks({ store, limits: { polls: { calls: Infinity, per: 'minute' }, ...limits } })],
  });
  const served: Served = await serve(server, { address: ({ headers }) => String(headers['x-user']) });
  closing.push(() => served.close());
  return (address) => served.meet(address, { capabilities: CAPABILITIES });
}

const addresses = Array.from({ length: 16 }, (_, index) => `192.0.2.${index + 1}`);

/** Which of some tasks are still there. */
async function left(made: readonly Made[]): Promise<boolean[]> {
  return Promise.all(
    made.map(({ client, task }) =>
      get(client, task).then(
        () => true,
        (error: { code: number }) => (expect(error.code).toBe(-32602), false),
      ),
    ),
  );
}

function describeFullStore(openStore: () => TaskStore | Promise<TaskStore>): void {
  it('makes room for a new task of another address by dropping the results that ended first', async () => {
    const store = await openStore();
    const meet = await open(store, { kept: 256 * KIB });
    const clients = await Promise.all(addresses.map(meet));
    const [first] = clients;
    if (!first) throw new Error('There are no clients.');
    const waiting = await reach(first, await start(first, 'ask'), 'input_required');
    const made: Made[] = [];
    const print = async (client: TestClient): Promise<void> => {
      const task = await start(client, 'print');
      expect(textOf(await reach(client, task, 'completed'))).toHaveLength(RESULT);
      made.push({ client, task });
    };
    const oldest = async (): Promise<number> => {
      const found = await left(made);
      const from = found.indexOf(true);
      // What is left is what ended last.
      expect(found).toEqual(made.map((_, index) => index >= from));
      return from;
    };
    // In a cluster, what others have is known from a second before, as long as there is much room.
    let before = 0;
    while (before === 0) {
      for (const client of clients) await print(client);
      before = await oldest();
    }
    await print(await meet('192.0.2.99'));
    expect(await oldest()).toBeGreaterThan(before);
    expect((await store.count()).bytes).toBeLessThanOrEqual(256 * KIB);
    await answer(first, waiting, { what: accept({ note: 'rye' }) });
    expect(textOf(await reach(first, waiting, 'completed'))).toBe('accept');
  });

  it('drops the results of a client at its share, and of nobody else', async () => {
    const meet = await open(await openStore(), { kept: 256 * KIB, keptPerClient: 20 * KIB });
    const [one, other] = [await meet('192.0.2.1'), await meet('192.0.2.2')];
    const made: Made[] = [];
    for (const client of [other, one, one]) {
      const task = await start(client, 'print');
      await reach(client, task, 'completed');
      made.push({ client, task });
    }
    expect(await left(made)).toEqual([true, false, true]);
  });

  it('gives room to all that come at the same moment', async () => {
    const meet = await open(await openStore(), { kept: 256 * KIB });
    const clients = await Promise.all(addresses.map(meet));
    const run = async (client: TestClient): Promise<number> => {
      const task = await start(client, 'print');
      return String(textOf(await reach(client, task, 'completed'))).length;
    };
    for (let round = 0; round < 3; round++)
      expect(new Set(await Promise.all(clients.map(run)))).toEqual(new Set([RESULT]));
  });

  it('refuses a task with the name of its limit when nothing has ended, and takes it when something has', async () => {
    const meet = await open(await openStore(), { kept: 64 * KIB, keptPerClient: 64 * KIB });
    const [client, other] = [await meet('192.0.2.1'), await meet('192.0.2.2')];
    const note = 'n'.repeat(12 * KIB);
    const waiting: Task[] = [];
    let refusal = '';
    while (refusal === '')
      await start(client, 'ask', { note }).then(
        async (task) => waiting.push(await reach(client, task, 'input_required')),
        (error: Error) => (refusal = error.message),
      );
    const refused = ' may take 65536 bytes (limits.kept of tasks). Wait until some have ended, or cancel them.';
    expect(waiting.length).toBeGreaterThan(1);
    await expect(call(other, 'ask', { note })).rejects.toThrow(refused);
    const [first, ...others] = waiting;
    await client.request('tasks/cancel', { taskId: first?.taskId });
    await start(other, 'ask', { note });
    for (const task of others) expect(await get(client, task)).toMatchObject({ status: 'input_required' });
  });
}

describe('a full store of tasks in memory', () => {
  describeFullStore(() => new MemoryTaskStore());
});

describeWith('sqlite', 'a full store of tasks in SQLite', () => {
  describeFullStore(() => {
    const database = openBetterSqlite(':memory:');
    closing.push(() => database.close());
    return sqliteTasks(database);
  });
});

describeWith('redis-server', 'a full store of tasks in Redis', () => {
  describe.each(TESTED_KINDS)('with a client of $name', ({ start: startServer, open: openClient }) => {
    describeFullStore(async () => {
      const server = await startServer();
      const { client, close } = await openClient(server);
      closing.push(() => server.stop(), close);
      return redisTasks(client, { prefix: 'full', commandTimeout: 20_000 });
    });
  });
});
