/** What a session that several instances share goes through when one of them, or the store, is slow or fails: nobody else feels it. */
import { Feature, McpContext, Resource, Tool } from '@sigil-mcp/core';
import { MemoryStores, StoreAway, type Stores } from '@sigil-mcp/core/stores';
import { ManualClock } from '@sigil-mcp/testing';
import type { HttpTransportOptions } from '@sigil-mcp/fastify';
import { request, type OpenServer } from './http-server';
import { until } from './raw-request';
import { initialize, readStream, serveTwice, type Instances } from './two-instances';

const VERSION = '2025-11-25';
const MINUTE = 60_000;

@Feature()
class Desk {
  static began = 0;
  static reasons: string[] = [];

  @Tool('Waits until it is cancelled')
  async wait({ signal }: McpContext): Promise<string> {
    Desk.began++;
    await new Promise<void>((resolve) =>
      signal.addEventListener('abort', () => {
        Desk.reasons.push((signal.reason as Error).message);
        resolve();
      }),
    );
    return 'done';
  }

  @Tool('Comes and goes')
  other(): string {
    return 'other';
  }

  @Resource('desk://plan', {})
  plan(): string {
    return 'plan';
  }

  @Resource('desk://chart', {})
  chart(): string {
    return 'chart';
  }
}

let both: Instances;
let clock: ManualClock;
const start = async (options: HttpTransportOptions = {}, seenByB?: (stores: MemoryStores) => Stores): Promise<void> => {
  Object.assign(Desk, { began: 0, reasons: [] });
  clock = new ManualClock();
  const definition = { features: [Desk], clock, shutdownDeadline: 1, toolTimeout: Infinity };
  both = await serveTwice(definition, { retryInterval: 50, ...options }, seenByB);
};
afterEach(async () => {
  const closed = both.close();
  // What runs is given up at a deadline, which comes when time passes.
  await clock.advance(1000);
  await closed;
});

const ping = async (open: OpenServer, session: Record<string, string>): Promise<number> =>
  (await open.post(request('ping', 'ping'), session)).status;
const seen = ({ sessions, streams, bus, rates }: MemoryStores): Stores => ({
  sessions,
  streams,
  bus,
  rates,
  close: () => undefined,
});
let changes = 0;
const change = (): void => {
  const name = `late-${changes++}`;
  both.b.server.registry.add({ kind: 'tool', name, description: 'Comes late', handler: () => 'late' });
};

/** Resolves when an instance has seen a connection close. */
const nextClose = ({ http }: OpenServer): Promise<void> =>
  new Promise((resolve) => http.once('connection', (socket) => socket.once('close', () => setImmediate(resolve))));

/** Begins a call, of which the client hears no more. */
async function leaveCall(open: OpenServer, session: Record<string, string>): Promise<void> {
  const closed = nextClose(open);
  const controller = new AbortController();
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...session };
  const body = JSON.stringify(request(1, 'tools/call', { name: 'wait' }));
  // A connection of its own.
  const left = fetch(`${open.url}?left`, {
    method: 'POST',
    headers,
    body,
    signal: controller.signal,
    keepalive: false,
  });
  left.catch(() => undefined);
  await until(() => Desk.began === 1);
  controller.abort();
  await closed;
}

describe('a call whose client is away', () => {
  it('runs on for as long as its session may be idle, as at a server that is alone', async () => {
    await start({ sessions: { idleTime: 10 * MINUTE } });
    await leaveCall(both.a, await initialize(both.a, VERSION));
    await clock.advance(9 * MINUTE);
    expect(Desk.reasons).toEqual([]);
    await clock.advance(2 * MINUTE);
    await until(() => Desk.reasons.length > 0);
    expect(Desk.reasons).toEqual(['The session was idle for too long.']);
  });

  it('runs on while its client is at another instance, for however long', async () => {
    await start({ sessions: { idleTime: 10 * MINUTE } });
    const session = await initialize(both.a, VERSION);
    await leaveCall(both.a, session);
    for (let minutes = 0; minutes < 60; minutes += 5) {
      await clock.advance(5 * MINUTE);
      expect(await ping(both.b, session)).toBe(200);
    }
    expect(Desk.reasons).toEqual([]);
    await clock.advance(30 * MINUTE);
    await until(() => Desk.reasons.length > 0);
  });
});

describe('the stream of a session', () => {
  it('is that of the newest connection, though the instance that held it hears late that it was taken', async () => {
    const late: (() => void)[] = [];
    await start({}, (stores) => ({ ...seen(stores), bus: tellingLate(stores, late) }));
    const session = await initialize(both.a, VERSION);
    const held = await readStream(both.a, session);
    change();
    await until(() => held.messages.length === 1);
    const first = readStream(both.b, session);
    await until(() => late.length === 1);
    const second = await readStream(both.b, session);
    for (const tell of late) tell();
    await Promise.all([held.done, first.then(({ done }) => done)]);
    const before = second.messages.length;
    for (const count of [1, 2]) {
      change();
      await until(() => second.messages.length === before + count);
    }
    expect(held.messages).toHaveLength(1);
    second.cut();
  });

  it('is taken from nobody by an event id that was never given out', async () => {
    await start();
    const [session, others] = [await initialize(both.a, VERSION), await initialize(both.a, VERSION)];
    const [held, other] = [await readStream(both.a, session), await readStream(both.a, others)];
    await until(() => held.lastEvent !== undefined && other.lastEvent !== undefined);
    const record = both.stores.sessions.use(session['mcp-session-id'] ?? '', MINUTE);
    const own = held.lastEvent ?? '';
    const made = ['session-never-given-out', 'session-5-0', 'session-0', 'session-', own.slice(0, -1), `${own}0`];
    for (const id of [...made, other.lastEvent ?? '']) {
      const answer = await readStream(both.b, { ...session, 'last-event-id': id });
      expect([id, answer.status]).toEqual([id, 400]);
    }
    expect(both.stores.sessions.use(session['mcp-session-id'] ?? '', MINUTE)).toBe(record);
    change();
    await until(() => held.messages.length === 1 && other.messages.length === 1);
    for (const stream of [held, other]) stream.cut();
  });
});

describe('a store that fails for one session', () => {
  it('keeps the others alive whose clients are there', async () => {
    const failing = new Set<string>();
    const options = { sessions: { idleTime: 10 * MINUTE } };
    await start(options, (stores) => ({ ...seen(stores), sessions: failingFor(stores, failing) }));
    const sessions = [await initialize(both.b, VERSION), await initialize(both.b, VERSION)];
    const streams = [];
    for (const session of sessions) streams.push(await readStream(both.b, session));
    failing.add(sessions[0]?.['mcp-session-id'] ?? '');
    await clock.advance(15 * MINUTE);
    failing.clear();
    const statuses = [];
    for (const session of sessions) statuses.push(await ping(both.b, session));
    expect(statuses).toEqual([404, 200]);
    for (const stream of streams) stream.cut();
  });

  it('fails no request whose change is written with what another one could not write', async () => {
    const writes: ((isAway: boolean) => void)[] = [];
    const uses: string[] = [];
    await start({}, (stores) => ({ ...seen(stores), sessions: decided(stores, writes, uses) }));
    const session = await initialize(both.b, VERSION);
    const used = uses.length;
    const subscribe = async (uri: string): Promise<number> =>
      (await both.b.post(request(uri, 'resources/subscribe', { uri }), session)).status;
    const first = subscribe('desk://plan');
    await until(() => writes.length === 1);
    const second = subscribe('desk://chart');
    // Both requests are there: the second one waits for what the first one writes.
    await until(() => uses.length === used + 2);
    await clock.advance(0);
    writes.shift()?.(true);
    await until(() => writes.length === 1);
    writes.shift()?.(false);
    expect(await Promise.all([first, second])).toEqual([200, 200]);
    const record = both.stores.sessions.use(session['mcp-session-id'] ?? '', MINUTE) ?? '';
    expect(JSON.parse(record)).toMatchObject({ conversation: { subscribed: ['desk://plan', 'desk://chart'] } });
  });

  it('fails each request whose change is not written, and none that comes later', async () => {
    const writes: ((isAway: boolean) => void)[] = [];
    await start({}, (stores) => ({ ...seen(stores), sessions: decided(stores, writes) }));
    const session = await initialize(both.b, VERSION);
    const subscribe = async (uri: string): Promise<number> =>
      (await both.b.post(request(uri, 'resources/subscribe', { uri }), session)).status;
    const refused = subscribe('desk://plan');
    await until(() => writes.length === 1);
    writes.shift()?.(true);
    expect(await refused).toBe(503);
    const taken = subscribe('desk://chart');
    await until(() => writes.length === 1);
    writes.shift()?.(false);
    expect(await taken).toBe(200);
    const record = both.stores.sessions.use(session['mcp-session-id'] ?? '', MINUTE) ?? '';
    expect(JSON.parse(record)).toMatchObject({ conversation: { subscribed: ['desk://chart'] } });
  });
});

/** A bus on which an instance hears late that its stream was taken. */
function tellingLate({ bus }: MemoryStores, late: (() => void)[]): Stores['bus'] {
  return {
    join: (instance, listener) => bus.join(instance, listener),
    announce: (text) => bus.announce(text),
    send: (instance, message) => {
      if ((JSON.parse(message) as { kind: string }).kind !== 'stream-taken') return bus.send(instance, message);
      return new Promise((resolve) => late.push(() => resolve(bus.send(instance, message))));
    },
    broadcast: (message) => bus.broadcast(message),
    isAlive: (instance) => bus.isAlive(instance),
    position: () => bus.position(),
    swap: (name, text) => bus.swap(name, text),
    changesAfter: (position) => bus.changesAfter(position),
  };
}

const away = (): never => {
  throw new StoreAway(new Error('away'));
};

/** Sessions of which some cannot be read. */
function failingFor({ sessions }: MemoryStores, failing: ReadonlySet<string>): Stores['sessions'] {
  return {
    open: (...words) => sessions.open(...words),
    use: async (id, idleTime) => (failing.has(id) ? away() : sessions.use(id, idleTime)),
    replace: (...words) => sessions.replace(...words),
    end: (id) => sessions.end(id),
  };
}

/** Sessions whose changes are written, or not, when it is decided. */
function decided(
  { sessions }: MemoryStores,
  writes: ((isAway: boolean) => void)[],
  uses: string[] = [],
): Stores['sessions'] {
  return {
    open: (...words) => sessions.open(...words),
    use: (id, idleTime) => {
      uses.push(id);
      return sessions.use(id, idleTime);
    },
    replace: async (...words) => {
      const isAway = await new Promise<boolean>((resolve) => writes.push(resolve));
      return isAway ? away() : sessions.replace(...words);
    },
    end: (id) => sessions.end(id),
  };
}
