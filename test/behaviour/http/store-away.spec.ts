/** What clients of all revisions see while the Redis of a server is away, and when it is back. */
import { Feature, Resource, Tool } from '@sigil-mcp/core';
import { META_KEYS } from '@sigil-mcp/protocol';
import { redis } from '@sigil-mcp/redis';
import { ManualClock } from '@sigil-mcp/testing';
import { createClient } from '@redis/client';
import { request, serve, type OpenServer } from './http-server';
import { initialize, readStream } from './two-instances';
import { until } from './raw-request';
import { RedisServer } from '../../support/supplies/redis-server';
import { describeWith } from '../../support/supplies/supply';

const NEWEST = '2026-07-28';
const META = { [META_KEYS.protocolVersion]: NEWEST, [META_KEYS.clientCapabilities]: {} };

@Feature()
class Desk {
  @Tool('Says hello')
  hello(): string {
    return 'hello';
  }

  @Resource('desk://plan', {})
  plan(): string {
    return 'plan';
  }
}

const modern = (id: number, method: string, params: object = {}) => request(id, method, { ...params, _meta: META });
const headersOf = (method: string, name?: string): Record<string, string> => ({
  'mcp-protocol-version': NEWEST,
  'mcp-method': method,
  ...(name !== undefined && { 'mcp-name': name }),
});

const DEFINITION = { features: [Desk], requestState: { secrets: ['s'.repeat(32)] } };

/** Milliseconds between two looks at the store. */
const LOOK = 2000;

describeWith('redis-server', 'a server whose Redis is away', () => {
  let server: RedisServer;
  let client: ReturnType<typeof createClient>;
  let open: OpenServer;
  let clock: ManualClock;
  beforeEach(async () => {
    server = await RedisServer.start();
    client = createClient({ url: server.url, disableOfflineQueue: true, socket: { reconnectStrategy: 50 } });
    client.on('error', () => undefined);
    await client.connect();
    clock = new ManualClock();
    open = await serve({ ...DEFINITION, stores: redis({ client }), clock });
  });
  afterEach(async () => {
    await open.close();
    client.destroy();
    await server.stop();
  });

  const callModern = async (): Promise<number> =>
    (await open.post(modern(1, 'tools/call', { name: 'hello' }), headersOf('tools/call', 'hello'))).status;
  const readiness = async (): Promise<Record<string, unknown>> =>
    (await (await fetch(new URL('/readyz', open.url))).json()) as Record<string, unknown>;

  /** Lets the server look at its store until a probe says what it found. */
  const untilReadinessIs = (status: string): Promise<void> =>
    until(async () => {
      await clock.advance(LOOK);
      return (await readiness())['status'] === status;
    });

  it('refuses sessions with 503 and when to come back, and serves what needs none', async () => {
    const session = await initialize(open, '2025-11-25');
    await server.kill();
    const refused = await open.post(request(1, 'tools/call', { name: 'hello' }), session);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2']);
    expect(refused.messages).toMatchObject([{ error: { message: expect.stringContaining('unreachable') } }]);
    const opening = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    const unopened = await open.post(request(0, 'initialize', opening));
    expect([unopened.status, unopened.headers.get('mcp-session-id')]).toEqual([503, null]);
    expect(unopened.messages).toMatchObject([{ id: 0, error: { data: { retryAfter: 2 } } }]);
    expect(await callModern()).toBe(200);
  });

  it('says so to probes, and stays in the service of what needs no session', async () => {
    expect(await readiness()).toEqual({ status: 'ready' });
    await server.kill();
    await untilReadinessIs('degraded');
    expect(await readiness()).toMatchObject({ store: 'unreachable' });
    expect((await fetch(new URL('/readyz', open.url))).status).toBe(200);
    await server.run();
    await untilReadinessIs('ready');
  }, 20_000);

  it('says so, too, while Redis takes nothing that is written', async () => {
    // Redis closes connections when it becomes a replica: a command waits for the next one.
    const command = (...words: string[]): Promise<void> =>
      until(() =>
        client.sendCommand(words).then(
          () => true,
          () => false,
        ),
      );
    await command('CONFIG', 'SET', 'maxmemory', '1');
    await untilReadinessIs('degraded');
    await command('CONFIG', 'SET', 'maxmemory', '0');
    await untilReadinessIs('ready');
    await command('REPLICAOF', '127.0.0.1', '1');
    await untilReadinessIs('degraded');
    for (let look = 0; look < 3; look++) {
      await command('PING');
      await clock.advance(LOOK);
      // Answered behind the look.
      await command('PING');
      expect((await readiness())['status']).toBe('degraded');
    }
    await command('REPLICAOF', 'NO', 'ONE');
    await untilReadinessIs('ready');
  }, 30_000);

  it('says so, too, where a Redis that is full but for kilobytes has no room for another session', async () => {
    const info: string = await client.sendCommand(['INFO', 'memory']);
    const used = Number(/^used_memory:(\d+)/m.exec(info)?.[1]);
    await client.sendCommand(['CONFIG', 'SET', 'maxmemory', `${used + 2_000_000}`]);
    /** Fills with texts of a length until one is refused. */
    const fill = async (length: number): Promise<void> => {
      for (let filled = 0; ; filled++)
        try {
          await client.sendCommand(['SET', `fill:${length}:${filled}`, 'x'.repeat(length)]);
        } catch {
          return;
        }
    };
    for (const length of [100_000, 10_000, 1000, 10]) await fill(length);
    const sessionIsRefused = async (): Promise<boolean> => {
      const clientInfo = { name: 'test', version: 'v'.repeat(2000) };
      const opening = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
      return (await open.post(request(0, 'initialize', opening))).status === 503;
    };
    await until(sessionIsRefused);
    await untilReadinessIs('degraded');
    // What Redis uses itself changes a little all the time, so there may be room again for a moment.
    for (let round = 0; round < 50; round++) {
      for (let look = 0; look < 5; look++) {
        await clock.advance(LOOK);
        // Answered behind the look.
        await client.sendCommand(['PING']);
      }
      const isRefused = await sessionIsRefused();
      expect([isRefused, (await readiness())['status']]).not.toEqual([true, 'ready']);
    }
    await client.sendCommand(['CONFIG', 'SET', 'maxmemory', '0']);
    await untilReadinessIs('ready');
  }, 60_000);

  it('says at the start what Redis does not let it do', async () => {
    await client.sendCommand(['CONFIG', 'SET', 'maxmemory', '1']);
    const starting = serve({ ...DEFINITION, stores: redis({ client }) });
    await expect(starting).rejects.toMatchObject({
      code: 'SIGIL_STORES_UNUSABLE',
      message: expect.stringMatching(/OOM command not allowed.*docs\/deployment\.md/),
    });
    await client.sendCommand(['CONFIG', 'SET', 'maxmemory', '0']);
  });

  it('goes on with its sessions when Redis is back with what it held, and has none when it is back empty', async () => {
    const session = await initialize(open, '2025-11-25');
    server.pause();
    const refused = await open.post(request(1, 'ping'), session);
    server.resume();
    expect(refused.status).toBe(503);
    await until(async () => (await open.post(request(2, 'ping'), session)).status === 200);
    await server.kill();
    await server.run();
    await until(async () => (await open.post(request(3, 'ping'), session)).status === 404);
    expect((await open.post(request(4, 'ping'), await initialize(open, '2025-11-25'))).status).toBe(200);
  }, 20_000);

  it('ends streams that wait for changes after a while, and lets whoever comes back wait again', async () => {
    const listen = modern(1, 'subscriptions/listen', { notifications: { toolsListChanged: true } });
    const stream = await readStream(open, headersOf('subscriptions/listen'), listen);
    await until(() => stream.messages.length === 1);
    let isOver = false;
    void stream.done.then(() => (isOver = true));
    await server.kill();
    await until(async () => {
      await clock.advance(LOOK);
      return isOver;
    });
    expect(stream.messages.at(-1)).toMatchObject({ id: 1, result: {} });
    await server.run();
    await untilReadinessIs('ready');
    const again = await readStream(open, headersOf('subscriptions/listen'), listen);
    await until(() => again.messages.length === 1);
    open.server.registry.remove('tool', 'hello');
    // Once for what may have been missed, and once for the change.
    await until(() => again.messages.length === 3);
    expect(again.messages.at(-1)).toMatchObject({ method: 'notifications/tools/list_changed' });
    again.cut();
  }, 40_000);
});
