/** The HTTP+SSE transport over two instances: the stream is at one, and messages are posted to any. */
import { Caller, Feature, Tool } from '@sigil-mcp/core';
import { as, believing, request, type Message, type OpenServer } from './http-server';
import { until } from './raw-request';
import { initialize as openSession, serveTwice, type Instances } from './two-instances';

@Feature()
class Shop {
  @Tool('Says who calls')
  who({ id, scopes }: Caller): string {
    return `${id} ${scopes.join(' ')}`;
  }
}

let both: Instances;
const start = async (options: Parameters<typeof serveTwice>[1] = {}): Promise<void> => {
  both = await serveTwice({ features: [Shop] }, { sse: true, ...options });
};
afterEach(() => both.close());

/** An open stream, and messages to wherever a test wants. */
async function openStream(at: OpenServer, headers: Record<string, string> = {}) {
  const controller = new AbortController();
  const response = await fetch(new URL('/sse', at.url), {
    headers: { accept: 'text/event-stream', ...headers },
    signal: controller.signal,
  });
  const events: string[] = [];
  const done = (async () => {
    let rest = '';
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      rest += Buffer.from(chunk).toString();
      const lines = rest.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line.startsWith('data: ')) events.push(line.slice(6));
    }
  })().catch(() => undefined);
  await until(() => events.length > 0);
  const [endpoint = ''] = events;
  return {
    done,
    cut: () => controller.abort(),
    post: async (to: OpenServer, body: unknown, who: Record<string, string> = {}) => {
      const sent = { 'content-type': 'application/json', ...who };
      return (await fetch(new URL(endpoint, to.url), { method: 'POST', headers: sent, body: JSON.stringify(body) }))
        .status;
    },
    answer: async (id: number): Promise<Message> => {
      const messages = (): Message[] => events.slice(1).map((data) => JSON.parse(data) as Message);
      await until(() => messages().some((message) => message.id === id));
      return messages().find((message) => message.id === id) ?? {};
    },
  };
}
const initialize = request(1, 'initialize', {
  protocolVersion: '2024-11-05',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
});
const who = (id: number) => request(id, 'tools/call', { name: 'who' });

it('answers on the stream of one instance what was posted to another, as whoever sent it', async () => {
  await start({ auth: { verify: (name) => new Caller({ id: name, scopes: ['a', 'b'] }) } });
  const stream = await openStream(both.a, as('ada'));
  expect(await stream.post(both.b, initialize, as('ada'))).toBe(202);
  expect(await stream.answer(1)).toMatchObject({ result: { protocolVersion: '2024-11-05' } });
  expect(await stream.post(both.b, who(2), as('ada'))).toBe(202);
  expect(await stream.post(both.a, who(3), as('ada'))).toBe(202);
  for (const id of [2, 3])
    expect(await stream.answer(id)).toMatchObject({ result: { content: [{ text: 'ada a b' }] } });
  stream.cut();
});

it('serves nobody in particular, too', async () => {
  await start();
  const stream = await openStream(both.a);
  await stream.post(both.b, initialize);
  await stream.post(both.b, who(2));
  expect(await stream.answer(2)).toMatchObject({ result: { content: [{ text: 'anonymous ' }] } });
  stream.cut();
});

it('leaves sessions of the other transport as they are, and takes what it cannot read for none', async () => {
  const used: string[] = [];
  both = await serveTwice({ features: [Shop] }, { sse: true }, (stores) => ({
    ...stores,
    streams: stores.streams,
    sessions: {
      open: (...words) => stores.sessions.open(...words),
      use: (id, idleTime) => {
        used.push(id);
        return stores.sessions.use(id, idleTime);
      },
      replace: (...words) => stores.sessions.replace(...words),
      end: (id) => stores.sessions.end(id),
    },
    close: () => undefined,
  }));
  const session = await openSession(both.a, '2025-11-25');
  const id = session['mcp-session-id'];
  const post = async (): Promise<number> => {
    const messages = new URL(`/messages?sessionId=${id}`, both.b.url);
    const headers = { 'content-type': 'application/json' };
    return (await fetch(messages, { method: 'POST', headers, body: JSON.stringify(who(1)) })).status;
  };
  expect(await post()).toBe(404);
  expect(used).not.toContain(id);
  for (const record of ['', 'no JSON', 'null', '5', '{}', '{"instance":5}']) {
    both.stores.sessions.open(used.at(-1) ?? '', record, 60_000);
    expect([record, await post()]).toEqual([record, 404]);
  }
});

it('opens no more streams than the limit, however many at once', async () => {
  let opening = 0;
  both = await serveTwice(
    { features: [Shop] },
    { sse: true, limits: { streams: 2, streamsPerClient: 2 } },
    (stores) => ({
      ...stores,
      streams: stores.streams,
      sessions: {
        open: async (...words) => {
          opening += 1;
          await until(() => opening === 6);
          stores.sessions.open(...words);
        },
        use: (...words) => stores.sessions.use(...words),
        replace: (...words) => stores.sessions.replace(...words),
        end: (id) => stores.sessions.end(id),
      },
      close: () => undefined,
    }),
  );
  const controllers = Array.from({ length: 6 }, () => new AbortController());
  const opened = await Promise.all(
    controllers.map(({ signal }) =>
      fetch(new URL('/sse', both.b.url), { headers: { accept: 'text/event-stream' }, signal }),
    ),
  );
  expect(opened.map(({ status }) => status).sort()).toEqual([200, 200, 503, 503, 503, 503]);
  expect(both.stores.sessions.size).toBe(2);
  for (const controller of controllers) controller.abort();
});

it('refuses with 503 while the instance that has the stream says nothing, for it may come back', async () => {
  let isSilent = false;
  both = await serveTwice({ features: [Shop] }, { sse: true }, ({ sessions, streams, bus, rates }) => ({
    ...{ sessions, streams, rates, close: () => undefined },
    bus: {
      join: (...words) => bus.join(...words),
      announce: (change) => bus.announce(change),
      send: (...words) => !isSilent && bus.send(...words),
      broadcast: (message) => bus.broadcast(message),
      isAlive: (instance) => bus.isAlive(instance),
      position: () => bus.position(),
      swap: (name, text) => bus.swap(name, text),
      changesAfter: (position) => bus.changesAfter(position),
    },
  }));
  const stream = await openStream(both.a);
  expect(await stream.post(both.b, initialize)).toBe(202);
  isSilent = true;
  expect(await stream.post(both.b, who(2))).toBe(503);
  isSilent = false;
  expect(await stream.post(both.b, who(3))).toBe(202);
  await stream.answer(3);
  stream.cut();
  await stream.done;
  await until(async () => (await stream.post(both.b, who(4))) === 404);
});

it('knows no stream of somebody else, none that is over, and none that never was', async () => {
  await start({ auth: believing });
  const stream = await openStream(both.a, as('ada'));
  expect(await stream.post(both.b, initialize, as('bob'))).toBe(404);
  stream.cut();
  await stream.done;
  await until(async () => (await stream.post(both.b, initialize, as('ada'))) === 404);
  const made = new URL(`/messages?sessionId=${'a'.repeat(32)}`, both.b.url);
  const headers = { 'content-type': 'application/json', ...as('ada') };
  expect((await fetch(made, { method: 'POST', headers, body: '{}' })).status).toBe(404);
  expect(both.stores.sessions.size).toBe(0);
});
