/** Streams end with the token that opened them, each in the way of its revision; calls that run come to their end. */
import { Caller, Feature, Resource, Tool, type Auth } from '@sigil-mcp/core';
import { META_KEYS } from '@sigil-mcp/protocol';
import { ManualClock } from '@sigil-mcp/testing';
import { request, serve, type HttpAnswer, type OpenServer } from './http-server';
import { until } from './raw-request';

const NEWEST = '2026-07-28';
const LIFE = 60_000;
const LONG = 10 * LIFE;

@Feature()
class Desk {
  static letOn: (() => void)[] = [];

  @Tool('Takes its time') async slow(): Promise<string> {
    await new Promise<void>((resolve) => Desk.letOn.push(resolve));
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
const bearer = (life: number): { authorization: string } => ({ authorization: `Bearer ada.${clock.now() + life}` });
const EVENTS = { accept: 'text/event-stream' };
const META = { [META_KEYS.protocolVersion]: NEWEST, [META_KEYS.clientCapabilities]: {} };

let clock: ManualClock;
let open: OpenServer;
beforeEach(async () => {
  Desk.letOn = [];
  clock = new ManualClock();
  open = await serve({ features: [Desk], clock }, { auth, sse: true });
});
afterEach(() => open.close());

/** What a stream has said so far, and whether it has ended. */
interface Heard {
  readonly text: () => string;
  readonly ended: () => boolean;
}

async function hear(response: Promise<Response>): Promise<Heard> {
  const { body, status } = await response;
  expect(status).toBe(200);
  let text = '';
  let ended = false;
  void (async () => {
    for await (const chunk of body ?? []) text += Buffer.from(chunk as Uint8Array).toString();
    ended = true;
  })().catch(() => undefined);
  return { text: () => text, ended: () => ended };
}

const eventIds = (text: string): string[] => [...text.matchAll(/^id: (.*)$/gm)].map(([, id]) => id ?? '');

it.each(['2025-03-26', '2025-06-18', '2025-11-25'])(
  'a GET stream of %s ends, its session stays, and a client that reconnects is checked again [AUTH-021, SEC-001]',
  async (version) => {
    const session = await open.initialize(version, bearer(LONG));
    const short = { ...session, ...EVENTS, ...bearer(LIFE) };
    const stream = await hear(fetch(open.url, { headers: short }));
    open.server.registry.disable('tool', 'slow');
    await until(() => stream.text().includes('tools/list_changed'));
    await clock.advance(LIFE - 1);
    expect(stream.ended()).toBe(false);
    await clock.advance(1);
    await until(() => stream.ended());
    const [lastId = ''] = eventIds(stream.text()).slice(-1);
    const again = { ...short, 'last-event-id': lastId };
    expect((await fetch(open.url, { headers: again })).status).toBe(401);
    // What was said while nobody listened is told to the one who comes back with a good token.
    open.server.registry.enable('tool', 'slow');
    const fresh = await hear(fetch(open.url, { headers: { ...again, ...bearer(LONG) } }));
    await until(() => fresh.text().includes('tools/list_changed'));
    const alive = await open.post(request(2, 'ping'), { ...session, ...bearer(LONG) });
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
  const stream = await hear(fetch(open.url, { method: 'POST', headers, body: JSON.stringify(body) }));
  open.server.notifyResourceChanged('desk://plan');
  await until(() => stream.text().includes('resources/updated'));
  await clock.advance(LIFE);
  await until(() => stream.ended());
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
  const session = await open.initialize('2025-11-25', bearer(LONG));
  const call = request(3, 'tools/call', { name: 'slow', arguments: {} });
  const answer = open.post(call, { ...session, ...bearer(LIFE) });
  await until(() => Desk.letOn.length === 1);
  await clock.advance(2 * LIFE);
  Desk.letOn[0]?.();
  const { status, messages }: HttpAnswer = await answer;
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
    await until(() => Desk.letOn.length === 1);
    await clock.advance(LIFE);
    expect([ended(), await post(request(3, 'ping'), bearer(LONG))]).toEqual([false, 404]);
    Desk.letOn[0]?.();
    await until(() => ended());
    expect(text()).toContain('at last');
  });

  it('goes on with the token that refreshes it', async () => {
    const { post, text, ended } = await connect(LIFE);
    expect(await post(request(2, 'ping'), bearer(LONG))).toBe(202);
    await clock.advance(2 * LIFE);
    expect(ended()).toBe(false);
    expect(await post(request(3, 'ping'), bearer(LONG))).toBe(202);
    await until(() => text().includes('"id":3'));
  });
});
