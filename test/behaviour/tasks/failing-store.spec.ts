/** Stores that fail, lose their replies, or never answer: no task is lost, none works twice, and servers close all the same. */
import type { Server } from '@sigil-mcp/core';
import { connect, ManualClock, type TestClient } from '@sigil-mcp/testing';
import { bakery, type BakeryLog } from './bakery/bakery';
import { CutStore, SharedStore } from './shared-store';
import { accept, answer, CAPABILITIES, get, reach, start, WITH_TASKS, type Task } from './task-client';

const SECRETS = { requestState: { secrets: ['a secret that all instances of this server share'] } };

interface Opened {
  readonly server: Server;
  readonly client: TestClient;
  readonly clock: ManualClock;
  readonly store: CutStore;
  readonly shared: SharedStore;
  readonly log: BakeryLog;
}

async function open(shared = new SharedStore()): Promise<Opened> {
  const clock = new ManualClock();
  const store = new CutStore(shared);
  const log: BakeryLog = { lines: [] };
  const server = bakery(log, { store }, { ...SECRETS, clock });
  const client = await connect(server, { revision: WITH_TASKS, capabilities: CAPABILITIES });
  return { server, client, clock, store, shared, log };
}

async function close({ server, client, clock }: Opened): Promise<void> {
  await client.close();
  const closed = server.close();
  // The deadline of the server, and the time that its last commands may take.
  for (let passed = 0; passed < 20_000; passed += 1000) await clock.advance(1000);
  await closed;
}

/** Tries again, as a client does whose request has failed. */
async function insist<T>(request: () => Promise<T>): Promise<T> {
  return request().catch(() => insist(request));
}

/** The end of a task whose question is answered as soon as it is seen. */
async function toItsEnd({ client, clock }: Opened, task: Task): Promise<Task> {
  for (;;) {
    const now = await insist(() => get(client, task));
    if (now.status === 'input_required') await insist(() => answer(client, task, { approval: accept() }));
    if (['completed', 'failed', 'cancelled'].includes(now.status)) return now;
    await clock.advance(250);
  }
}

describe.each(['before', 'after'] as const)('a store whose command fails %s it was done', (when) => {
  it('loses no task, whichever command it is, and lets none work twice', async () => {
    let hasFailed = true;
    for (let nth = 0; hasFailed; nth += 1) {
      const opened = await open();
      const { client, store, log } = opened;
      let commands = 0;
      hasFailed = false;
      store[when] = () => {
        if (commands++ !== nth) return;
        hasFailed = true;
        throw new Error('the connection was lost');
      };
      const task = await start(client, 'approve', { name: 'rye' });
      expect([nth, await toItsEnd(opened, task)]).toMatchObject([nth, { status: 'completed' }]);
      expect(log.lines).toEqual(['ordered rye', 'asking rye', 'answered rye']);
      await close(opened);
      // Commands go on for as long as the server runs.
      if (nth > 40) break;
    }
  }, 60_000);

  it('does not fail a question whose answer was faster than its reply', async () => {
    const opened = await open();
    const { client, store, log } = opened;
    const task = await start(client, 'approve', { name: 'rye' });
    const isAsking = (): boolean => log.lines.includes('asking rye');
    let hasFailed = false;
    store[when] = async (command) => {
      if (command !== 'replace' || hasFailed || !isAsking()) return;
      hasFailed = true;
      if (when === 'after') await answer(client, task, { approval: accept() });
      throw new Error('the connection was lost');
    };
    expect(await toItsEnd(opened, task)).toMatchObject({ status: 'completed' });
    expect([hasFailed, log.lines]).toEqual([true, ['ordered rye', 'asking rye', 'answered rye']]);
    await close(opened);
  });
});

it.each(['read', 'replace', 'due'])('a server closes although its store never answers %s', async (hanging) => {
  const opened = await open();
  const { client, store, log } = opened;
  await reach(client, await start(client, 'approve', { name: 'rye' }), 'input_required');
  await start(client, 'forever', { name: 'wheat' });
  while (!log.lines.includes('started wheat')) await new Promise(setImmediate);
  store.before = (command) => (command === hanging ? new Promise(() => undefined) : undefined);
  await opened.clock.advance(1000);
  await close(opened);
  expect(log.lines).toContain('aborted wheat');
});

it('a server that closes while it takes a task has given it back before its store is closed', async () => {
  const opened = await open();
  const { client, server, store, shared } = opened;
  let claimed: (() => void) | undefined;
  let goOn: () => void = () => undefined;
  const isClaiming = new Promise<void>((resolve) => (claimed = resolve));
  const gate = new Promise<void>((resolve) => (goOn = resolve));
  store.after = (command) => {
    if (command !== 'replace') return;
    claimed?.();
    return gate;
  };
  const task = await start(client, 'bake', { name: 'rye' });
  await isClaiming;
  await client.close();
  // As a connection that ends with its server.
  const closed = server.close().then(() => (store.isCut = true));
  for (let turns = 0; turns < 20; turns += 1) await new Promise(setImmediate);
  goOn();
  await closed;
  const other = await open(shared);
  expect(await toItsEnd(other, task)).toMatchObject({ status: 'completed' });
  await close(other);
});

it('a store that fails is in the log with the reason, from time to time, also where requests alone reach it', async () => {
  const logged: unknown[] = [];
  const logger = {
    ...{ debug() {}, info() {}, error() {} },
    warn: ({ err }: { readonly err?: Error }, said: string) => void logged.push([said.slice(0, 28), err?.message]),
  };
  const clock = new ManualClock();
  const store = new CutStore(new SharedStore());
  const server = bakery(undefined, { store, work: false }, { ...SECRETS, clock, logger });
  const client = await connect(server, { revision: WITH_TASKS, capabilities: CAPABILITIES });
  store.isCut = true;
  const line = ['The store of tasks has failed', 'the store is away'].map((text) => text.slice(0, 28));
  for (let request = 0; request < 3; request += 1)
    await expect(start(client, 'bake', { name: 'rye' })).rejects.toThrow();
  expect(logged).toEqual([line]);
  await clock.advance(10_000);
  await expect(get(client, { taskId: 'A'.repeat(22) })).rejects.toThrow();
  expect(logged).toEqual([line, line]);
  await client.close();
  await server.close();
});

it('is closed again when it cannot be watched, because the server does not start', async () => {
  const shared = new SharedStore();
  const steps: string[] = [];
  const store = Object.assign(Object.create(shared) as SharedStore, {
    open: () => void steps.push('open'),
    close: () => void steps.push('close'),
    watch: () => {
      throw new Error('nobody may watch');
    },
  });
  for (let round = 0; round < 2; round += 1) {
    const server = bakery({ lines: [] }, { store }, { ...SECRETS, clock: new ManualClock() });
    await expect(connect(server, { revision: WITH_TASKS, capabilities: CAPABILITIES })).rejects.toThrow(
      'nobody may watch',
    );
    await server.close();
  }
  expect(steps).toEqual(['open', 'close', 'open', 'close']);
});
