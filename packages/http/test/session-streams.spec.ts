/** The streams of a session, which clients resume in the same way whoever keeps their events: the memory of a server, or a Redis. */
import { createClient } from '@redis/client';
import { MemoryStores, type Stores } from '@sigil-mcp/core/stores';
import { redis } from '@sigil-mcp/redis';
import { until } from '../../../test/behaviour/http/raw-request';
import { RedisServer } from '../../../test/support/supplies/redis-server';
import { describeWith } from '../../../test/support/supplies/supply';
import { runs } from '../../../test/support/matrix';
import type { EndpointLimits } from '../src/options/endpoint-options';
import { openInstance, type SessionInstance, type TestConnection } from './session-instance';
import fc from 'fast-check';

/** Where the events of a server are. */
interface Place {
  stores(): Promise<Stores | undefined>;
  close(): Promise<void>;
}

const ALONE: Place = { stores: async () => undefined, close: async () => undefined };
const IN_STORES: Place = { stores: async () => new MemoryStores(), close: async () => undefined };

/** A Redis for each test. */
class InRedis implements Place {
  #server: RedisServer | undefined;
  #client: ReturnType<typeof createClient> | undefined;

  async stores(): Promise<Stores> {
    this.#server = await RedisServer.start();
    this.#client = createClient({ url: this.#server.url, disableOfflineQueue: true });
    this.#client.on('error', () => undefined);
    await this.#client.connect();
    return redis({ client: this.#client });
  }

  async close(): Promise<void> {
    this.#client?.destroy();
    await this.#server?.stop();
  }
}

function describeStreams(place: Place): void {
  let instance: SessionInstance;
  const start = async (limits?: EndpointLimits): Promise<void> => {
    instance = await openInstance(await place.stores(), limits);
  };
  afterEach(async () => {
    await instance.close();
    await place.close();
  });

  /** Resumes a stream, and reads until nothing more comes at once. */
  const resume = async (session: string, event: string): Promise<TestConnection | number> => {
    const outcome = await instance.get(session, event);
    return outcome === 'done' ? (instance.connections.at(-1) as TestConnection) : outcome;
  };
  const dataAfter = async (session: string, event: string): Promise<string[] | number> => {
    const connection = await resume(session, event);
    if (typeof connection === 'number') return connection;
    await until(() => !connection.isOpen);
    return connection.data;
  };
  /** A stream that is over, and the ids of its events. */
  const said = async (session: string, ...texts: string[]): Promise<string[]> => {
    const [connection, outlet] = instance.open(session);
    for (const text of texts.slice(0, -1)) void outlet.send(text);
    outlet.end(texts.slice(-1));
    await until(() => !connection.isOpen);
    return connection.ids;
  };

  it('are replayed after an event of theirs, each of them by its own ids [RESUME-001, RESUME-003, RESUME-004]', async () => {
    await start();
    const session = await instance.initialize([], '2025-06-18');
    const [one, other] = [await said(session, 'a1', 'a2', 'a3'), await said(session, 'b1', 'b2')];
    expect(new Set([...one, ...other]).size).toBe(5);
    expect(await dataAfter(session, one[0] ?? '')).toEqual(['a2', 'a3']);
    expect(await dataAfter(session, one[2] ?? '')).toEqual([]);
    expect(await dataAfter(session, other[0] ?? '')).toEqual(['b2']);
  });

  it('have event ids of one format [RESUME-002]', async () => {
    await start();
    const session = await instance.initialize(['r:1']);
    const ids = await said(session, 'a', 'b');
    for (const [place, id] of ids.entries()) expect(id).toMatch(new RegExp(`^[\\da-f]{16}x\\d+-${place}$`));
    await instance.get(session);
    instance.server.notifyResourceChanged('r:1');
    const [stream] = instance.connections;
    await until(() => stream?.told.length === 1);
    for (const id of stream?.ids ?? []) expect(id).toMatch(/^session-[\w-]+-[\da-f]{12}$/);
    expect(new Set(stream?.ids).size).toBe(2);
  });

  it('are refused in the same way to ids that are made up, of another session, or of what is gone', async () => {
    await start({ sessionEvents: 4000 });
    const [session, other] = [await instance.initialize([]), await instance.initialize([])];
    const [greeting = '', first = ''] = await said(session, 'a');
    const [, others = ''] = await said(other, 'b');
    const made = ['', 'nonsense', `x-${first}`, 'session-0', 'session-1-000000000000', first.replace(/-1$/, '-01')];
    for (const id of made) expect([id, await dataAfter(session, id)]).toEqual([id, 400]);
    for (const id of [others, `${first}0`, `${'0'.repeat(16)}x0-0`])
      expect([id, await dataAfter(session, id)]).toEqual([id, 410]);
    expect(await dataAfter(session, greeting)).toEqual(['a']);
    for (let count = 0; count < 6; count++) await said(session, 'x'.repeat(1000));
    await until(async () => (await dataAfter(session, greeting)) === 410);
    expect(await dataAfter(other, others)).toEqual([]);
  });

  it('answer every Last-Event-ID with a status, and replay nothing of others [RESUME-003]', async () => {
    await start();
    const [session, other] = [await instance.initialize([]), await instance.initialize([])];
    const own = await said(session, 'own 1', 'own 2');
    const secret = await said(other, 'secret 1', 'secret 2');
    const known = fc.constantFrom(...own, ...secret);
    const id = fc.oneof(
      fc.string(),
      known,
      fc.tuple(known, fc.string()).map(([event, more]) => `${event}${more}`),
      fc
        .tuple(known, fc.nat(60), fc.string({ maxLength: 3 }))
        .map(([event, at, more]) => `${event.slice(0, at)}${more}${event.slice(at + 1)}`),
    );
    await fc.assert(
      fc.asyncProperty(id, async (event) => {
        const connection = await resume(session, event);
        if (typeof connection === 'number') return expect([400, 410]).toContain(connection);
        await until(() => !connection.isOpen);
        expect(connection.data.filter((data) => !['own 1', 'own 2'].includes(data))).toEqual([]);
      }),
      { numRuns: runs(150) },
    );
  });

  it('send no greeting before what was missed, because its id would skip it [RESUME-005, RESUME-007]', async () => {
    await start();
    const session = await instance.initialize([]);
    const [first, outlet] = instance.open(session);
    outlet.release?.();
    await until(() => !first.isOpen);
    expect([first.data, first.events[0]?.retry]).toEqual([[''], 250]);
    for (const text of ['a', 'b', 'c']) void outlet.send(text);
    const again = (await resume(session, first.ids[0] ?? '')) as TestConnection;
    await until(() => again.events.length === 3);
    expect([again.data, again.events[0]?.retry]).toEqual([['a', 'b', 'c'], 250]);
    // The connection breaks after its first event: nothing behind that is lost.
    again.end();
    const third = (await resume(session, again.ids[0] ?? '')) as TestConnection;
    outlet.end(['d']);
    await until(() => !third.isOpen);
    expect(third.data).toEqual(['b', 'c', 'd']);
  });

  it('have one connection each: a client that comes back takes its stream over [HTTP-021]', async () => {
    await start();
    const session = await instance.initialize([]);
    const [one, outlet] = instance.open(session);
    void outlet.send('a');
    await until(() => one.data.includes('a'));
    const two = (await resume(session, one.ids.at(-1) ?? '')) as TestConnection;
    void outlet.send('b');
    await until(() => two.data.includes('b'));
    expect([one.isOpen, one.data, two.data]).toEqual([false, ['', 'a'], ['b']]);
    outlet.end(['c']);
    await until(() => !two.isOpen);
    expect(two.data).toEqual(['b', 'c']);
  });

  it('keep their connections where clients could not come back [RESUME-006]', async () => {
    await start();
    const [polled, polledOutlet] = instance.open(await instance.initialize([]));
    const [plain, plainOutlet] = instance.open(await instance.initialize([], '2025-06-18'));
    polledOutlet.release?.();
    plainOutlet.release?.();
    await until(() => !polled.isOpen);
    expect(plain.isOpen).toBe(true);
    for (const outlet of [polledOutlet, plainOutlet]) outlet.end([]);
  });

  it('send equal messages of a call as often as it says them, and repeated changes once', async () => {
    await start();
    const session = await instance.initialize(['r:1']);
    const [greeting = ''] = await said(session, 'same', 'same', 'same');
    expect(await dataAfter(session, greeting)).toEqual(['same', 'same', 'same']);
    const { server, connections } = instance;
    await instance.get(session);
    const [first] = connections.slice(-1);
    first?.end();
    for (let count = 0; count < 3; count++) server.notifyResourceChanged('r:1');
    await until(async () => {
      await instance.get(session);
      await new Promise(setImmediate);
      const [last] = connections.slice(-1);
      if (last?.told.length === 1) return true;
      last?.end();
      return false;
    });
  });

  it('are gone with their session', async () => {
    await start();
    const session = await instance.initialize([]);
    const ids = await said(session, 'a', 'b');
    expect(await instance.delete(session)).toBe('done');
    for (const id of ids) expect(await dataAfter(session, id)).toBe(404);
  });
}

describe('streams in the memory of a server that is alone', () => {
  describeStreams(ALONE);

  it.each(['its call has ended', 'its call never ends'])(
    'are dropped with a session that was idle: %s',
    async (work) => {
      const instance = await openInstance();
      const session = await instance.initialize([]);
      const [connection, outlet] = instance.open(session);
      const { left, done } = instance.table.get(session)?.use() ?? {};
      void outlet.send('a');
      connection.end();
      left?.();
      if (work === 'its call has ended') done?.();
      expect(instance.keptBytes).toBeGreaterThan(0);
      await instance.clock.advance(70_000);
      expect([instance.table.size, instance.keptBytes]).toEqual([0, 0]);
      outlet.end(['late']);
      expect(instance.keptBytes).toBe(0);
      await instance.close();
    },
  );
});
describe('streams in stores of several servers', () => describeStreams(IN_STORES));
describeWith('redis-server', 'streams in a Redis', () => describeStreams(new InRedis()));
