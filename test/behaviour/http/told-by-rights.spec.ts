/** Who is told over HTTP that a list has changed: sessions, their GET streams, `subscriptions/listen` and HTTP+SSE, by the rights of now. */
import { Caller, Roles, tool, type Auth } from '@sigil-mcp/core';
import { META_KEYS } from '@sigil-mcp/protocol';
import { request, serve, type OpenServer } from './http-server';
import { until } from './raw-request';

const description = 'Answers';
const answer = (): string => 'ok';
const META = { [META_KEYS.protocolVersion]: '2026-07-28', [META_KEYS.clientCapabilities]: {} };
const CHANGED = 'notifications/tools/list_changed';

/** Tokens are ids, or `id.role`. */
const auth: Auth = {
  verify: (token) => {
    const [id = '', role] = token.split('.');
    return new Caller({ id, roles: role === undefined ? [] : [role] });
  },
};
const bearer = (token: string): { authorization: string } => ({ authorization: `Bearer ${token}` });

let open: OpenServer;
beforeEach(async () => {
  const features = [
    tool('hidden', { description, guards: [Roles('admin')] }, answer),
    tool('closed', { description }, answer),
    tool('open', { description, public: true }, answer),
  ];
  open = await serve({ features }, { auth, sse: true });
});
afterEach(() => open.close());

/** What a stream says, and how often it was told of tools. */
async function hear(path: string, init: RequestInit): Promise<{ text: () => string; told: () => number }> {
  const { body } = await fetch(new URL(path, open.url), init);
  let text = '';
  void (async () => {
    for await (const chunk of body ?? []) text += Buffer.from(chunk as Uint8Array).toString();
  })().catch(() => undefined);
  return { text: () => text, told: () => text.split(CHANGED).length - 1 };
}

type Who = Record<string, string>;

const ways: Record<string, (who: Who) => ReturnType<typeof hear>> = {
  'a GET stream': async (who) => {
    const session = await open.initialize('2025-11-25', who);
    return hear('/mcp', { headers: { ...session, accept: 'text/event-stream' } });
  },
  'subscriptions/listen': async (who) => {
    const stream = await hear('/mcp', {
      method: 'POST',
      headers: {
        ...who,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'subscriptions/listen',
      },
      body: JSON.stringify(
        request('sub', 'subscriptions/listen', { notifications: { toolsListChanged: true }, _meta: META }),
      ),
    });
    await until(() => stream.text().includes('acknowledged'));
    return stream;
  },
  'HTTP+SSE': async (who) => {
    const stream = await hear('/sse', { headers: { ...who, accept: 'text/event-stream' } });
    await until(() => stream.text().includes('/messages?'));
    const [, target = ''] = /data: (\S+)/.exec(stream.text()) ?? [];
    const say = (message: object): Promise<Response> =>
      fetch(new URL(target, open.url), {
        method: 'POST',
        headers: { ...who, 'content-type': 'application/json' },
        body: JSON.stringify(message),
      });
    const clientInfo = { name: 'test', version: '1' };
    await say(request(0, 'initialize', { protocolVersion: '2024-11-05', capabilities: {}, clientInfo }));
    await until(() => stream.text().includes('"result"'));
    await say({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return stream;
  },
};

it.each(Object.entries(ways))('%s tells of what its caller sees, and of nothing else', async (_, listen) => {
  const [admin, ada, stranger] = [await listen(bearer('admin.admin')), await listen(bearer('ada')), await listen({})];
  const all = (): number[] => [admin, ada, stranger].map(({ told }) => told());
  open.server.registry.disable('tool', 'hidden');
  await until(() => admin.told() === 1);
  open.server.registry.disable('tool', 'closed');
  await until(() => admin.told() === 2 && ada.told() === 1);
  open.server.registry.disable('tool', 'open');
  await until(() => stranger.told() === 1);
  await until(() => admin.told() === 3 && ada.told() === 2);
  expect(all()).toEqual([3, 2, 1]);
});

it('a session is told by the rights of the token that came last', async () => {
  const session = await open.initialize('2025-11-25', bearer('ada.admin'));
  const stream = await hear('/mcp', { headers: { ...session, accept: 'text/event-stream' } });
  open.server.registry.disable('tool', 'hidden');
  await until(() => stream.told() === 1);
  await open.post(request(1, 'ping'), { ...session, ...bearer('ada') });
  open.server.registry.enable('tool', 'hidden');
  const roundTrip = async (id: number): Promise<void> =>
    void (await open.post(request(id, 'ping'), { ...session, ...bearer('ada') }));
  await roundTrip(2);
  expect(stream.told()).toBe(1);
  open.server.registry.disable('tool', 'closed');
  await until(() => stream.told() === 2);
  await roundTrip(3);
  expect(stream.told()).toBe(2);
});

it('what is told in a session without a stream waits for it, and nothing else does', async () => {
  const session = await open.initialize('2025-11-25', bearer('ada'));
  open.server.registry.disable('tool', 'hidden');
  await new Promise((resolve) => setImmediate(resolve));
  const stream = await hear('/mcp', { headers: { ...session, accept: 'text/event-stream' } });
  open.server.registry.disable('tool', 'closed');
  await until(() => stream.told() > 0);
  expect(stream.told()).toBe(1);
});
