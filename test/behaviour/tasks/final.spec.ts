/** What is final stays: the end of a task that a client has seen, and what `once` did where nothing of it could be kept any more. */
import { createServer, Feature, McpContext, Tool, type Server } from '@sigil-mcp/core';
import { connect, ManualClock, type TestClient } from '@sigil-mcp/testing';
import { MemoryTaskStore, tasks, type TasksOptions } from '@sigil-mcp/tasks';
import { Approval } from './bakery/bakery';
import { CutStore, SharedStore } from './shared-store';
import { accept, answer, CAPABILITIES, get, reach, start, textOf, WITH_TASKS } from './task-client';

const SECRETS = { requestState: { secrets: ['a secret that all instances of this server share'] } };

let clock: ManualClock;
let store: SharedStore;
/** What handlers have done. */
let done: string[];
/** Lets the handlers go on that wait for it. */
let go: () => void;
let gate: Promise<void>;
const open: { readonly server: Server; readonly client: TestClient }[] = [];
beforeEach(() => {
  clock = new ManualClock();
  store = new SharedStore();
  done = [];
  gate = new Promise((resolve) => (go = resolve));
});
afterEach(async () => {
  go();
  for (const { client, server } of open.splice(0)) {
    await client.close();
    await server.close();
  }
});

@Feature()
class Shop {
  @Tool('Sells when it is let go', { task: 'optional' })
  async sell(): Promise<string> {
    done.push('began');
    await gate;
    return 'Sold.';
  }

  @Tool('Charges, although its question was suspended', { task: 'optional' })
  async hasty(context: McpContext): Promise<string> {
    try {
      await context.elicit(Approval, 'Charge?', { key: 'charge' });
    } catch {
      done.push('caught');
    }
    return `Charged ${await context.once('charge', () => done.push('charged'))}.`;
  }

  @Tool('Charges when its signal has fired', { task: 'optional' })
  async stubborn(context: McpContext): Promise<string> {
    done.push('began');
    await new Promise((resolve) => context.signal.addEventListener('abort', resolve, { once: true }));
    await context.once('charge', () => done.push('charged')).catch(() => done.push('refused'));
    return 'Charged.';
  }

  @Tool('Charges when it is let go, and may run again', { task: { retry: 1 } })
  async charge(context: McpContext): Promise<string> {
    done.push('began');
    if (done.length === 1) await gate;
    const by = await context.once('charge', () => done.push('charged')).catch(() => done.push('refused'));
    return `Charged ${by}.`;
  }
}

async function instance(options: TasksOptions = {}): Promise<TestClient> {
  const definition = { name: 'shop', version: '1.0.0', logger: false, clock, ...SECRETS } as const;
  const server = createServer({ ...definition, features: [Shop], extensions: [tasks({ store, ...options })] });
  const client = await connect(server, { revision: WITH_TASKS, capabilities: CAPABILITIES });
  open.push({ server, client });
  return client;
}

/** Waits until handlers have done so much. */
async function happened(count: number): Promise<void> {
  while (done.length < count) await new Promise(setImmediate);
}

async function turns(count = 50): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise(setImmediate);
}

describe('the end that a client has seen', () => {
  it('is not replaced by a cancellation, where the time of the task had ended', async () => {
    const client = await instance({ work: false, ttl: 60_000 });
    const task = await start(client, 'sell');
    clock.setDate(clock.now() + 60_000);
    const seen = await get(client, task);
    expect(seen).toMatchObject({ status: 'failed', statusMessage: 'The task was not done within 60000 ms.' });
    await client.request('tasks/cancel', { taskId: task.taskId });
    clock.setDate(clock.now() + 1000);
    expect(await get(client, task)).toEqual(seen);
  });

  it('is not replaced by a worker that was lost, and finishes too late', async () => {
    const worker = await instance({ store: new CutStore(store) });
    const task = await start(worker, 'sell');
    await happened(1);
    const front = await instance({ work: false });
    clock.setDate(clock.now() + 31_000);
    const seen = await get(front, task);
    expect(seen).toMatchObject({ status: 'failed' });
    go();
    await turns();
    expect(await get(front, task)).toEqual(seen);
  });
});

describe('a machine that sleeps', () => {
  it('loses no task that is in the memory of its process', async () => {
    const client = await instance({ store: new MemoryTaskStore() });
    const task = await start(client, 'sell');
    await happened(1);
    // The clock of the machine goes on while its processes stand still.
    clock.setDate(clock.now() + 3_600_000);
    await clock.advance(10_000);
    expect(await get(client, task)).toMatchObject({ status: 'working' });
    go();
    expect(textOf(await reach(client, task, 'completed'))).toBe('Sold.');
  });
});

describe('once does nothing', () => {
  it('in a handler that goes on after its question was suspended', async () => {
    const client = await instance({ waiting: 0 });
    const task = await start(client, 'hasty');
    await happened(1);
    await turns();
    expect(done).toEqual(['caught']);
    await answer(client, await reach(client, task, 'input_required'), { charge: accept() });
    expect(textOf(await reach(client, task, 'completed'))).toBe('Charged 2.');
    expect(done).toEqual(['caught', 'charged']);
  });

  it('in a handler that goes on after its task was cancelled', async () => {
    const client = await instance();
    const task = await start(client, 'stubborn');
    await happened(1);
    await client.request('tasks/cancel', { taskId: task.taskId });
    await happened(2);
    expect(done).toEqual(['began', 'refused']);
  });

  it('in a process that was busy for longer than its lease, where another one has the task now', async () => {
    const busy = await instance({ store: new CutStore(store) });
    const task = await start(busy, 'charge');
    await happened(1);
    clock.setDate(clock.now() + 31_000);
    const other = await instance({ store: new CutStore(store) });
    // Nothing tells the busy process: it sees the clock when it goes on.
    await happened(3);
    go();
    await happened(4);
    expect(done).toEqual(['began', 'began', 'charged', 'refused']);
    expect(textOf(await reach(other, task, 'completed'))).toBe('Charged 3.');
  });
});
