/** How many bytes tasks may take: everything that a client or a handler adds has to have room, and what has none is refused in words. */
import { createServer, Feature, isSuspension, McpContext, Tool, type Server } from '@sigil-mcp/core';
import { bytesOf, MemoryTaskStore, tasks, type TaskLimits, type TasksOptions } from '@sigil-mcp/tasks';
import { connect, ManualClock, type TestCaller, type TestClient } from '@sigil-mcp/testing';
import { IsInt, IsOptional, IsString } from 'class-validator';
import { serve, type Served } from '../contexts/requests-of-users';
import { accept, answer, call, CAPABILITIES, get, reach, start, textOf, WITH_TASKS, type Task } from './task-client';

class Size {
  @IsOptional() @IsString() padding?: string;
  @IsInt() size!: number;
}
class Text {
  @IsString() text!: string;
}

@Feature()
class Wizard {
  @Tool('Asks twice', { task: 'optional' })
  async ask(context: McpContext): Promise<string> {
    const one = await context.elicit(Text, 'First?', { key: 'one' });
    const two = await context.elicit(Text, 'Second?', { key: 'two' });
    return `${one.action} ${two.action}`;
  }

  @Tool('Returns a text', { task: 'optional' })
  write({ size }: Size): string {
    return 'r'.repeat(size);
  }

  @Tool('Keeps a text', { task: 'optional' })
  async keep({ size }: Size, context: McpContext): Promise<string> {
    try {
      await context.once('kept', () => 'k'.repeat(size));
      return 'kept';
    } catch (error) {
      return isSuspension(error) ? 'suspended' : String(error);
    }
  }

  @Tool('Asks with a long text', { task: 'optional' })
  async asksLong({ size }: Size, context: McpContext): Promise<string> {
    try {
      return (await context.elicit(Text, 'q'.repeat(size), { key: 'long' })).action;
    } catch (error) {
      if (isSuspension(error)) throw error;
      return String(error);
    }
  }
}

const KIB = 1024;
let server: Server;
let clock: ManualClock;
let store: MemoryTaskStore;
const clients: TestClient[] = [];
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  await server.close();
});

async function open(limits: TaskLimits, options: TasksOptions = {}): Promise<TestClient> {
  clock = new ManualClock();
  store = new MemoryTaskStore();
  const definition = { name: 'wizard', version: '1.0.0', logger: false, clock, features: [Wizard] } as const;
  server = createServer({ ...definition, extensions: [tasks({ store, limits, ...options })] });
  return meet('ada');
}

async function meet(as: TestCaller): Promise<TestClient> {
  const client = await connect(server, { revision: WITH_TASKS, capabilities: CAPABILITIES, as });
  clients.push(client);
  return client;
}

async function asking(client: TestClient): Promise<Task> {
  const task = await start(client, 'ask');
  return reach(client, task, 'input_required');
}

const words = (length: number, letter = 'w') => accept({ text: letter.repeat(length) });

describe.each([
  ['in memory', {}],
  ['with a run for each answer', { waiting: 0 }],
])('an answer that has no room, %s', (_way, options) => {
  it('is refused with the limit, and the task still waits', async () => {
    const client = await open({ keptPerClient: 64 * KIB }, options);
    const task = await asking(client);
    const [before, counted] = [await get(client, task), { ...store.count() }];
    await expect(answer(client, task, { one: words(64 * KIB) })).rejects.toMatchObject({
      code: -32603,
      message: expect.stringMatching(
        /^The tasks of a client may take 65536 bytes \(limits\.keptPerClient of tasks\)\. The answer was not taken, and the task still waits/,
      ) as unknown,
      data: { retryAfter: 10 },
    });
    expect(await get(client, task)).toEqual(before);
    expect({ ...store.count() }).toEqual(counted);
    await answer(client, task, { one: words(10) });
    await reach(client, task, 'input_required');
    await answer(client, task, { two: words(10) });
    expect(textOf(await reach(client, task, 'completed'))).toBe('accept accept');
  });

  it('counts two bytes for each letter of a text beyond Latin-1', async () => {
    const client = await open({ keptPerClient: 64 * KIB }, options);
    const task = await asking(client);
    await expect(answer(client, task, { one: words(32 * KIB, 'я') })).rejects.toThrow('limits.keptPerClient');
    await answer(client, task, { one: words(32 * KIB, 'é') });
    expect(store.count().bytes).toBeGreaterThan(32 * KIB);
  });
});

it('what all clients keep has a sum, whoever adds to it', async () => {
  const client = await open({ kept: 100 * KIB, keptPerClient: 64 * KIB });
  const other = await meet('eve');
  const [one, two] = [await asking(client), await asking(other)];
  await answer(client, one, { one: words(50 * KIB) });
  await expect(answer(other, two, { one: words(50 * KIB) })).rejects.toThrow(
    'The tasks of all clients together may take 102400 bytes (limits.kept of tasks).',
  );
  await client.request('tasks/cancel', { taskId: one.taskId });
  await answer(other, two, { one: words(50 * KIB) });
});

it('a result that has no room ends the task as failed, and says why', async () => {
  const client = await open({ keptPerClient: 20 * KIB });
  const task = await start(client, 'write', { size: 20 * KIB });
  expect(await reach(client, task, 'failed')).toMatchObject({
    error: {
      code: -32603,
      message:
        'The task was done, and its result has no room. The tasks of a client may take 20480 bytes (limits.keptPerClient of tasks).',
    },
  });
  expect(textOf(await reach(client, await start(client, 'write', { size: 10 }), 'completed'))).toBe('r'.repeat(10));
});

it('what `once` returns throws in the handler if it has no room', async () => {
  const client = await open({ kept: 20 * KIB, keptPerClient: Infinity });
  const task = await start(client, 'keep', { size: 20 * KIB });
  const said = String(textOf(await reach(client, task, 'completed')));
  expect(said).toContain('What `once` has returned of the task has no room.');
  expect(said).toContain('limits.kept of tasks');
  expect(textOf(await reach(client, await start(client, 'keep', { size: 10 }), 'completed'))).toBe('kept');
});

it('a question throws in the handler if it has no room', async () => {
  const client = await open({ kept: 20 * KIB });
  const task = await start(client, 'asksLong', { size: 20 * KIB });
  expect(String(textOf(await reach(client, task, 'completed')))).toContain('The question of the task has no room.');
});

it('a task can always end, although there is no room at all', async () => {
  const client = await open({ kept: 4 * KIB, keptPerClient: 4 * KIB });
  const all: Task[] = [];
  for (;;) {
    const task = await asking(client).catch(() => undefined);
    if (!task) break;
    all.push(task);
  }
  expect(all.length).toBeGreaterThan(1);
  for (const task of all) await client.request('tasks/cancel', { taskId: task.taskId });
  for (const task of all) expect(await get(client, task)).toMatchObject({ status: 'cancelled' });
});

it('a task that has no room is refused with what makes room: the end of those that have not ended', async () => {
  const client = await open({ keptPerClient: 20 * KIB });
  await reach(client, await start(client, 'asksLong', { size: 15 * KIB }), 'input_required');
  await expect(start(client, 'write', { size: 1, padding: 'p'.repeat(15 * KIB) })).rejects.toThrow(
    'The tasks of a client may take 20480 bytes (limits.keptPerClient of tasks). Wait until some have ended, or cancel them.',
  );
});

it('results stay until their time, or until what is new needs their room, the first to end first', async () => {
  const client = await open({ keptPerClient: 32 * KIB }, { ttl: 600_000 });
  const results: Task[] = [];
  for (let made = 0; made < 3; made += 1) {
    const task = await start(client, 'write', { size: 10 * KIB });
    await reach(client, task, 'completed');
    results.push(task);
  }
  const [first, second, third] = results;
  // A new task, an answer, and a result.
  const task = await asking(client);
  await expect(get(client, first!)).rejects.toMatchObject({ code: -32602 });
  expect(textOf(await get(client, second!))).toHaveLength(10 * KIB);
  await answer(client, task, { one: words(12 * KIB) });
  await expect(get(client, second!)).rejects.toMatchObject({ code: -32602 });
  expect(textOf(await get(client, third!))).toHaveLength(10 * KIB);
  await reach(client, await start(client, 'write', { size: 10 * KIB }), 'completed');
  await expect(get(client, third!)).rejects.toMatchObject({ code: -32602 });
  await reach(client, task, 'input_required');
  await clock.advance(602_001);
  await clock.advance(602_001);
  expect({ ...store.count() }).toEqual({ unended: 0, bytes: 0 });
});

it('a task that is dropped while it is read is answered as it was, and does not exist from then on', async () => {
  const client = await open({ keptPerClient: 20 * KIB });
  const first = await start(client, 'write', { size: 15 * KIB });
  await reach(client, first, 'completed');
  const read = store.read.bind(store);
  // It is dropped between the look at the task and the answer to its client.
  store.read = (id) => {
    const found = read(id);
    if (id === first.taskId) store.dropEnded(0);
    return found;
  };
  expect(textOf(await get(client, first))).toHaveLength(15 * KIB);
  await expect(get(client, first)).rejects.toMatchObject({ code: -32602 });
  expect(await client.request('tasks/cancel', { taskId: first.taskId }).catch(({ code }) => code)).toBe(-32602);
});

it('a client has a quarter of what all may keep, unless it is said', async () => {
  const client = await open({ kept: 80 * KIB });
  await reach(client, await start(client, 'write', { size: 21 * KIB }), 'failed');
  await reach(client, await start(client, 'write', { size: 15 * KIB }), 'completed');
});

it('three clients with answers of millions of letters keep no more than the limit', async () => {
  const kept = 32 * KIB * KIB;
  const names = ['ada', 'bob', 'eve'];
  await open({ kept });
  let [taken, refused] = [0, 0];
  for (let turn = 0; turn < 4; turn += 1)
    for (const name of names) {
      const client = await meet(name);
      const task = await asking(client);
      await answer(client, task, { one: words(1_900_000, 'я') }).then(
        () => (taken += 1),
        () => (refused += 1),
      );
      expect(store.count().bytes).toBeLessThanOrEqual(kept);
    }
  expect([taken, refused]).toEqual([6, 6]);
});

it('weighs texts as V8 keeps them', () => {
  expect(['', 'abc', 'é', 'ÿ', 'Ā', 'aя', '🎈'].map(bytesOf)).toEqual([0, 3, 1, 1, 2, 4, 4]);
});

describe('callers without an identity', () => {
  let served: Served | undefined;
  afterEach(() => served?.close());

  it('count by their address', async () => {
    server = createServer({
      name: 'wizard',
      version: '1.0.0',
      logger: false,
      features: [Wizard],
      extensions: [tasks({ limits: { tasksPerClient: 1 } })],
    });
    // A proxy that says who is behind it, and IPv6 networks that are one client each.
    const address = (request: { readonly headers: NodeJS.Dict<string | string[]> }) =>
      String(request.headers['x-user']);
    served = await serve(server, { address });
    const settings = { capabilities: CAPABILITIES };
    const first = await served.meet('192.0.2.1', settings);
    await asking(first);
    await expect(call(first, 'ask')).rejects.toThrow('limits.tasksPerClient');
    await asking(await served.meet('192.0.2.2', settings));
    await asking(await served.meet('2001:db8::1', settings));
    await expect(call(await served.meet('2001:db8::2', settings), 'ask')).rejects.toThrow('limits.tasksPerClient');
    await asking(await served.meet('2001:db8:1::1', settings));
  });
});
