/** Streams that begin at one instance and go on at another: each message once, in order, whoever sends it. */
import { Feature, McpContext, Tool } from '@sigil-mcp/core';
import type { MemoryStores, Stores } from '@sigil-mcp/core/stores';
import { request } from './http-server';
import { until } from './raw-request';
import { initialize, readStream, serveTwice, type Instances, type ReadStream } from './two-instances';
import { revisionsOf } from '../../support/each-revision';

const VERSIONS = revisionsOf({ since: '2025-03-26', until: '2025-11-25' });

@Feature()
class Counter {
  static letOn: (() => void)[] = [];

  @Tool('Counts, step by step')
  async count(context: McpContext): Promise<string> {
    for (let step = 1; step <= 4; step++) {
      await context.progress(step, 4);
      await new Promise<void>((resolve) => Counter.letOn.push(resolve));
    }
    return 'counted';
  }

  @Tool('Comes and goes')
  other(): string {
    return 'other';
  }
}

let both: Instances;
const start = async (seenByB?: (stores: MemoryStores) => Stores) => {
  Counter.letOn = [];
  both = await serveTwice({ features: [Counter], shutdownDeadline: 100 }, { retryInterval: 50 }, seenByB);
};
afterEach(() => both.close());

const letOn = async (): Promise<void> => {
  await until(() => Counter.letOn.length > 0);
  Counter.letOn.shift()?.();
};
const count = request(1, 'tools/call', { name: 'count', _meta: { progressToken: 1 } });
const steps = ({ messages }: ReadStream): unknown[] =>
  messages.map(({ params, result, error }) => params?.['progress'] ?? (error ? 'error' : result && 'result'));
const after = (event: string | undefined) => ({ 'last-event-id': event ?? '' });
let changes = 0;
/** A change of the list of tools that every client may hear of. */
const change = (): void => {
  const name = `late-${changes++}`;
  both.b.server.registry.add({ kind: 'tool', name, description: 'Comes late', handler: () => 'late' });
};

/** The same, once all instances can hear of it. */
const announce = async (): Promise<void> => {
  const { bus } = both.stores;
  const before = bus.position();
  change();
  await until(() => bus.position() !== before);
};
/** Breaks the connection of a session's stream, which its instance lets go then. */
const letGo = async (stream: ReadStream, session: Record<string, string>): Promise<void> => {
  stream.cut();
  const record = (): string => both.stores.sessions.use(session['mcp-session-id'] ?? '', 60_000) ?? '{}';
  await until(() => (JSON.parse(record()) as { holder?: string }).holder === undefined);
};

describe.each(VERSIONS)('the stream of a request of %s', (version) => {
  it('is gone on with elsewhere while its handler still speaks [RESUME-008]', async () => {
    await start();
    const session = await initialize(both.a, version);
    const first = await readStream(both.a, session, count);
    await until(() => first.messages.length === 1);
    first.cut();
    await letOn();
    const second = await readStream(both.b, { ...session, ...after(first.lastEvent) });
    await letOn();
    await until(() => second.messages.length === 2);
    await letOn();
    await letOn();
    await second.done;
    expect([steps(first), steps(second)]).toEqual([[1], [2, 3, 4, 'result']]);
  });

  it('is gone on with from one instance to the next, and what was over is sent again', async () => {
    await start();
    const session = await initialize(both.a, version);
    const first = await readStream(both.a, session, count);
    await until(() => first.messages.length === 1);
    const second = await readStream(both.b, { ...session, ...after(first.lastEvent) });
    await first.done;
    await letOn();
    await until(() => second.messages.length === 1);
    const third = await readStream(both.a, { ...session, ...after(second.lastEvent) });
    await second.done;
    for (let step = 0; step < 3; step++) await letOn();
    await third.done;
    const again = await readStream(both.b, { ...session, ...after(first.lastEvent) });
    await again.done;
    expect([first, second, third, again].map(steps)).toEqual([[1], [2], [3, 4, 'result'], [2, 3, 4, 'result']]);
    const ids = again.messages.map(({ event }) => event);
    expect(new Set(ids).size).toBe(4);
    expect(ids.slice(1)).toEqual(third.messages.map(({ event }) => event));
  });

  it('ends with an error where the instance is gone that ran the request, and nothing is written after that', async () => {
    await start((stores) => ({ ...seen(stores), bus: deaf(stores) }));
    const session = await initialize(both.a, version);
    const first = await readStream(both.a, session, count);
    await until(() => first.messages.length === 1);
    first.cut();
    const second = await readStream(both.b, { ...session, ...after(first.lastEvent) });
    await second.done;
    expect(second.messages).toMatchObject([{ id: 1, error: { message: expect.stringContaining('is lost') } }]);
    for (let step = 0; step < 4; step++) await letOn();
    const again = await readStream(both.a, { ...session, ...after(first.lastEvent) });
    await again.done;
    expect(steps(again)).toEqual(['error']);
  });

  it('is known by no other session, and by no made-up id', async () => {
    await start();
    const [session, other] = [await initialize(both.a, version), await initialize(both.a, version)];
    const first = await readStream(both.a, session, count);
    await until(() => first.messages.length === 1);
    const event = first.lastEvent ?? '';
    const at = async (id: string, who = session) => (await readStream(both.b, { ...who, ...after(id) })).status;
    expect(await at(event, other)).toBe(410);
    expect(await at(`${event}0`)).toBe(410);
    expect(await at('nonsense')).toBe(400);
    expect(await at(`x-${event}`)).toBe(400);
    first.cut();
  });
});

describe.each(VERSIONS)('the stream of a session of %s', (version) => {
  it('is that of the newest connection, at whichever instance the client opens it', async () => {
    await start();
    const session = await initialize(both.a, version);
    let held = await readStream(both.a, session);
    for (const instance of [both.a, both.b, both.b, both.a]) {
      const next = await readStream(instance, session);
      expect(next.status).toBe(200);
      await held.done;
      change();
      await until(() => next.messages.length > 0);
      held = next;
    }
    held.cut();
  });

  it('is opened again 200 times by a client that leaves and comes back at once', async () => {
    await start();
    const session = await initialize(both.a, version);
    const statuses: number[] = [];
    for (let times = 0; times < 200; times += 1) {
      const stream = await readStream(both.a, session);
      statuses.push(stream.status);
      stream.cut();
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(200);
  });

  it('tells what has changed since the session was opened, also where it is opened later', async () => {
    await start();
    const session = await initialize(both.a, version);
    await announce();
    const stream = await readStream(both.b, session);
    await until(() => stream.messages.length === 1);
    expect(stream.messages).toMatchObject([{ method: 'notifications/tools/list_changed' }]);
    stream.cut();
  });

  it('tells what has changed while nobody held it, once', async () => {
    await start();
    const session = await initialize(both.a, version);
    const first = await readStream(both.a, session);
    change();
    await until(() => first.messages.length === 1);
    await letGo(first, session);
    await announce();
    await announce();
    const second = await readStream(both.b, session);
    await until(() => second.messages.length === 1);
    change();
    await until(() => second.messages.length === 2);
    second.cut();
  });

  it('is taken over by a client that says what it has, from where that was [RESUME-008]', async () => {
    await start();
    const session = await initialize(both.a, version);
    const first = await readStream(both.a, session);
    change();
    await until(() => first.messages.length === 1);
    change();
    await until(() => first.messages.length === 2);
    const second = await readStream(both.b, { ...session, ...after(first.messages[0]?.event) });
    await first.done;
    await until(() => second.messages.length === 1);
    change();
    await until(() => second.messages.length === 2);
    expect(second.messages[0]?.event).toBe(first.messages[1]?.event);
    second.cut();
  });

  it('has one connection, however many a client opens at once [HTTP-021]', async () => {
    let together = 1;
    await start((stores) => ({ ...seen(stores), bus: slow(stores, () => together) }));
    const session = await initialize(both.b, version);
    const first = await readStream(both.b, session);
    together = 3;
    change();
    await until(() => first.messages.length === 1);
    const all = [1, 2, 3].map(() => readStream(both.b, { ...session, ...after(first.lastEvent) }));
    const streams = await Promise.all(all);
    await first.done;
    change();
    await until(() => streams.some(({ messages }) => messages.length > 0));
    const others = streams.filter(({ messages }) => messages.length === 0);
    expect(others).toHaveLength(2);
    await Promise.all(others.map(({ done }) => done));
    for (const stream of streams) stream.cut();
  });

  it.each(['it says what it has', 'it says nothing'])(
    'tells nothing again where an instance hears late of what the client has: %s',
    async (manner) => {
      const waiting: (() => void)[] = [];
      let isLate = true;
      const hearLate = (tell: () => void): void => void (isLate ? waiting.push(tell) : tell());
      await start((stores) => ({ ...seen(stores), bus: late(stores, hearLate) }));
      const session = await initialize(both.a, version);
      const first = await readStream(both.a, session);
      for (const count of [1, 2]) {
        change();
        await until(() => first.messages.length === count);
      }
      await letGo(first, session);
      const said = manner === 'it says nothing' ? {} : after(first.lastEvent);
      const second = await readStream(both.b, { ...session, ...said });
      for (const tell of waiting) tell();
      isLate = false;
      // Of what comes in one order nothing else comes in between.
      const positions: string[] = [];
      for (let count = 0; count < 2; count++) {
        await announce();
        positions.push(both.stores.bus.position());
        await until(() => second.messages.length > count);
      }
      expect(second.messages.map(({ event }) => event?.includes(positions.shift() ?? 'none'))).toEqual([true, true]);
      second.cut();
    },
  );
});

/** As the stores are seen, method by method. */
function seen({ sessions, streams, bus, rates }: MemoryStores): Stores {
  return { sessions, streams, bus, rates, close: () => undefined };
}

/** A bus that believes every other instance to be dead. */
function deaf({ bus }: MemoryStores): Stores['bus'] {
  let own: string | undefined;
  return {
    join: (instance, listener) => ((own = instance), bus.join(instance, listener)),
    announce: (text) => bus.announce(text),
    send: (instance, message) => bus.send(instance, message),
    broadcast: (message) => bus.broadcast(message),
    isAlive: (instance) => instance === own,
    position: () => bus.position(),
    swap: (name, text) => bus.swap(name, text),
    changesAfter: (position) => bus.changesAfter(position),
  };
}

/** A bus whose changes this instance hears when it is let. */
function late({ bus }: MemoryStores, hear: (tell: () => void) => void): Stores['bus'] {
  return {
    join: (instance, listener) =>
      bus.join(instance, {
        message: (text) => listener.message(text),
        change: (text, position) => hear(() => listener.change(text, position)),
        missed: () => listener.missed(),
      }),
    announce: (text) => bus.announce(text),
    send: (instance, message) => bus.send(instance, message),
    broadcast: (message) => bus.broadcast(message),
    isAlive: (instance) => bus.isAlive(instance),
    position: () => bus.position(),
    swap: (name, text) => bus.swap(name, text),
    changesAfter: (position) => bus.changesAfter(position),
  };
}

/** A bus that tells what has changed when so many have asked for it. */
function slow({ bus }: MemoryStores, howMany: () => number): Stores['bus'] {
  const { changesAfter } = bus;
  let asked = 0;
  return Object.assign(
    late({ bus } as MemoryStores, (tell) => tell()),
    {
      changesAfter: async (position: string) => {
        asked += 1;
        await until(() => asked >= howMany());
        return changesAfter.call(bus, position);
      },
    },
  );
}

it('what is cut off when an instance closes is told so on its stream, and kept for whoever missed it', async () => {
  await start();
  const session = await initialize(both.a, '2025-11-25');
  const first = await readStream(both.a, session, count);
  await until(() => first.messages.length === 1);
  await both.a.close();
  await first.done;
  expect(first.messages.at(-1)).toMatchObject({ id: 1, error: { message: expect.stringContaining('shutting down') } });
  const again = await readStream(both.b, { ...session, ...after(first.messages[0]?.event) });
  await again.done;
  expect(again.messages).toMatchObject([{ id: 1, error: {} }]);
});
