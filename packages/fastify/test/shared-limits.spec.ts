/** What one client can make the shared store keep, and the instances hold, is bounded. */
import { Feature, Tool } from '@sigil-mcp/core';
import type { MemoryStores, Stores } from '@sigil-mcp/core/stores';
import type { HttpTransportOptions } from '@sigil-mcp/fastify';
import { initialize, readStream, serveTwice, type Instances } from './two-instances';

const VERSION = '2025-11-25';

@Feature()
class Desk {
  @Tool('Says hello')
  hello(): string {
    return 'hello';
  }
}

/** The stores as they are, with a note of what was said to all, and changes that take a while to read. */
function noted(stores: MemoryStores, said: { kind: string; message?: { params?: object } }[]): Stores {
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
      changesAfter: async (position) => {
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

describe('a client of a server with shared stores', () => {
  let both: Instances;
  let said: { kind: string; message?: { params?: object } }[];
  const start = async (options?: HttpTransportOptions): Promise<void> => {
    said = [];
    both = await serveTwice({ features: [Desk] }, options, (stores) => noted(stores, said));
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

  it('opens no more streams than the limit, however many at once', async () => {
    await start({ limits: { streams: 2 } });
    const sessions = await Promise.all(Array.from({ length: 6 }, () => initialize(both.b, VERSION)));
    const streams = await Promise.all(sessions.map((session) => readStream(both.b, session)));
    expect(streams.map(({ status }) => status).sort()).toEqual([200, 200, 503, 503, 503, 503]);
    for (const stream of streams) stream.cut();
  });
});
