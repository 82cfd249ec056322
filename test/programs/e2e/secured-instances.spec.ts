/** `apps/secured` as several instances behind one authorization server: what is done at one is seen at the other. */
import '@sigil-mcp/testing/matchers';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createClient } from '@redis/client';
import { connect, issuer, type TestClient, type TestIssuer } from '@sigil-mcp/testing';
import { RedisServer } from '../../support/supplies/redis-server';
import { describeWith } from '../../support/supplies/supply';
import { freePort } from '../../support/free-port';
import { HttpApp } from './http-app';
import { plainEnvironment, run, type Ran } from '../packaging/run-command';
import { builtApp } from './built-app';

jest.setTimeout(150_000);

const RESOURCE = 'https://notes.example/mcp';
const SIGIL_SECRETS = 'a secret of which both instances know';
const HANDSHAKE = '2025-11-25';

describeWith('redis-server', 'two instances of apps/secured', () => {
  let redis: RedisServer;
  let id: TestIssuer;
  let instances: readonly [HttpApp, HttpApp];
  const clients: TestClient[] = [];

  beforeAll(async () => {
    [redis, id] = await Promise.all([RedisServer.start(), issuer({ audience: RESOURCE })]);
    const env = { REDIS_URL: redis.url, ISSUER: id.url, RESOURCE, SIGIL_SECRETS };
    instances = await Promise.all([HttpApp.start('secured', env), HttpApp.start('secured', env)]);
  });
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.close()));
    await Promise.all(instances.map((instance) => instance.stop()));
    await Promise.all([redis.stop(), id.close()]);
  });

  const tokenOf = (sub: string, tenant = 'acme', scope = 'notes:read notes:write'): string =>
    id.token({ sub, scope, clientId: 'test', claims: { tenant, roles: ['admin'] } });

  async function at(index: 0 | 1, revision: string, token = tokenOf('ada')): Promise<TestClient> {
    const headers = { authorization: `Bearer ${token}` };
    const client = await connect(instances[index].url, { revision, headers });
    clients.push(client);
    return client;
  }

  it.each([HANDSHAKE, '2026-07-28'])(
    'a note of one is listed, read, completed and summed up at the other (%s)',
    async (revision) => {
      const [one, other] = [await at(0, revision), await at(1, revision)];
      const title = `Milk ${revision}`;
      expect(await one.callTool('addNote', { title, text: 'Two bottles.' })).toHaveText(`Added the note "${title}".`);
      expect(await other.callTool('addNote', { title, text: 'Three.' })).toHaveText(`Replaced the note "${title}".`);
      const found = (await one.listResources()).resources.find(({ name }) => name === title);
      expect(await one.readResource(found?.uri ?? '')).toHaveText(
        JSON.stringify({ title, text: 'Three.', author: 'ada' }),
      );
      expect((await other.listResources()).resources).toContainEqual(found);
      expect(await one.getPrompt('sumUp')).toHaveText(new RegExp(`${title} \\(ada\\): Three\\.`));
      const template = 'notes://{folder}/{title}';
      expect(await other.complete({ template }, 'title', 'mi')).toMatchObject({
        completion: { values: expect.arrayContaining([title]) as unknown },
      });
    },
  );

  it.each([HANDSHAKE, '2026-07-28'])(
    'who subscribed at one hears what changed at the other, and no stranger does (%s)',
    async (revision) => {
      const [one, other, stranger] = [
        await at(0, revision),
        await at(1, revision),
        await at(1, revision, tokenOf('eve', 'globex')),
      ];
      const title = `tea ${revision}`;
      for (const client of [one, stranger]) await client.callTool('addNote', { title, text: 'Green.' });
      const uriOf = async (client: TestClient): Promise<string> =>
        (await client.listResources()).resources.find(({ name }) => name === title)?.uri ?? '';
      const uri = await uriOf(other);
      const strange = await uriOf(stranger);
      expect(strange).not.toBe(uri);
      await expect(stranger.readResource(uri)).rejects.toThrow('There is no note');
      await other.subscribe(uri);
      await stranger.subscribe(strange);
      await one.callTool('addNote', { title, text: 'Black.' });
      const { params } = await other.waitForNotification('notifications/resources/updated', 5000);
      expect(params).toMatchObject({ uri });
      await one.callTool('purgeNotes');
      await other.waitForNotification('notifications/resources/updated', 5000);
      // Of its own note, whose change may be reported to whoever subscribes within a second.
      const heard = stranger.notifications('notifications/resources/updated').map((each) => each.params?.['uri']);
      expect(heard.filter((each) => each !== strange)).toEqual([]);
      expect(heard.length).toBeLessThanOrEqual(1);
      expect(await stranger.readResource(strange)).toHaveText(/Green/);
    },
  );

  it('a session that was opened at one takes less than 600 bytes of Redis, and is used and ended at the other', async () => {
    const [one, other] = instances.map(({ url }) => url) as [string, string];
    const headers = {
      authorization: `Bearer ${tokenOf('ada')}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
    const post = (url: string, message: object, session: Record<string, string> = {}): Promise<Response> =>
      fetch(url, {
        method: 'POST',
        headers: { ...headers, ...session },
        body: JSON.stringify({ jsonrpc: '2.0', ...message }),
      });
    const clientInfo = { name: 'test', version: '1' };
    const opened = await post(one, {
      id: 1,
      method: 'initialize',
      params: { protocolVersion: HANDSHAKE, capabilities: {}, clientInfo },
    });
    const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '', 'mcp-protocol-version': HANDSHAKE };
    expect((await post(other, { method: 'notifications/initialized' }, session)).status).toBe(202);
    const client = createClient({ url: redis.url });
    await client.connect();
    const size = await client.memoryUsage(`secured:{${session['mcp-session-id']}}:s`, { SAMPLES: 0 });
    client.destroy();
    expect(size).toBeGreaterThan(100);
    expect(size).toBeLessThan(600);
    const called = await post(
      other,
      { id: 2, method: 'tools/call', params: { name: 'listNotes', arguments: {} } },
      session,
    );
    expect([called.status, await called.text()]).toEqual([200, expect.stringContaining('"id":2')]);
    const stranger = { ...session, authorization: `Bearer ${tokenOf('eve')}` };
    expect((await post(other, { id: 3, method: 'ping' }, stranger)).status).toBe(404);
    expect((await fetch(other, { method: 'DELETE', headers: { ...headers, ...session } })).status).toBe(204);
    expect((await post(one, { id: 4, method: 'ping' }, session)).status).toBe(404);
  });
});

describe('an instance of apps/secured that cannot be one does not start', () => {
  const start = (env: Record<string, string>): Promise<Ran> =>
    run(process.execPath, [builtApp('secured')], __dirname, {
      ...plainEnvironment(),
      SIGIL_SECRETS,
      ISSUER: 'https://id.example',
      RESOURCE,
      ...env,
    });

  it('without a Redis', async () => {
    const { code, stderr } = await start({ REDIS_URL: `redis://:hidden@127.0.0.1:${await freePort()}` });
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/The Redis of REDIS_URL cannot be reached: .*ECONNREFUSED/),
    ]);
    expect(stderr).not.toContain('hidden');
  });

  it('with something that is no Redis and says nothing', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as { port: number };
    const { code, stderr } = await start({ REDIS_URL: `redis://127.0.0.1:${port}` });
    silent.close();
    expect([code, stderr]).toEqual([1, expect.stringContaining('The Redis of REDIS_URL cannot be reached: ')]);
  });
});
