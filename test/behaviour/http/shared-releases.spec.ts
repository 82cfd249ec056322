/** A new version of a server replaces the old one: clients are notified that the lists have changed, once no instance has the old ones. */
import { Feature, Prompt, Tool, type Constructor } from '@sigil-mcp/core';
import { MemoryStores, STREAM_LIMITS, type Stores } from '@sigil-mcp/core/stores';
import { ManualClock } from '@sigil-mcp/testing';
import { request, serve, type OpenServer } from './http-server';
import { until } from './raw-request';
import { initialize, readStream, type ReadStream } from './two-instances';

@Feature()
class Desk {
  @Tool('Opens')
  open(): string {
    return 'open';
  }

  @Prompt('Greets')
  greet(): string {
    return 'hello';
  }
}

@Feature()
class Drawer {
  @Tool('Closes')
  close(): string {
    return 'closed';
  }
}

const VERSION = '2025-11-25';
const NEWEST = '2026-07-28';
const CHANGED = ['notifications/tools/list_changed'];
/** Milliseconds until an instance that has left is missed, and the rest has settled. */
const LONG = 8000;

let clock: ManualClock;
let stores: MemoryStores;
let opened: OpenServer[];
const streams: ReadStream[] = [];

beforeEach(() => {
  clock = new ManualClock();
  stores = new MemoryStores(STREAM_LIMITS, clock);
  opened = [];
});
afterEach(async () => {
  for (const stream of streams.splice(0)) stream.cut();
  await Promise.all(opened.map((open) => open.close()));
});

async function start(...features: Constructor[]): Promise<OpenServer> {
  const open = await serve({ features, stores, clock });
  opened.push(open);
  return open;
}
const startOld = (): Promise<OpenServer> => start(Desk);
const startNew = (): Promise<OpenServer> => start(Desk, Drawer);

/** The stores, but what all instances share is exchanged at once, and the answers come when they are let go. */
function lateStores({ sessions, streams, rates, bus }: MemoryStores): { late: Stores; answer: () => void } {
  let answer = (): void => undefined;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  const late: Stores['bus'] = {
    join: (instance, listener) => bus.join(instance, listener),
    announce: (change) => bus.announce(change),
    send: (instance, message) => bus.send(instance, message),
    broadcast: (message) => bus.broadcast(message),
    isAlive: (instance) => bus.isAlive(instance),
    position: () => bus.position(),
    changesAfter: (position) => bus.changesAfter(position),
    swap: async (name, text) => {
      const before = bus.swap(name, text);
      await answered;
      return before;
    },
  };
  return { late: { sessions, streams, rates, bus: late, close: () => undefined }, answer };
}

async function read(open: OpenServer, headers: Record<string, string>, body?: object): Promise<ReadStream> {
  const stream = await readStream(open, headers, body);
  streams.push(stream);
  return stream;
}

/** The stream of a session, opened again when the instance before has stopped. */
async function follow(open: OpenServer, session: Record<string, string>): Promise<ReadStream> {
  let stream = await read(open, session);
  while (stream.status !== 200) stream = await read(open, session);
  return stream;
}

function listen(open: OpenServer): Promise<ReadStream> {
  const notifications = { toolsListChanged: true, promptsListChanged: true };
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': NEWEST,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const headers = { 'mcp-protocol-version': NEWEST, 'mcp-method': 'subscriptions/listen' };
  return read(open, headers, request('changes', 'subscriptions/listen', { notifications, _meta }));
}

/** The methods that a stream has carried, after another one that is sent last. */
async function heard(stream: ReadStream, by: OpenServer): Promise<(string | undefined)[]> {
  const last = { name: 'last', description: 'Is added last', handler: () => 'done' };
  by.server.registry.add({ kind: 'prompt', ...last });
  const methods = (): (string | undefined)[] =>
    stream.messages.map(({ method }) => method).filter((method) => method?.endsWith('/list_changed'));
  await until(() => methods().includes('notifications/prompts/list_changed'));
  by.server.registry.remove('prompt', 'last');
  return methods().filter((method) => method !== 'notifications/prompts/list_changed');
}

it('notifies a session, when the last instance of the old version has stopped', async () => {
  const [first, second] = [await startOld(), await startOld()];
  await clock.advance(LONG);
  const session = await initialize(first, VERSION);
  const before = await follow(first, session);
  const third = await startNew();
  await clock.advance(LONG);
  expect(await heard(before, first)).toEqual([]);
  await first.close();
  const after = await follow(third, session);
  await clock.advance(LONG);
  expect(await heard(after, third)).toEqual([]);
  await second.close();
  await startNew();
  await clock.advance(LONG);
  expect(await heard(after, third)).toEqual(CHANGED);
});

it('notifies a subscription of the newest revision that was opened at the new version', async () => {
  const first = await startOld();
  await clock.advance(LONG);
  const second = await startNew();
  await clock.advance(LONG);
  await first.close();
  const after = await listen(second);
  await clock.advance(LONG);
  expect(await heard(after, second)).toEqual(CHANGED);
});

it('notifies a session that was open before, where all old instances stop before a new one starts', async () => {
  const first = await startOld();
  await clock.advance(LONG);
  const session = await initialize(first, VERSION);
  await follow(first, session);
  await first.close();
  const second = await startNew();
  await clock.advance(LONG);
  const after = await follow(second, session);
  expect(await heard(after, second)).toEqual(CHANGED);
});

it('notifies a session, where the store answers so late that everything has settled meanwhile', async () => {
  const first = await startOld();
  await clock.advance(LONG);
  const session = await initialize(first, VERSION);
  await follow(first, session);
  await first.close();
  const { late, answer } = lateStores(stores);
  const second = await serve({ features: [Desk, Drawer], stores: late, clock });
  opened.push(second);
  await clock.advance(LONG);
  answer();
  const after = await follow(second, session);
  expect(await heard(after, second)).toEqual(CHANGED);
});

it('notifies clients again, when the new version is taken back', async () => {
  const first = await startOld();
  await clock.advance(LONG);
  const session = await initialize(first, VERSION);
  const before = await follow(first, session);
  const second = await startNew();
  await clock.advance(LONG);
  await second.close();
  await clock.advance(LONG);
  expect(await heard(before, first)).toEqual(CHANGED);
});

it('notifies nobody of a new version that lists the same, nor of an instance more', async () => {
  const first = await startOld();
  await clock.advance(LONG);
  const session = await initialize(first, VERSION);
  const second = await startOld();
  await clock.advance(LONG);
  await first.close();
  const after = await follow(second, session);
  await clock.advance(LONG);
  expect(await heard(after, second)).toEqual([]);
});

it('starts a server whose metadata cannot be written as JSON', async () => {
  const meta = { big: 1n as unknown as number };
  const open = await serve({
    features: [{ kind: 'tool', name: 'odd', description: 'Has odd metadata', meta, handler: () => 'done' }],
    stores,
    clock,
  });
  opened.push(open);
  expect((await open.post(request(1, 'ping'), await initialize(open, VERSION))).status).toBe(200);
});
