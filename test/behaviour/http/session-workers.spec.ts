/** Whom an instance tells what happens to a session: those that work for it, and nobody else. */
import { Feature, McpContext, Resource, Tool } from '@sigil-mcp/core';
import type { MemoryStores, SessionStore, Stores } from '@sigil-mcp/core/stores';
import { request } from './http-server';
import { until } from './raw-request';
import { initialize, readStream, serveTwice, type Instances } from './two-instances';

const VERSION = '2025-11-25';

@Feature()
class Desk {
  static reasons: string[] = [];
  static running = 0;
  static goOn: (() => void)[] = [];

  @Tool('Says hello')
  hello(): string {
    return 'hello';
  }

  @Tool('Says hello after a turn')
  async soon(): Promise<string> {
    await new Promise((resolve) => setImmediate(resolve));
    return 'hello';
  }

  @Tool('Waits')
  wait({ signal }: McpContext): Promise<string> {
    return this.until(signal);
  }

  @Tool('Says that it waits')
  say({ signal, log }: McpContext): Promise<string> {
    log.info('waits');
    return this.until(signal);
  }

  private async until(signal: AbortSignal): Promise<string> {
    Desk.running++;
    await new Promise<void>((resolve) => {
      Desk.goOn.push(resolve);
      signal.addEventListener('abort', () => {
        Desk.reasons.push((signal.reason as Error).message);
        resolve();
      });
    });
    return 'done';
  }

  @Resource('desk://plan', {})
  plan(): string {
    return 'plan';
  }
}

/** What was sent through the bus: the kind of each message, and to whom. */
interface Sent {
  readonly kind: string;
  readonly to: 'one' | 'all';
}

let both: Instances;
let sent: Sent[];
/** Whether no instance seems to be alive. */
let seemDead: boolean;

function watched(stores: MemoryStores): Stores {
  const { bus } = stores;
  const note = (text: string, to: Sent['to']): void => {
    const { kind } = JSON.parse(text) as { kind: string };
    if (kind.startsWith('session') || kind.startsWith('stream')) sent.push({ kind, to });
  };
  const watchedBus = Object.assign(Object.create(bus) as typeof bus, {
    join: bus.join.bind(bus),
    announce: bus.announce.bind(bus),
    isAlive: bus.isAlive.bind(bus),
    position: bus.position.bind(bus),
    swap: bus.swap.bind(bus),
    changesAfter: bus.changesAfter.bind(bus),
    send: (instance: string, text: string) => {
      note(text, 'one');
      return seemDead ? false : bus.send(instance, text);
    },
    broadcast: (text: string) => {
      note(text, 'all');
      bus.broadcast(text);
    },
  });
  return { ...stores, bus: watchedBus, close: () => undefined };
}

beforeEach(async () => {
  [Desk.reasons, Desk.running, Desk.goOn, sent, seemDead] = [[], 0, [], [], false];
  both = await serveTwice({ features: [Desk], answerTimeout: 5000 }, {}, watched);
});
afterEach(() => both.close());

const tool = (id: number, name: string): object => request(id, 'tools/call', { name, _meta: { progressToken: 1 } });
const notification = (method: string, params = {}): object => ({ jsonrpc: '2.0', method, params });
const cancelled = (requestId: number): object => notification('notifications/cancelled', { requestId });

/** Waits until an instance has reported its work for a session. */
async function untilReported(session: Record<string, string>): Promise<void> {
  const { workers } = both.stores.sessions as SessionStore;
  await until(async () => (await workers?.of(session['mcp-session-id'] ?? ''))?.length === 1);
}

it('tells nobody of a session that is opened, used and ended while no work runs for it elsewhere', async () => {
  const session = await initialize(both.a, VERSION);
  await both.b.post(notification('notifications/initialized'), session);
  for (const open of [both.a, both.b]) {
    await open.post(tool(1, 'hello'), session);
    await open.post(tool(2, 'soon'), session);
  }
  await both.b.post(request(3, 'logging/setLevel', { level: 'debug' }), session);
  await both.b.post(request(4, 'resources/subscribe', { uri: 'desk://plan' }), session);
  await both.b.post(cancelled(2), session);
  await fetch(both.b.url, { method: 'DELETE', headers: session });
  expect(sent).toEqual([]);
  for (const open of [both.a, both.b]) expect((await open.post(tool(5, 'hello'), session)).status).toBe(404);
});

it('tells the instance where a call runs that its session has changed and ended', async () => {
  const session = await initialize(both.a, VERSION);
  await both.a.post(notification('notifications/initialized'), session);
  const waiting = both.a.post(tool(1, 'wait'), session);
  await untilReported(session);
  await both.b.post(request(2, 'logging/setLevel', { level: 'debug' }), session);
  await fetch(both.b.url, { method: 'DELETE', headers: session });
  expect((await waiting).status).toBe(404);
  expect(Desk.reasons).toEqual(['The client ended the session.']);
  expect(sent).toEqual([
    { kind: 'session-changed', to: 'one' },
    { kind: 'session-ended', to: 'one' },
  ]);
});

it('cancels a call elsewhere, also one that was not reported yet when its cancellation arrived', async () => {
  const session = await initialize(both.a, VERSION);
  const calls = [both.a.post(tool(1, 'wait'), session)];
  await untilReported(session);
  await both.b.post(cancelled(1), session);
  const next = await initialize(both.a, VERSION);
  calls.push(both.a.post(tool(2, 'wait'), next));
  await both.b.post(cancelled(2), next);
  for (const call of calls) expect((await call).status).toBe(202);
  expect(Desk.reasons).toHaveLength(2);
  expect(sent.filter(({ to }) => to === 'all')).toEqual([]);
});

it('cancels a call elsewhere whose session took long to be stored', async () => {
  const { sessions } = both.stores;
  const { workers } = sessions as SessionStore;
  if (!workers) throw new Error('There are no workers.');
  const [open, join] = [sessions.open.bind(sessions), workers.join.bind(workers)];
  let reports = 0;
  const slow: SessionStore['open'] = async (...session) => {
    await until(() => reports > 0);
    open(...session);
  };
  workers.join = (...report) => {
    reports++;
    return join(...report);
  };
  Object.assign(sessions, { open: slow });
  const session = await initialize(both.a, VERSION);
  const waiting = both.a.post(tool(1, 'wait'), session);
  await untilReported(session);
  await both.b.post(cancelled(1), session);
  expect((await waiting).status).toBe(202);
  expect(Desk.reasons).toHaveLength(1);
});

it('ends a call that was not reported yet when its session ended elsewhere', async () => {
  const session = await initialize(both.a, VERSION);
  const waiting = both.a.post(tool(1, 'wait'), session);
  await until(() => Desk.running === 1);
  await fetch(both.b.url, { method: 'DELETE', headers: session });
  expect((await waiting).status).toBe(404);
  expect(Desk.reasons).toEqual(['The client ended the session.']);
});

it('tells the instance that holds the stream of a session of a subscription, and of the end', async () => {
  const session = await initialize(both.a, VERSION);
  const stream = await readStream(both.a, session);
  await both.b.post(request(1, 'resources/subscribe', { uri: 'desk://plan' }), session);
  both.b.server.notifyResourceChanged('desk://plan');
  await until(() => stream.messages.length > 0);
  await fetch(both.b.url, { method: 'DELETE', headers: session });
  await stream.done;
  expect(sent).toEqual([
    { kind: 'session-changed', to: 'one' },
    { kind: 'session-ended', to: 'one' },
  ]);
});

it('sends a cancellation to all where an instance that works for the session seems to be dead', async () => {
  const session = await initialize(both.a, VERSION);
  const waiting = both.a.post(tool(1, 'wait'), session);
  await untilReported(session);
  seemDead = true;
  await both.b.post(cancelled(1), session);
  expect((await waiting).status).toBe(202);
  expect(sent).toEqual([
    { kind: 'session-received', to: 'one' },
    { kind: 'session-received', to: 'all' },
  ]);
});

it('tells the instance that writes a stream, and nobody else, that it was resumed elsewhere', async () => {
  const session = await initialize(both.a, VERSION);
  const opened = await readStream(both.a, session, tool(1, 'say'));
  await until(() => opened.lastEvent !== undefined);
  const resumed = await readStream(both.b, { ...session, 'last-event-id': opened.lastEvent ?? '' });
  await opened.done;
  for (const goOn of Desk.goOn) goOn();
  await until(() => resumed.messages.some(({ id }) => id === 1));
  expect(sent.filter(({ kind }) => kind === 'stream-taken')).toEqual([{ kind: 'stream-taken', to: 'one' }]);
});
