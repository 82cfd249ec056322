/** Tasks in memory are part of the one account of what clients make a server hold: with its shares, its sum, and its order of dropping. */
import {
  createServer,
  Feature,
  isSuspension,
  McpContext,
  Tool,
  type ObservedServer,
  type Server,
  type ServerLimits,
} from '@sigil-mcp/core';
import { tasks, type TasksOptions } from '@sigil-mcp/tasks';
import { connect, ManualClock, type TestClient } from '@sigil-mcp/testing';
import { IsInt } from 'class-validator';
import { until } from '../../support/until';
import { accept, answer, call, CAPABILITIES, get, reach, start, textOf, WITH_TASKS, type Task } from './task-client';

class Size {
  @IsInt() size!: number;
}

const MIB = 1024 * 1024;
const began: (() => void)[] = [];
const late: (() => void)[] = [];

@Feature()
class Mill {
  @Tool('Returns a text', { task: 'optional' })
  write({ size }: Size): string {
    return 'r'.repeat(size);
  }

  @Tool('Grinds until it is let go', { task: 'optional' })
  async grind({ size }: Size): Promise<string> {
    await new Promise<void>((resolve) => began.push(resolve));
    return 'f'.repeat(size);
  }

  @Tool('Keeps a text, and grinds on', { task: 'optional' })
  async keep({ size }: Size, context: McpContext): Promise<string> {
    try {
      await context.once('flour', () => 'k'.repeat(size));
      return 'kept';
    } catch (error) {
      if (isSuspension(error)) throw error;
      return String(error);
    }
  }

  @Tool('Ends before what it has begun')
  hurry(context: McpContext): string {
    const kept = new Promise<string>((resolve) => late.push(() => resolve('late')));
    void context.once('late', () => kept);
    return 'hurried';
  }

  @Tool('Asks', { task: 'optional' })
  async ask(context: McpContext): Promise<string> {
    return (await context.elicit({ type: 'object', properties: {} }, 'Go on?', { key: 'go' })).action;
  }
}

let server: Server;
let held: ObservedServer['held'] | undefined;
let clock: ManualClock;
const clients: TestClient[] = [];

function open(limits: ServerLimits, options: TasksOptions = {}): void {
  clock = new ManualClock();
  server = createServer({
    name: 'mill',
    version: '1.0.0',
    features: [Mill],
    logger: false,
    shutdownDeadline: 1,
    clock,
    limits,
    observers: [{ name: 'scales', onStart: (started) => void (held = started.held) }],
    extensions: [tasks({ ...options, limits: { tasksPerClient: 1000, kept: Infinity, keptPerClient: Infinity } })],
  });
}

async function meet(name: string): Promise<TestClient> {
  const client = await connect(server, { revision: WITH_TASKS, capabilities: CAPABILITIES, as: name });
  clients.push(client);
  return client;
}

afterEach(async () => {
  for (const end of began.splice(0)) end();
  await Promise.all(clients.splice(0).map((client) => client.close()));
  await server.close();
});

/** Starts a task whose request weighs 6 MiB once it was parsed, in 300 kB of text. */
async function heavy(client: TestClient, name: string, size = 1): Promise<Task> {
  const bag = Array.from({ length: 100_000 }, () => ({}));
  const _meta = { 'com.example/bag': bag } as never;
  return (await client.request('tools/call', { name, arguments: { size }, _meta })) as Task;
}

const isUnknown = async (client: TestClient, task: Task): Promise<boolean> =>
  get(client, task).then(
    () => false,
    (error: unknown) => String(error).includes('Unknown task'),
  );

it('so many tasks run at the same time as their parsed arguments have room, and each of them runs in the end', async () => {
  open({ heldPerClient: 24 * MIB });
  const ada = await meet('ada');
  const made: Task[] = [];
  for (let count = 0; count < 8; count += 1) made.push(await heavy(ada, 'grind'));
  await until(() => began.length === 3);
  await clock.advance(5000);
  expect(began).toHaveLength(3);
  const eve = await meet('eve');
  await start(eve, 'grind', { size: 1 });
  await until(() => began.length === 4);
  for (let ended = 0; ended < 9; ended += 1) {
    await until(async () => {
      await clock.advance(1000);
      return began.length > 0;
    });
    began.shift()?.();
  }
  for (const task of made) expect((await reach(ada, task, 'completed')).status).toBe('completed');
});

it('one task runs, however much it holds', async () => {
  open({ heldPerClient: 7 * MIB, held: 10 * MIB });
  const ada = await meet('ada');
  const task = await heavy(ada, 'write');
  expect((await reach(ada, task, 'completed')).status).toBe('completed');
});

it('results that have ended make room for what is new: the oldest ones, and of the same client at its share', async () => {
  open({ heldPerClient: MIB });
  const [ada, eve] = [await meet('ada'), await meet('eve')];
  const other = await reach(eve, await start(eve, 'write', { size: 1000 }), 'completed');
  const made: Task[] = [];
  for (let count = 0; count < 6; count += 1)
    made.push(await reach(ada, await start(ada, 'write', { size: MIB / 4 }), 'completed'));
  expect(await Promise.all(made.map((task) => isUnknown(ada, task)))).toEqual([true, true, true, false, false, false]);
  expect(await isUnknown(eve, other)).toBe(false);
});

it('results that have ended make room for a call, too', async () => {
  open({ heldPerClient: 8 * MIB, held: 12 * MIB });
  const ada = await meet('ada');
  const task = await reach(ada, await start(ada, 'write', { size: 4 * MIB }), 'completed');
  const { result } = ada.start('tools/call', {
    name: 'write',
    arguments: { size: 1 },
    _meta: { 'com.example/bag': Array.from({ length: 100_000 }, () => ({})) } as never,
  });
  expect(await result).toMatchObject({ resultType: 'task' });
  expect(await isUnknown(ada, task)).toBe(true);
});

it('a task that takes the room of all others of its client is given back like any other', async () => {
  open({ heldPerClient: 2 * MIB }, { ttl: 1000 });
  const ada = await meet('ada');
  const first = await reach(ada, await start(ada, 'write', { size: 1.5 * MIB }), 'completed');
  const padded = { name: 'write', arguments: { size: 1 }, _meta: { 'com.example/pad': 'p'.repeat(MIB / 2) } as never };
  const second = (await ada.request('tools/call', padded)) as Task;
  await reach(ada, second, 'completed');
  expect(await isUnknown(ada, first)).toBe(true);
  await clock.advance(302_000);
  expect([await isUnknown(ada, second), held?.bytes]).toEqual([true, 0]);
});

it('tasks that wait are not dropped: what is new is refused, with the name of the limit', async () => {
  open({ heldPerClient: 2 * MIB }, { concurrency: 1 });
  const ada = await meet('ada');
  const made = [await start(ada, 'grind', { size: 1 })];
  const padded = (size: number): Promise<Task> =>
    ada.request('tools/call', {
      name: 'grind',
      arguments: { size: 1 },
      _meta: { 'com.example/pad': 'p'.repeat(size) } as never,
    }) as Promise<Task>;
  let refusal: unknown;
  while (refusal === undefined)
    await padded(200_000).then(
      (task) => made.push(task),
      (error: unknown) => (refusal = error),
    );
  expect(refusal).toMatchObject({ code: -32603, message: expect.stringContaining('limits.heldPerClient') as string });
  for (const task of made) expect((await get(ada, task)).status).toBe('working');
});

it('a result without room becomes a short error that names the limit', async () => {
  open({ heldPerClient: MIB });
  const ada = await meet('ada');
  const task = await start(ada, 'write', { size: 2 * MIB });
  const failed = await reach(ada, task, 'failed');
  expect(JSON.stringify(failed)).toContain('A client may make the server hold 1 MiB of memory (limits.heldPerClient).');
});

it('what once has kept has to have room, in a task and in a call', async () => {
  open({ heldPerClient: MIB });
  const ada = await meet('ada');
  const task = await start(ada, 'keep', { size: 2 * MIB });
  expect(JSON.stringify(await reach(ada, task, 'completed', 'failed'))).toContain('limits.heldPerClient');
  const plain = await connect(server, { revision: '2025-11-25', as: 'ada' });
  clients.push(plain);
  expect(textOf(await call(plain, 'keep', { size: MIB }))).toContain('limits.heldPerClient');
  expect(textOf(await call(plain, 'keep', { size: 1000 }))).toBe('kept');
});

it('what once keeps after its handler has ended is not counted: nothing would give it back', async () => {
  open({});
  const ada = await meet('ada');
  for (let count = 0; count < 3; count += 1) expect(textOf(await call(ada, 'hurry'))).toBe('hurried');
  for (const end of late.splice(0)) end();
  await new Promise(setImmediate);
  expect([held?.kinds['answers'], held?.bytes]).toEqual([0, 0]);
});

it('everything is given back when tasks are removed', async () => {
  open({ heldPerClient: MIB }, { ttl: 1000 });
  const ada = await meet('ada');
  for (let count = 0; count < 20; count += 1) {
    const asked = await reach(ada, await start(ada, 'ask'), 'input_required');
    await answer(ada, asked, { go: accept({}) });
    await reach(ada, asked, 'completed');
    await clock.advance(301_000);
  }
  expect(held?.kinds).toMatchObject({ tasks: 0, answers: 0, calls: 0 });
  const task = await reach(ada, await start(ada, 'write', { size: 900_000 }), 'completed');
  expect(held?.kinds['tasks']).toBeGreaterThan(900_000);
  await clock.advance(301_000);
  expect([await isUnknown(ada, task), held?.bytes]).toEqual([true, 0]);
});
