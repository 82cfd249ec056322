/** Streams end with the token that opened them, each in the way of its revision; calls that run come to their end. */
import { Caller, Feature, Resource, Tool, type Auth } from '@sigil-mcp/core';
import { META_KEYS } from '@sigil-mcp/protocol';
import { setTimeout as sleep } from 'node:timers/promises';
import { request, serve, type HttpAnswer, type OpenServer } from './http-server';
import { until } from './raw-request';

const NEWEST = '2026-07-28';
const LIFE = 700;

@Feature()
class Desk {
  @Tool('Takes its time') async slow(): Promise<string> {
    await sleep(LIFE + 400);
    return 'at last';
  }

  @Resource('desk://plan') plan(): string {
    return 'plan';
  }
}

/** Tokens are `id.expiry`, in milliseconds since 1970. */
const auth: Auth = {
  verify: (token) => {
    const [id = '', expiresAt] = token.split('.');
    return new Caller({ id, expiresAt: Number(expiresAt) });
  },
};
const bearer = (life: number): { authorization: string } => ({ authorization: `Bearer ada.${Date.now() + life}` });
const EVENTS = { accept: 'text/event-stream' };
const META = { [META_KEYS.protocolVersion]: NEWEST, [META_KEYS.clientCapabilities]: {} };

let open: OpenServer;
beforeEach(async () => void (open = await serve({ features: [Desk] }, { auth, sse: true })));
afterEach(() => open.close());

/** What a stream has said so far, and when it ended. */
interface Heard {
  readonly text: () => string;
  readonly ended: () => number | undefined;
}

async function hear(response: Promise<Response>): Promise<Heard> {
  const { body, status } = await response;
  expect(status).toBe(200);
  let text = '';
  let ended: number | undefined;
  void (async () => {
    for await (const chunk of body ?? []) text += Buffer.from(chunk as Uint8Array).toString();
    ended = Date.now();
  })().catch(() => undefined);
  return { text: () => text, ended: () => ended };
}

const eventIds = (text: string): string[] => [...text.matchAll(/^id: (.*)$/gm)].map(([, id]) => id ?? '');

it.each(['2025-03-26', '2025-06-18', '2025-11-25'])(
  'a GET stream of %s ends, its session stays, and whoever comes back is looked at again [AUTH-021, SEC-001]',
  async (version) => {
    const session = await open.initialize(version, bearer(60_000));
    const short = { ...session, ...EVENTS, ...bearer(LIFE) };
    const opened = Date.now();
    const stream = await hear(fetch(open.url, { headers: short }));
    open.server.registry.disable('tool', 'slow');
    await until(() => stream.text().includes('tools/list_changed'));
    await until(() => stream.ended() !== undefined);
    expect((stream.ended() ?? 0) - opened).toBeGreaterThanOrEqual(LIFE - 5);
    const [lastId = ''] = eventIds(stream.text()).slice(-1);
    const again = { ...short, 'last-event-id': lastId };
    expect((await fetch(open.url, { headers: again })).status).toBe(401);
    // What was said while nobody listened is told to the one who comes back with a good token.
    open.server.registry.enable('tool', 'slow');
    const fresh = await hear(fetch(open.url, { headers: { ...again, ...bearer(60_000) } }));
    await until(() => fresh.text().includes('tools/list_changed'));
    const alive = await open.post(request(2, 'ping'), { ...session, ...bearer(60_000) });
    expect(alive.messages[0]?.result).toEqual({});
  },
);

it('a subscription of the newest revision ends with its result', async () => {
  const body = request('sub', 'subscriptions/listen', {
    notifications: { resourceSubscriptions: ['desk://plan'] },
    _meta: META,
  });
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': NEWEST,
    'mcp-method': 'subscriptions/listen',
    ...bearer(LIFE),
  };
  const opened = Date.now();
  const stream = await hear(fetch(open.url, { method: 'POST', headers, body: JSON.stringify(body) }));
  open.server.notifyResourceChanged('desk://plan');
  await until(() => stream.text().includes('resources/updated'));
  await until(() => stream.ended() !== undefined);
  expect((stream.ended() ?? 0) - opened).toBeGreaterThanOrEqual(LIFE - 5);
  const lines = stream.text().split('\n');
  const last = lines.findLast((line) => line.startsWith('data: {')) ?? '';
  expect(JSON.parse(last.slice(6))).toMatchObject({
    id: 'sub',
    result: { resultType: 'complete', _meta: { 'io.modelcontextprotocol/subscriptionId': 'sub' } },
  });
  expect(stream.text()).not.toContain('notifications/cancelled');
  expect((await fetch(open.url, { method: 'POST', headers, body: JSON.stringify(body) })).status).toBe(401);
});

it('a call that runs when its token expires is answered', async () => {
  const session = await open.initialize('2025-11-25', bearer(60_000));
  const call = request(3, 'tools/call', { name: 'slow', arguments: {} });
  const { status, messages }: HttpAnswer = await open.post(call, { ...session, ...bearer(LIFE) });
  expect([status, messages[0]?.result]).toEqual([
    200,
    expect.objectContaining({ content: [{ type: 'text', text: 'at last' }] }),
  ]);
});

describe('a stream of HTTP+SSE', () => {
  const connect = async (life: number) => {
    const stream = await hear(fetch(new URL('/sse', open.url), { headers: bearer(life) }));
    await until(() => stream.text().includes('sessionId='));
    const target = new URL(/data: (.*)/.exec(stream.text())?.[1] ?? '', open.url);
    const post = async (body: object, headers: Record<string, string>): Promise<number> => {
      const all = { 'content-type': 'application/json', ...headers };
      return (await fetch(target, { method: 'POST', headers: all, body: JSON.stringify(body) })).status;
    };
    const hello = { protocolVersion: '2024-11-05', capabilities: {}, clientInfo: { name: 'a', version: '1' } };
    expect(await post(request(1, 'initialize', hello), bearer(life))).toBe(202);
    return { ...stream, post };
  };

  it('ends when what runs on it is answered, and takes nothing more', async () => {
    const { post, text, ended } = await connect(LIFE);
    expect(await post(request(2, 'tools/call', { name: 'slow', arguments: {} }), bearer(LIFE))).toBe(202);
    await sleep(LIFE + 100);
    expect([ended(), await post(request(3, 'ping'), bearer(60_000))]).toEqual([undefined, 404]);
    await until(() => ended() !== undefined);
    expect(text()).toContain('at last');
  });

  it('goes on with the token that refreshes it', async () => {
    const { post, text, ended } = await connect(LIFE);
    expect(await post(request(2, 'ping'), bearer(60_000))).toBe(202);
    await sleep(LIFE + 200);
    expect(ended()).toBeUndefined();
    expect(await post(request(3, 'ping'), bearer(60_000))).toBe(202);
    await until(() => text().includes('"id":3'));
  });
});
