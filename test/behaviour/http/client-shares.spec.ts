/** One client has a share of what an endpoint holds: whatever it opens, there are sessions, streams and subscriptions left for others. */
import { Feature, Resource, Tool } from '@sigil-mcp/core';
import { MemoryStores } from '@sigil-mcp/core/stores';
import type { EndpointOptions } from '@sigil-mcp/fastify';
import { as, believing, request, serve, type OpenServer } from './http-server';
import { until } from './raw-request';
import { initialize, readStream, type ReadStream } from './two-instances';

@Feature()
class Desk {
  @Tool('Says hello')
  hello(): string {
    return 'hello';
  }

  @Resource('desk:{id}', { description: 'Something to subscribe to' })
  thing(): string {
    return 'thing';
  }
}

type Who = Record<string, string>;
const VERSION = '2025-11-25';
const NEWEST = '2026-07-28';
const META = {
  'io.modelcontextprotocol/protocolVersion': NEWEST,
  'io.modelcontextprotocol/clientCapabilities': {},
};

let open: OpenServer;
const streams: ReadStream[] = [];
const start = async (limits: EndpointOptions['limits'], kept: string, options: EndpointOptions = {}): Promise<void> => {
  const stores =
    kept === 'in stores' ? { stores: new MemoryStores(), requestState: { secrets: ['s'.repeat(32)] } } : {};
  const definition = { features: [Desk], shutdownDeadline: 50, limits: { subscriptionsPerClient: 3 }, ...stores };
  open = await serve(definition, { trustProxy: ['loopback'], limits: limits ?? {}, ...options });
};
afterEach(async () => {
  for (const stream of streams.splice(0)) stream.cut();
  await open.close();
});

const stream = async (headers: Who, body?: object): Promise<ReadStream> => {
  const opened = await readStream(open, headers, body);
  if (opened.status === 200) streams.push(opened);
  return opened;
};
const listen = (who: Who): Promise<ReadStream> =>
  stream(
    { ...who, 'mcp-protocol-version': NEWEST, 'mcp-method': 'subscriptions/listen' },
    request(1, 'subscriptions/listen', { notifications: {}, _meta: META }),
  );
const isThere = async (session: Who): Promise<boolean> =>
  (await open.post(request('ping', 'ping'), session)).status === 200;
const opening = (who: Who) =>
  open.post(
    request(0, 'initialize', {
      protocolVersion: VERSION,
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    }),
    who,
  );

const at = (address: string): Who => ({ 'x-forwarded-for': address });

describe.each(['here alone', 'in stores'])('where sessions are kept %s', (kept) => {
  it.each([
    ['an address', at('192.0.2.1'), at('192.0.2.2')],
    ['a user', as('ada'), as('eve')],
  ])('%s that opens many sessions ends only its own, and excludes no other client', async (_what, one, other) => {
    const auth = 'authorization' in one ? { auth: believing } : {};
    // The share of one client is three.
    await start({ sessions: 30 }, kept, auth);
    const others = await initialize(open, VERSION, other);
    const own = [];
    for (let count = 0; count < 5; count++) own.push(await initialize(open, VERSION, one));
    expect(await isThere(others)).toBe(true);
    // Those of several instances are forgotten here, and found again in the store.
    if (kept === 'here alone') expect(await Promise.all(own.map(isThere))).toEqual([false, false, true, true, true]);
    const held = await Promise.all(own.slice(-3).map((session) => stream(session)));
    expect(held.map(({ status }) => status)).toEqual([200, 200, 200]);
    const refused = await opening(one);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect(refused.text).toContain('limits.sessionsPerClient');
    expect((await opening(other)).status).toBe(200);
    expect(await isThere(others)).toBe(true);
  });

  it('an address that holds streams leaves some for others, however they are opened', async () => {
    await start({ streams: 5, streamsPerClient: 3 }, kept, { sse: true });
    const [one, other] = [at('192.0.2.1'), at('192.0.2.2')];
    const sessions = [];
    for (let count = 0; count < 4; count++) sessions.push(await initialize(open, VERSION, one));
    for (const session of sessions.slice(0, 2)) expect((await stream(session)).status).toBe(200);
    expect((await listen(one)).status).toBe(200);
    expect([(await stream(sessions[2] ?? {})).status, (await listen(one)).status]).toEqual([503, 503]);
    const old = await fetch(new URL('/sse', open.url), { headers: { accept: 'text/event-stream', ...one } });
    expect([old.status, await old.text()]).toEqual([503, expect.stringContaining('limits.streamsPerClient')]);
    expect((await stream(await initialize(open, VERSION, other))).status).toBe(200);
    expect((await listen(other)).status).toBe(200);
    expect((await listen(other)).status).toBe(503);
    for (const each of streams.splice(0, 3)) each.cut();
    await until(async () => (await listen(one)).status === 200);
  });

  it('what a client subscribes to counts in all of its sessions together', async () => {
    await start({}, kept);
    const [one, other] = [at('192.0.2.1'), at('192.0.2.2')];
    const subscribe = (session: Who, uri: string) => open.post(request(uri, 'resources/subscribe', { uri }), session);
    const sessions = [await initialize(open, VERSION, one), await initialize(open, VERSION, one)] as const;
    for (const uri of ['desk:1', 'desk:2']) expect((await subscribe(sessions[0], uri)).status).toBe(200);
    expect((await subscribe(sessions[1], 'desk:1')).status).toBe(200);
    const refused = await subscribe(sessions[1], 'desk:2');
    expect([refused.status, refused.text]).toEqual([503, expect.stringContaining('limits.subscriptionsPerClient')]);
    expect((await subscribe(await initialize(open, VERSION, other), 'desk:1')).status).toBe(200);
    await fetch(open.url, { method: 'DELETE', headers: sessions[0] });
    for (const uri of ['desk:2', 'desk:3']) expect((await subscribe(sessions[1], uri)).status).toBe(200);
  });
});
