/** Tasks that outlive their process: taken up by another one, and never run twice at the same time. */
import { createServer, Feature, Tool, type Server, type ServerOptions } from '@sigil-mcp/core';
import { MemoryStores } from '@sigil-mcp/core/stores';
import { connect, ManualClock, type TestClient } from '@sigil-mcp/testing';
import { tasks as tasksExtension, type TasksOptions, type TaskStore } from '@sigil-mcp/tasks';
import { bakery, Bread, type BakeryLog } from './bakery/bakery';
import { CutStore, SharedStore } from './shared-store';
import { accept, answer, CAPABILITIES, get, reach, start, textOf, WITH_TASKS } from './task-client';

const SECRETS = { requestState: { secrets: ['a secret that all instances of this server share'] } };

/** One instance of a server, and what happened in it. */
interface Instance {
  readonly server: Server;
  readonly client: TestClient;
  readonly lines: string[];
}

const open: Instance[] = [];
afterEach(async () => {
  for (const { client, server } of open.splice(0)) {
    await client.close();
    await server.close();
  }
});

async function instance(
  store: TaskStore,
  options: TasksOptions = {},
  more: Partial<ServerOptions> = {},
): Promise<Instance> {
  const log: BakeryLog = { lines: [] };
  const server = bakery(log, { store, ...options }, { ...SECRETS, ...more });
  const client = await connect(server, { revision: WITH_TASKS, capabilities: CAPABILITIES });
  const opened = { server, client, lines: log.lines };
  open.push(opened);
  return opened;
}

/** Lets time pass in small steps until something is true. */
async function passUntil(
  clock: ManualClock,
  isReached: () => Promise<boolean> | boolean,
  most = 200_000,
): Promise<void> {
  for (let passed = 0; passed < most; passed += 250) {
    if (await isReached()) return;
    await clock.advance(250);
  }
  throw new Error('it did not happen');
}

describe('a task that waits for an answer', () => {
  it('goes on in the process where it waits, without running again, whoever takes the answer', async () => {
    const store = new SharedStore();
    const [one, other] = [await instance(store), await instance(store)];
    const task = await start(one.client, 'approve', { name: 'rye' });
    await reach(other.client, task, 'input_required');
    const here = one.lines.length > 0 ? one : other;
    await answer(other.client, task, { approval: accept() });
    expect(textOf(await reach(one.client, task, 'completed'))).toBe('Baked rye.');
    expect(here.lines).toEqual(['ordered rye', 'asking rye', 'answered rye']);
    expect([...one.lines, ...other.lines]).toHaveLength(3);
  });

  it('goes on in another process when its own has closed: from its beginning, with what it has kept', async () => {
    const store = new SharedStore();
    const one = await instance(store);
    const task = await start(one.client, 'approve', { name: 'rye' });
    await reach(one.client, task, 'input_required');
    await one.client.close();
    await one.server.close();
    const other = await instance(store);
    expect(await get(other.client, task)).toMatchObject({ status: 'input_required', inputRequests: { approval: {} } });
    await answer(other.client, task, { approval: accept() });
    expect(textOf(await reach(other.client, task, 'completed'))).toBe('Baked rye.');
    expect(one.lines).toEqual(['ordered rye', 'asking rye']);
    expect(other.lines).toEqual(['asking rye', 'answered rye']);
  });

  it('does not keep its server from closing at once', async () => {
    const store = new SharedStore();
    const one = await instance(store, {}, { shutdownDeadline: 60_000 });
    const task = await start(one.client, 'swallow');
    await reach(one.client, task, 'input_required');
    await one.server.close();
    expect(one.lines).toEqual(['ended true']);
  });

  it('is taken up where a worker is, although the answer came where none is', async () => {
    const store = new SharedStore();
    const front = await instance(store, { work: false });
    const task = await start(front.client, 'approve', { name: 'rye' });
    expect(await get(front.client, task)).toMatchObject({ status: 'working' });
    const worker = await instance(store);
    await reach(front.client, task, 'input_required');
    await answer(front.client, task, { approval: accept() });
    expect(textOf(await reach(front.client, task, 'completed'))).toBe('Baked rye.');
    expect([front.lines.length, worker.lines.length]).toEqual([0, 3]);
  });

  it('is ended at its question, and runs again, where no more handlers may wait', async () => {
    const store = new SharedStore();
    const one = await instance(store, { waiting: 0 });
    const task = await start(one.client, 'approve', { name: 'rye' });
    await reach(one.client, task, 'input_required');
    await answer(one.client, task, { approval: accept() });
    expect(textOf(await reach(one.client, task, 'completed'))).toBe('Baked rye.');
    expect(one.lines).toEqual(['ordered rye', 'asking rye', 'asking rye', 'answered rye']);
  });

  it('waits in its process if as many may wait, and the next one does not', async () => {
    const { client, lines } = await instance(new SharedStore(), { waiting: 1 });
    const [rye, wheat] = [
      await start(client, 'approve', { name: 'rye' }),
      await start(client, 'approve', { name: 'wheat' }),
    ];
    for (const task of [rye, wheat]) await reach(client, task, 'input_required');
    for (const task of [wheat, rye]) {
      await answer(client, task, { approval: accept() });
      await reach(client, task, 'completed');
    }
    expect(lines.filter((line) => line.endsWith('rye'))).toEqual(['ordered rye', 'asking rye', 'answered rye']);
    expect(lines.filter((line) => line === 'asking wheat')).toHaveLength(2);
  });

  it('is taken up by another worker when the process where it waited is away', async () => {
    const clock = new ManualClock();
    const store = new SharedStore();
    const cut = new CutStore(store);
    const one = await instance(cut, {}, { clock });
    const task = await start(one.client, 'approve', { name: 'rye' });
    await reach(one.client, task, 'input_required');
    cut.isCut = true;
    const other = await instance(store, {}, { clock });
    await answer(other.client, task, { approval: accept() });
    await passUntil(clock, async () => (await get(other.client, task)).status === 'completed');
    expect(other.lines).toEqual(['asking rye', 'answered rye']);
    cut.isCut = false;
    for (let turns = 0; turns < 50; turns += 1) await clock.advance(250);
    expect(one.lines).toEqual(['ordered rye', 'asking rye']);
  });
});

describe('a task whose worker is lost while it works', () => {
  it('has failed, says why, and has not run again [never]', async () => {
    const clock = new ManualClock();
    const store = new SharedStore();
    const cut = new CutStore(store);
    const one = await instance(cut, {}, { clock });
    const task = await start(one.client, 'forever', { name: 'rye' });
    while (!one.lines.includes('started rye')) await new Promise(setImmediate);
    cut.isCut = true;
    const other = await instance(store, {}, { clock });
    await passUntil(clock, async () => (await get(other.client, task)).status === 'failed');
    expect(await get(other.client, task)).toMatchObject({
      error: { code: -32603, message: expect.stringContaining('was lost while it worked') as unknown },
    });
    expect(other.lines).toEqual([]);
    // The worker that was lost gives up by itself.
    await passUntil(clock, () => one.lines.includes('aborted rye'));
  });

  it('runs again as often as its tool says, and what a lost worker says later is not heard', async () => {
    const clock = new ManualClock();
    const store = new SharedStore();
    const cut = new CutStore(store);
    const [one, other] = [await nightShift(cut, clock, 'first'), await nightShift(store, clock, 'second')];
    const task = await start(one.client, 'again', { name: 'rye' });
    while (!one.lines.includes('run rye')) await new Promise(setImmediate);
    cut.isCut = true;
    other.go();
    await passUntil(clock, async () => (await get(other.client, task)).status === 'completed');
    expect(textOf(await get(other.client, task))).toBe('run by the second');
    one.go();
    cut.isCut = false;
    for (let turns = 0; turns < 50; turns += 1) await clock.advance(100);
    expect(textOf(await get(one.client, task))).toBe('run by the second');
    expect([one.lines, other.lines]).toEqual([['run rye'], ['run rye']]);
  });

  it('fails at once when its server closes, or runs again elsewhere if it may', async () => {
    const store = new SharedStore();
    const one = await instance(store, {}, { shutdownDeadline: 1 });
    const task = await start(one.client, 'forever', { name: 'rye' });
    while (!one.lines.includes('started rye')) await new Promise(setImmediate);
    await one.server.close();
    expect(one.lines).toContain('aborted rye');
    const other = await instance(store);
    expect(await get(other.client, task)).toMatchObject({
      status: 'failed',
      error: { message: expect.stringContaining('closed while the task worked') as unknown },
    });
  });

  it('is finished where it can be before the deadline of the server', async () => {
    const store = new SharedStore();
    const one = await instance(store);
    const task = await start(one.client, 'bake', { name: 'rye', pieces: 50 });
    await one.server.close();
    const other = await instance(store);
    expect(await get(other.client, task)).toMatchObject({ status: 'completed' });
  });
});

describe('a subscription to a task', () => {
  it('hears what other instances change, although they share only the store of tasks', async () => {
    const store = new SharedStore();
    const front = await instance(store, { work: false });
    await instance(store);
    const task = await start(front.client, 'approve', { name: 'rye' });
    const { result } = front.client.start('subscriptions/listen', { notifications: { taskIds: [task.taskId] } });
    result.catch(() => undefined);
    const heard = (): unknown[] =>
      front.client.notifications('notifications/tasks').map(({ params }) => (params as { status: string }).status);
    while (!heard().includes('input_required')) await new Promise(setImmediate);
    await answer(front.client, task, { approval: accept() });
    while (heard().at(-1) !== 'completed') await new Promise(setImmediate);
    expect(heard().filter((status) => status === 'completed')).toHaveLength(1);
  });
});

describe('the store of tasks', () => {
  it('holds nothing that can be read: no names, no arguments, no answers, no results', async () => {
    const store = new SharedStore();
    const { client } = await instance(store);
    const task = await start(client, 'approve', { name: 'SECRET-rye' });
    await reach(client, task, 'input_required');
    await answer(client, task, { approval: accept() });
    await reach(client, task, 'completed');
    expect(store.texts.length).toBeGreaterThan(3);
    for (const text of store.texts) expect(text).toMatch(/^[\w-]+$/);
    const opened = store.texts.map((text) => Buffer.from(text, 'base64url').toString('latin1')).join('');
    for (const word of ['SECRET', 'approve', 'bakery', task.taskId]) expect(opened).not.toContain(word);
  });

  it('is not read by a server with another secret, or under another id', async () => {
    const store = new SharedStore();
    const { client } = await instance(store);
    const task = await start(client, 'approve', { name: 'rye' });
    await reach(client, task, 'input_required');
    const stranger = await instance(
      store,
      {},
      { requestState: { secrets: ['another secret, just as long as the other'] } },
    );
    await expect(get(stranger.client, task)).rejects.toMatchObject({ code: -32602 });
    const stored = store.read(task.taskId)!;
    store.create({ ...stored, id: 'BBBBBBBBBBBBBBBBBBBBBB', version: 1 }, UNLIMITED);
    await expect(get(client, { taskId: 'BBBBBBBBBBBBBBBBBBBBBB' })).rejects.toMatchObject({ code: -32602 });
  });

  it('may not be given back what a task was before: an earlier text is none of the task', async () => {
    const store = new SharedStore();
    const { client, lines } = await instance(store);
    const task = await start(client, 'approve', { name: 'rye' });
    await reach(client, task, 'input_required');
    const asked = store.read(task.taskId)!;
    await answer(client, task, { approval: accept() });
    await reach(client, task, 'completed');
    const ended = store.read(task.taskId)!;
    store.replace({ ...ended, version: ended.version + 1, isEnded: false, text: asked.text });
    await expect(get(client, task)).rejects.toMatchObject({ code: -32602 });
    await expect(answer(client, task, { approval: accept() })).rejects.toMatchObject({ code: -32602 });
    expect(lines).toEqual(['ordered rye', 'asking rye', 'answered rye']);
  });

  it('needs secrets, and says so at start', async () => {
    const server = bakery(undefined, { store: new SharedStore() });
    await expect(connect(server)).rejects.toMatchObject({ code: 'SIGIL_TASKS_SECRETS' });
  });

  it('may be away for a while, in the middle of a task', async () => {
    const clock = new ManualClock();
    const store = new SharedStore();
    const cut = new CutStore(store);
    const one = await instance(cut, {}, { clock });
    const task = await start(one.client, 'approve', { name: 'rye' });
    await passUntil(clock, async () => (await get(one.client, task)).status === 'input_required');
    await answer(one.client, task, { approval: accept() });
    cut.isCut = true;
    await expect(get(one.client, task)).rejects.toThrow();
    await clock.advance(5000);
    cut.isCut = false;
    await passUntil(clock, async () => (await get(one.client, task)).status === 'completed');
    expect(one.lines.filter((line) => line === 'answered rye')).toHaveLength(1);
  });

  it('is warned about where several instances have one each in their memory', async () => {
    const warnings: string[] = [];
    const logger = {
      debug() {},
      info() {},
      error() {},
      warn: (_fields: object, said: string) => void warnings.push(said),
    };
    const server = bakery(undefined, {}, { ...SECRETS, stores: new MemoryStores(), logger });
    const client = await connect(server);
    expect(warnings.join()).toContain('tasks in the memory of each');
    await client.close();
    await server.close();
  });
});

describe('many changes at the same time', () => {
  it('lose no answer', async () => {
    const store = new SharedStore();
    const [one, other] = [await instance(store), await instance(store)];
    for (let round = 0; round < 20; round += 1) {
      const task = await start(one.client, 'pair');
      await reach(one.client, task, 'input_required');
      await Promise.all([
        answer(one.client, task, { amount: accept({ pieces: round }) }),
        answer(other.client, task, { approval: accept() }),
        answer(other.client, task, { approval: accept(), amount: accept({ pieces: round }) }),
      ]);
      expect(textOf(await reach(other.client, task, 'completed'))).toBe(`${round} pieces, accept`);
    }
  });

  it('run each task once', async () => {
    const store = new SharedStore();
    const instances = await Promise.all([1, 2, 3, 4].map(() => instance(store, { concurrency: 3 })));
    const tasks = await Promise.all(
      Array.from({ length: 60 }, (_none, number) =>
        start(instances[number % 4]!.client, 'approve', { name: `n${number}` }),
      ),
    );
    const client = instances[0]!.client;
    await Promise.all(
      tasks.map(async (task) => {
        await reach(client, task, 'input_required');
        await answer(instances[1]!.client, task, { approval: accept() });
        await reach(client, task, 'completed');
      }),
    );
    const lines = instances.flatMap((each) => each.lines);
    for (let number = 0; number < 60; number += 1)
      expect(lines.filter((line) => line.endsWith(` n${number}`))).toEqual(
        ['ordered', 'asking', 'answered'].map((word) => `${word} n${number}`),
      );
  });
});

/** An instance whose tool ends when the test says so, and may run again once. */
async function nightShift(store: TaskStore, clock: ManualClock, label: string): Promise<Instance & { go(): void }> {
  const lines: string[] = [];
  let go: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (go = resolve));

  @Feature()
  class NightShift {
    @Tool('Bakes until it is let go', { task: { retry: 1 } })
    async again({ name }: Bread): Promise<string> {
      lines.push(`run ${name}`);
      await gate;
      return `run by the ${label}`;
    }
  }
  const server = createServer({
    name: 'bakery',
    version: '1.0.0',
    logger: false,
    clock,
    features: [NightShift],
    extensions: [tasksExtension({ store })],
    ...SECRETS,
  });
  const client = await connect(server, { revision: WITH_TASKS, capabilities: CAPABILITIES });
  const opened = { server, client, lines, go: () => go() };
  open.push(opened);
  return opened;
}

const UNLIMITED = { tasks: Infinity, tasksPerHolder: Infinity, bytesPerHolder: Infinity, bytes: Infinity };
