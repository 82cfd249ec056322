/** What clients can make a server keep, and for how long. */
import { createServer, Feature, McpContext, Tool, type Server } from '@sigil-mcp/core';
import type { JsonObject } from '@sigil-mcp/protocol';
import { connect, ManualClock, type TestCaller, type TestClient } from '@sigil-mcp/testing';
import { tasks, type TasksOptions } from '@sigil-mcp/tasks';
import { Bread, Approval, bakeryDefinition } from './bakery/bakery';
import { until } from '../../support/until';
import { CutStore, SharedStore } from './shared-store';
import { accept, answer, call, CAPABILITIES, get, reach, start, textOf, WITH_TASKS, type Task } from './task-client';

let server: Server;
let clock: ManualClock;
const clients: TestClient[] = [];
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  const closed = server.close();
  // Handlers that go on have until the deadline.
  await clock.advance(10_000);
  await closed;
});

async function meet(as?: TestCaller): Promise<TestClient> {
  const client = await connect(server, { revision: WITH_TASKS, capabilities: CAPABILITIES, ...(as && { as }) });
  clients.push(client);
  return client;
}

function bakery(options?: TasksOptions): Promise<TestClient> {
  clock = new ManualClock();
  const definition = bakeryDefinition(undefined, options);
  server = createServer({ name: 'bakery', version: '1.0.0', logger: false, clock, ...definition });
  return meet('ada');
}

describe('the time of a task', () => {
  it('ends its work, says so, and lets the result be read for a while', async () => {
    const client = await bakery({ ttl: 60_000 });
    const task = await start(client, 'forever', { name: 'rye' });
    expect(task).toMatchObject({ ttlMs: 60_000 });
    await clock.advance(59_000);
    expect(await get(client, task)).toMatchObject({ status: 'working' });
    await clock.advance(2000);
    expect(await get(client, task)).toMatchObject({
      status: 'failed',
      error: { message: 'The task was not done within 60000 ms.' },
    });
    await clock.advance(297_000);
    expect(await get(client, task)).toMatchObject({ status: 'failed' });
    await clock.advance(4000);
    await expect(get(client, task)).rejects.toMatchObject({ code: -32602 });
  });

  it('ends its questions, too, and gives their room back [TASK-037]', async () => {
    const client = await bakery({ ttl: 60_000, limits: { tasksPerClient: 1 } });
    const task = await start(client, 'approve', { name: 'rye' });
    await reach(client, task, 'input_required');
    await clock.advance(61_000);
    expect(await get(client, task)).toMatchObject({ status: 'failed' });
    await answer(client, task, { approval: accept() });
    expect(await get(client, task)).toMatchObject({ status: 'failed' });
    await start(client, 'bake', { name: 'rye' });
  });

  it('does not end while clients may still read it, and never without a limit', async () => {
    const client = await bakery({ ttl: Infinity });
    const task = await start(client, 'bake', { name: 'rye' });
    expect(task).toMatchObject({ ttlMs: null });
    await reach(client, task, 'completed');
    clock.setDate(clock.now() + 30 * 86_400_000);
    await clock.advance(5000);
    expect(textOf(await get(client, task))).toBe('Baked 1 rye.');
  });

  it('is what the tool says, if it does', async () => {
    const client = await bakery({ ttl: 1000, pollInterval: 20 });
    const params = { name: 'later', arguments: { name: 'rye' } };
    const { requestState } = (await client.request('tools/call', params)) as { requestState: string };
    const inputResponses = { first: accept() };
    const task = await client.request('tools/call', { ...params, inputResponses, requestState });
    expect(task).toMatchObject({ ttlMs: 60_000, pollIntervalMs: 250 });
  });
});

describe('the limits of tasks', () => {
  const waiting = async (client: TestClient): Promise<Task> => {
    const task = await start(client, 'approve', { name: 'rye' });
    await reach(client, task, 'input_required');
    return task;
  };

  it('are those of each client, and say which: it goes on when one has ended', async () => {
    const client = await bakery({ limits: { tasksPerClient: 3 } });
    const other = await meet('eve');
    const first = await waiting(client);
    await waiting(client);
    await waiting(client);
    await expect(call(client, 'approve', { name: 'rye' })).rejects.toMatchObject({
      code: -32603,
      message: expect.stringContaining('limits.tasksPerClient') as unknown,
      data: { retryAfter: 10 },
    });
    await waiting(other);
    await client.request('tasks/cancel', { taskId: first.taskId });
    await waiting(client);
  });

  it('are those of all clients together', async () => {
    const client = await bakery({ limits: { tasks: 2 } });
    await waiting(client);
    await waiting(await meet('eve'));
    await expect(call(client, 'approve', { name: 'rye' })).rejects.toThrow('limits.tasks of tasks');
  });

  it('count what is kept, results included until something new needs their room', async () => {
    const client = await bakery({ limits: { keptPerClient: 4000 } });
    const first = await start(client, 'bake', { name: 'r'.repeat(2500) });
    await reach(client, first, 'completed');
    await start(client, 'forever', { name: 'r'.repeat(2500) });
    await expect(get(client, first)).rejects.toMatchObject({ code: -32602 });
    await expect(call(client, 'bake', { name: 'r'.repeat(2500) })).rejects.toThrow('limits.keptPerClient');
    await start(await meet('eve'), 'bake', { name: 'r'.repeat(2500) });
  });

  it('run as many at the same time as the server says, in their order; those that wait for answers do not count', async () => {
    const client = await bakery({ concurrency: 2, concurrencyPerClient: 2 });
    const asked = await Promise.all([waiting(client), waiting(client), waiting(client)]);
    const blocked = [await start(client, 'forever', { name: 'a' }), await start(client, 'forever', { name: 'b' })];
    const queued = await start(client, 'bake', { name: 'rye' });
    expect(await get(client, queued)).not.toHaveProperty('statusMessage');
    await clock.advance(5000);
    expect(await get(client, queued)).toMatchObject({ statusMessage: 'The task waits for its turn.' });
    await client.request('tasks/cancel', { taskId: blocked[0]!.taskId });
    await clock.advance(1000);
    await reach(client, queued, 'completed');
    await answer(client, asked[0], { approval: accept() });
    await clock.advance(1000);
    await reach(client, asked[0], 'completed');
  });

  it('count a handler until it has ended, although its task was cancelled', async () => {
    const lines: string[] = [];
    let end: () => void = () => undefined;
    @Feature()
    class Stubborn {
      @Tool('Ignores its signal', { task: 'optional' })
      async work({ name }: Bread): Promise<void> {
        lines.push(name);
        await new Promise<void>((resolve) => (end = resolve));
      }
    }
    clock = new ManualClock();
    const definition = { name: 'stubborn', version: '1.0.0', logger: false, clock } as const;
    server = createServer({ ...definition, features: [Stubborn], extensions: [tasks({ concurrency: 1 })] });
    const client = await meet('ada');
    for (const name of ['first', 'second', 'third']) {
      const task = await start(client, 'work', { name });
      if (name === 'first') while (lines.length === 0) await new Promise(setImmediate);
      if (name !== 'third') await client.request('tasks/cancel', { taskId: task.taskId });
    }
    await clock.advance(5000);
    expect(lines).toEqual(['first']);
    end();
    await clock.advance(2000);
    expect(lines).toEqual(['first', 'third']);
    end();
  });

  it('are those of polls, and tell how long to wait', async () => {
    const client = await bakery({ limits: { polls: { calls: 3, per: 'minute' } } });
    const task = await start(client, 'forever', { name: 'rye' });
    for (let poll = 0; poll < 3; poll += 1) await get(client, task);
    await expect(get(client, task)).rejects.toMatchObject({ data: { retryAfter: 20 } });
    await get(await meet('eve'), task).catch((error: { code: number }) => expect(error.code).toBe(-32602));
    await clock.advance(20_000);
    await get(client, task);
  });
});

describe('the share of one client', () => {
  it('follows from the limit of all clients, unless it is set', async () => {
    const client = await bakery({ limits: { tasks: 30 } });
    for (let made = 0; made < 3; made += 1) await start(client, 'forever', { name: 'rye' });
    await expect(call(client, 'bake', { name: 'rye' })).rejects.toThrow('A client may have 3 tasks');
    await start(await meet('eve'), 'forever', { name: 'rye' });
  });

  it.each([
    [{ tasks: 10, tasksPerClient: 11 }, 'tasks({ limits: { tasksPerClient } })', 'Use at most 10, raise tasks'],
    [{ kept: 4000, keptPerClient: 4001 }, 'tasks({ limits: { keptPerClient } })', 'Use at most 4000, raise kept'],
    [
      { tasksPerHolder: 1 } as never,
      'tasks({ limits: { tasksPerHolder } }): there is no such option.',
      'Use one of: tasks, ',
    ],
  ])('is no more than that of all, and has a name that exists: %j', (limits, problem, fix) => {
    const wrong = (): Server =>
      createServer({ name: 'bakery', version: '1.0.0', logger: false, ...bakeryDefinition(undefined, { limits }) });
    expect(wrong).toThrow(problem);
    expect(wrong).toThrow(fix);
    server = createServer({ name: 'bakery', version: '1.0.0', logger: false, ...bakeryDefinition() });
  });

  it.each([
    [{ tasks: 10, tasksPerClient: 10 }],
    [{ kept: 4000, keptPerClient: Infinity }],
    [{ tasks: Infinity, tasksPerClient: 100_000 }],
  ])('may be all of it, or without a limit: %j', async (limits) => {
    await start(await bakery({ limits }), 'forever', { name: 'rye' });
  });
});

describe('subscriptions', () => {
  it('count as one poll for each twenty tasks that they name', async () => {
    const client = await bakery({ limits: { polls: { calls: 3, per: 'minute' } } });
    const task = await start(client, 'forever', { name: 'rye' });
    const unknown = Array.from({ length: 100 }, (_, index) => `${index}`.padStart(22, 'x'));
    const listen = (taskIds: readonly string[]): Promise<unknown> =>
      client.request('subscriptions/listen', { notifications: { taskIds: [...taskIds] } });
    await expect(listen(unknown)).rejects.toMatchObject({ data: { retryAfter: 20 } });
    await clock.advance(60_000);
    const listening = client.start('subscriptions/listen', {
      notifications: { taskIds: [task.taskId, ...unknown.slice(0, 30)] },
    });
    listening.result.catch(() => undefined);
    await until(() => client.notifications('notifications/subscriptions/acknowledged').length > 0);
    await get(client, task);
    await expect(get(client, task)).rejects.toMatchObject({ data: { retryAfter: 20 } });
    client.cancel(listening.id);
  });
});

describe('many questions at the same time', () => {
  it('are written together, and not each many times', async () => {
    clock = new ManualClock();
    const store = new CutStore(new SharedStore());
    let commands = 0;
    store.before = () => void (commands += 1);

    @Feature()
    class Survey {
      @Tool('Asks a hundred questions', { task: 'optional' })
      async survey(context: McpContext): Promise<string> {
        const keys = Array.from({ length: 100 }, (_none, number) => `q${number}`);
        const all = await Promise.all(keys.map((key) => context.elicit(Approval, `${key}?`, { key })));
        return `${all.length} answers`;
      }
    }
    const secrets = { requestState: { secrets: ['a secret that all instances of this server share'] } };
    const definition = { name: 'survey', version: '1.0.0', logger: false, clock, features: [Survey] } as const;
    server = createServer({ ...definition, extensions: [tasks({ store })], ...secrets });
    const client = await meet('ada');
    const task = await start(client, 'survey');
    let questions: readonly string[] = [];
    let polls = 0;
    for (; questions.length < 100; polls += 1)
      questions = Object.keys(((await get(client, task))['inputRequests'] ?? {}) as JsonObject);
    expect(commands - polls).toBeLessThan(20);
    await answer(client, task, Object.fromEntries(questions.map((key) => [key, accept()])));
    expect(textOf(await reach(client, task, 'completed'))).toBe('100 answers');
  });
});

describe('progress', () => {
  it('is written twice a second at most, and the last of it always', async () => {
    const client = await bakery();
    const writes: JsonObject[] = [];
    const task = await start(client, 'bake', { name: 'rye', pieces: 100 });
    for (let done = false; !done;) {
      const now = await get(client, task);
      writes.push(now);
      done = now.status === 'completed';
      await new Promise(setImmediate);
    }
    const messages = new Set(writes.map(({ statusMessage }) => statusMessage).filter(Boolean));
    expect([...messages].at(-1)).toBe('baked 100 of 100');
    expect(messages.size).toBeLessThanOrEqual(2);
  });
});
