/** Changes of resources between the instances of a server that share a Redis: those with subscribers are notified, and no other. */
import { Feature, Resource } from '@sigil-mcp/core';
import { redis } from '@sigil-mcp/redis';
import { CLIENTS, type OpenClient } from '../../support/supplies/redis-clients';
import { RedisServer } from '../../support/supplies/redis-server';
import { describeWith } from '../../support/supplies/supply';
import { request, serve, type OpenServer } from './http-server';
import { until } from './raw-request';
import { initialize, readStream, type ReadStream } from './two-instances';
import { revisionsOf } from '../../support/each-revision';

const VERSIONS = revisionsOf({ since: '2025-03-26', until: '2025-11-25' });
const NEWEST = '2026-07-28';
const [PLAN, MENU] = ['desk://plan', 'desk://menu'];

@Feature()
class Desk {
  @Resource(PLAN)
  plan(): string {
    return 'plan';
  }

  @Resource(MENU)
  menu(): string {
    return 'menu';
  }
}

describeWith('redis-server', 'instances that share a Redis', () => {
  let server: RedisServer;
  const clients: OpenClient[] = [];
  let [a, b]: OpenServer[] = [];
  let number = 0;

  beforeAll(async () => void (server = await RedisServer.start()));
  afterAll(() => server.stop());
  beforeEach(async () => {
    number++;
    [a, b] = [await open(), await open()];
  });
  afterEach(async () => {
    await Promise.all([a?.close(), b?.close()]);
    for (const { close } of clients.splice(0)) await close();
  });

  async function open(): Promise<OpenServer> {
    const client = await CLIENTS['node-redis']?.(server);
    if (!client) throw new Error('There is no client.');
    clients.push(client);
    const stores = redis({ client: client.client, namespace: `desk${number}`, commandTimeout: 20_000 });
    return serve({ features: [Desk], stores, requestState: { secrets: ['s'.repeat(32)] } }, { retryInterval: 50 });
  }

  const both = (): readonly [OpenServer, OpenServer] => {
    if (!a || !b) throw new Error('There are no instances.');
    return [a, b];
  };
  const subscribe = (at: OpenServer, session: Record<string, string>, uri: string, method = 'subscribe') =>
    at.post(request(1, `resources/${method}`, { uri }), session);
  /** The resources of which a stream has notified its client, each once. */
  const notified = ({ messages }: ReadStream): unknown[] => [
    ...new Set(messages.flatMap(({ method, params }) => (method?.endsWith('/updated') ? [params?.['uri']] : []))),
  ];
  const published = async (): Promise<number> => {
    const [, calls = '0'] =
      /^cmdstat_publish:calls=(\d+)/m.exec(String(await server.command('INFO', 'commandstats'))) ?? [];
    return Number(calls);
  };

  describe.each(VERSIONS)('in a session of %s', (version) => {
    it('notify a client of what it subscribed to at one, and what another changed, on the stream of the third [SUB-001]', async () => {
      const [one, other] = both();
      const third = await open();
      const session = await initialize(one, version);
      const stream = await readStream(third, session);
      await subscribe(other, session, PLAN);
      one.server.notifyResourceChanged(PLAN);
      one.server.notifyResourceChanged(MENU);
      await until(() => notified(stream).length > 0);
      other.server.notifyResourceChanged(PLAN);
      await until(() => stream.messages.length >= 2);
      expect(notified(stream)).toEqual([PLAN]);
      stream.cut();
      await third.close();
    });

    it('notify a client that comes back to another instance of what it has missed, and of nothing else', async () => {
      const [one, other] = both();
      const session = await initialize(one, version);
      one.server.notifyResourceChanged(PLAN);
      await subscribe(one, session, PLAN);
      const first = await readStream(one, session);
      first.cut();
      await first.done;
      await subscribe(other, session, MENU);
      other.server.notifyResourceChanged(MENU);
      one.server.registry.add({ kind: 'resource', uri: 'desk://new', name: 'new', handler: () => 'new' } as never);
      const after = await readStream(other, session);
      await until(() => notified(after).includes(MENU) && after.messages.length >= 2);
      expect(after.messages.map(({ method }) => method)).toContain('notifications/resources/list_changed');
      const last = after.lastEvent ?? '';
      after.cut();
      one.server.notifyResourceChanged(PLAN);
      const resumed = await readStream(one, { ...session, 'last-event-id': last });
      await until(() => notified(resumed).includes(PLAN));
      resumed.cut();
    });

    it('give each event an id of its own, also those that a client has missed', async () => {
      const [one, other] = both();
      const session = await initialize(one, version);
      for (const uri of [PLAN, MENU]) await subscribe(one, session, uri);
      let stream = await readStream(one, session);
      one.server.notifyResourceChanged(PLAN);
      await until(() => notified(stream).includes(PLAN) && stream.lastEvent !== undefined);
      const ids = new Set(stream.messages.flatMap(({ event }) => event ?? []));
      const last = stream.lastEvent ?? '';
      for (const open of [other, one, other]) {
        stream.cut();
        for (const uri of [PLAN, MENU]) open.server.notifyResourceChanged(uri);
        stream = await readStream(open, { ...session, 'last-event-id': last });
        await until(() => notified(stream).length === 2);
        for (const { event } of stream.messages.splice(0)) {
          if (event === undefined) continue;
          expect(ids).not.toContain(event);
          ids.add(event);
        }
      }
      stream.cut();
    });

    it('notify a client no longer of what it unsubscribed from', async () => {
      const [one, other] = both();
      const session = await initialize(one, version);
      const stream = await readStream(one, session);
      await subscribe(other, session, PLAN);
      await subscribe(other, session, MENU);
      await subscribe(one, session, PLAN, 'unsubscribe');
      other.server.notifyResourceChanged(PLAN);
      other.server.notifyResourceChanged(MENU);
      await until(() => notified(stream).includes(MENU));
      expect(notified(stream)).toEqual([MENU]);
      stream.cut();
    });
  });

  it(`notify the subscriptions of ${NEWEST} at other instances`, async () => {
    const [one, other] = both();
    const notifications = { resourceSubscriptions: [PLAN] };
    const meta = {
      'io.modelcontextprotocol/protocolVersion': NEWEST,
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const headers = { 'mcp-protocol-version': NEWEST, 'mcp-method': 'subscriptions/listen' };
    const stream = await readStream(one, headers, request(1, 'subscriptions/listen', { notifications, _meta: meta }));
    await until(() => stream.messages.length > 0);
    other.server.notifyResourceChanged(MENU);
    other.server.notifyResourceChanged(PLAN);
    await until(() => notified(stream).length > 0);
    expect(notified(stream)).toEqual([PLAN]);
    stream.cut();
  });

  it('publish nothing for a resource that nobody is subscribed to', async () => {
    const [one, other] = both();
    const session = await initialize(one, '2025-11-25');
    const stream = await readStream(one, session);
    await subscribe(one, session, PLAN);
    other.server.notifyResourceChanged(PLAN);
    await until(() => notified(stream).includes(PLAN));
    const before = await published();
    other.server.notifyResourceChanged(MENU);
    other.server.notifyResourceChanged(PLAN);
    await until(() => stream.messages.length >= 2);
    expect(await published()).toBe(before + 1);
    stream.cut();
  });
});
