/** What one client can make the shared store keep, and the instances hold, is bounded. */
import { Feature, McpContext, Resource, Tool } from '@sigil-mcp/core';
import type { MemoryStores, Stores } from '@sigil-mcp/core/stores';
import type { HttpTransportOptions } from '@sigil-mcp/fastify';
import { request } from './http-server';
import { until } from './raw-request';
import { initialize, readStream, serveTwice, type Instances } from './two-instances';

const VERSION = '2025-11-25';

@Feature()
class Desk {
  @Tool('Says hello')
  hello(): string {
    return 'hello';
  }

  @Tool('Says a lot, behind a word')
  speech(context: McpContext): string {
    context.log.info('a word');
    return 'x'.repeat(10_000);
  }

  @Resource('desk://drawers/{number}')
  drawer(): string {
    return 'paper';
  }
}

/** What was said to all. */
interface Said {
  readonly kind: string;
  readonly text?: string;
  readonly message?: { readonly params?: object };
}

/** Who counts what is kept of streams. */
const COUNTERS = ['the store counts it', 'the instances count it'] as const;

/** The stores as they are, with a note of what was said to all, and changes that take a while to read. */
function noted(stores: MemoryStores, said: Said[]): Stores {
  const { bus, sessions, streams, rates } = stores;
  return {
    streams,
    rates,
    bus: {
      join: (instance, listener) => bus.join(instance, listener),
      announce: (change) => bus.announce(change),
      send: (instance, message) => bus.send(instance, message),
      broadcast: (message) => {
        said.push(JSON.parse(message));
        return bus.broadcast(message);
      },
      isAlive: (instance) => bus.isAlive(instance),
      position: () => bus.position(),
      swap: (name, text) => bus.swap(name, text),
      changesAfter: async (position) => {
        // eslint-disable-next-line house/fixed-sleep -- a store that is slow: what comes over other connections meanwhile is counted, too
        await new Promise((resolve) => setTimeout(resolve, 20));
        return bus.changesAfter(position);
      },
    },
    sessions: {
      open: (...words) => sessions.open(...words),
      use: (...words) => sessions.use(...words),
      replace: (...words) => sessions.replace(...words),
      end: (id) => sessions.end(id),
    },
    close: () => stores.close(),
  };
}

/** Streams of a store that counts nothing, as a Redis. */
function uncounted({ streams }: MemoryStores): Stores['streams'] {
  streams.limit = () => undefined;
  return {
    open: (...words) => streams.open(...words),
    append: (...words) => streams.append(...words),
    end: (...words) => streams.end(...words),
    read: (...words) => streams.read(...words),
    follow: (...words) => streams.follow(...words),
    forget: (name) => streams.forget(name),
  };
}

describe('a client of a server with shared stores', () => {
  let both: Instances;
  let said: Said[];
  const start = async (options?: HttpTransportOptions, counter = COUNTERS[0] as string): Promise<void> => {
    said = [];
    both = await serveTwice({ features: [Desk] }, options, (stores) => ({
      ...noted(stores, said),
      ...(counter === 'the instances count it' && { streams: uncounted(stores) }),
    }));
  };
  const told = () => said.filter(({ kind }) => kind === 'session-received');
  afterEach(() => both.close());

  const answerMadeUp = async (session: Record<string, string>, index: number, length: number): Promise<void> => {
    const id = `ask-${index.toString(16).padStart(16, '0')}-1`;
    const answer = { jsonrpc: '2.0', id, result: { action: 'accept', content: { name: 'x'.repeat(length) } } };
    expect((await both.b.post(answer, session)).status).toBe(202);
  };

  it('has few long answers for instances that never were told to all, and short ones as before', async () => {
    await start();
    const session = await initialize(both.b, VERSION);
    for (let index = 0; index < 60; index++) await answerMadeUp(session, index, 11_000);
    expect(told().length).toBeGreaterThanOrEqual(20);
    expect(told().length).toBeLessThanOrEqual(21);
    const before = told().length;
    for (let index = 0; index < 30; index++) await answerMadeUp(session, index, 100);
    expect(told()).toHaveLength(before + 30);
  });

  it('has cancellations told with what is read of them alone', async () => {
    await start();
    const session = await initialize(both.b, VERSION);
    const cancel = (params: object) =>
      both.b.post({ jsonrpc: '2.0', method: 'notifications/cancelled', params }, session);
    await cancel({ requestId: 7, reason: 'r'.repeat(100_000), more: 'm'.repeat(100_000) });
    await cancel({ requestId: 'i'.repeat(2000), reason: 'enough' });
    await cancel({ requestId: { no: 'id' } });
    expect(told().map(({ message }) => message)).toEqual([
      { kind: 'notification', method: 'notifications/cancelled', params: { requestId: 7, reason: 'r'.repeat(200) } },
    ]);
  });

  it('has what is known of it told where that is short, and read where it is long', async () => {
    await start();
    const session = await initialize(both.b, VERSION);
    const stream = await readStream(both.a, session);
    for (let index = 0; index < 20; index++) {
      const uri = `desk://drawers/${`${index}`.padStart(1000, '0')}`;
      expect((await both.b.post(request(index, 'resources/subscribe', { uri }), session)).status).toBe(200);
      both.b.server.notifyResourceChanged(uri);
      await until(() => stream.messages.length === index + 1);
    }
    const changed = said.filter(({ kind }) => kind === 'session-changed');
    expect(changed).toHaveLength(20);
    expect(changed.map(({ text }) => text !== undefined)).toEqual(changed.map((_, index) => index < 9));
    stream.cut();
  });

  it.each(COUNTERS)('has no more kept of its streams than the limit, the newest of them: %s', async (counter) => {
    await start({ limits: { sessionEvents: 50_000 } }, counter);
    const session = await initialize(both.b, VERSION);
    const ids: (string | undefined)[] = [];
    for (let turn = 0; turn < 20; turn++) {
      const speech = await readStream(both.b, session, request(turn, 'tools/call', { name: 'speech' }));
      await speech.done;
      ids.push(speech.messages[0]?.event);
    }
    const statuses = await Promise.all(
      [0, 14, 15, 16, 19].map(async (turn) => {
        const again = await readStream(both.a, { ...session, 'last-event-id': ids[turn] ?? '' });
        return [again.status, (await again.done, again.messages.at(-1)?.id)];
      }),
    );
    expect(statuses).toEqual([
      [410, undefined],
      [410, undefined],
      [410, undefined],
      [200, 16],
      [200, 19],
    ]);
  });

  it.each(COUNTERS)('has no more kept of all sessions than the limit: %s', async (counter) => {
    await start({ limits: { events: 50_000 } }, counter);
    for (let turn = 0; turn < 20; turn++) {
      const session = await initialize(both.b, VERSION);
      await both.b.post(request(turn, 'tools/call', { name: 'speech' }), session);
    }
    await until(() => both.stores.streams.size.events === 8);
    expect(both.stores.streams.size.bytes).toBeLessThan(50_000);
  });

  it('finds its session, however many others are used at the same time and make each other be forgotten', async () => {
    // As answers of a store that come in one piece.
    const waiting: (() => void)[] = [];
    const together = async (): Promise<void> => {
      const waits = new Promise<void>((resolve) => waiting.push(resolve));
      setTimeout(() => waiting.splice(0).forEach((resolve) => resolve()), 30);
      return waits;
    };
    both = await serveTwice({ features: [Desk] }, { limits: { sessions: 3 } }, (stores) => ({
      ...noted(stores, []),
      sessions: {
        open: (...words) => stores.sessions.open(...words),
        use: async (...words) => {
          await together();
          return stores.sessions.use(...words);
        },
        replace: (...words) => stores.sessions.replace(...words),
        end: (id) => stores.sessions.end(id),
      },
    }));
    const sessions = await Promise.all(Array.from({ length: 20 }, () => initialize(both.a, VERSION)));
    for (let turn = 0; turn < 3; turn++) {
      const answers = await Promise.all(sessions.map((session) => both.b.post(request(turn, 'ping'), session)));
      expect(answers.map(({ status }) => status)).toEqual(sessions.map(() => 200));
    }
  });

  it('says no more of itself than the limit, however it comes', async () => {
    await start();
    const opening = (length: number) => ({
      protocolVersion: VERSION,
      capabilities: { experimental: { fat: { words: 'x'.repeat(length) } } },
      clientInfo: { name: 'test', version: '1' },
    });
    const refused = await both.b.post(request(1, 'initialize', opening(70_000)));
    expect([refused.status, refused.headers.get('mcp-session-id')]).toEqual([200, null]);
    expect(refused.messages).toMatchObject([
      { id: 1, error: { code: -32602, message: expect.stringContaining('limits.clientFacts') } },
    ]);
    expect((await both.b.post(request(2, 'initialize', opening(6000)))).headers.get('mcp-session-id')).toBeTruthy();
  });

  it('opens no more streams than the limit, however many at once', async () => {
    await start({ limits: { streams: 2, streamsPerClient: 2 } });
    const sessions = await Promise.all(Array.from({ length: 6 }, () => initialize(both.b, VERSION)));
    const streams = await Promise.all(sessions.map((session) => readStream(both.b, session)));
    expect(streams.map(({ status }) => status).sort()).toEqual([200, 200, 503, 503, 503, 503]);
    for (const stream of streams) stream.cut();
  });
});
