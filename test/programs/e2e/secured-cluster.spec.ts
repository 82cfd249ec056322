/** `apps/secured` as compose.cluster.yaml has it: three instances behind nginx with the configuration that stands there. */
import '@sigil-mcp/testing/matchers';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, issuer, type TestClient, type TestIssuer } from '@sigil-mcp/testing';
import { freePort } from '../../support/free-port';
import { documentedConfiguration, Nginx } from '../../support/supplies/nginx';
import { RedisServer } from '../../support/supplies/redis-server';
import { describeWith, isSupplied } from '../../support/supplies/supply';
import { until } from '../../support/until';
import { HttpApp } from './http-app';
import { sigil } from './terminal';

jest.setTimeout(150_000);

const SIGIL_AUDIT_SECRET = 'a secret that verifies the records';
const REVISIONS = ['2025-11-25', '2026-07-28'];

const describeCluster = isSupplied('nginx')
  ? (title: string, suite: () => void) => describeWith('redis-server', title, suite)
  : (title: string, suite: () => void) => describeWith('nginx', title, suite);

describeCluster('three instances behind nginx', () => {
  let redis: RedisServer;
  let id: TestIssuer;
  let instances: HttpApp[];
  let nginx: Nginx;
  let url: string;
  let metrics: number[];
  const folder = mkdtempSync(join(tmpdir(), 'sigil-secured-'));
  const clients: TestClient[] = [];

  beforeAll(async () => {
    const port = await freePort();
    url = `http://127.0.0.1:${port}/mcp`;
    [redis, id] = await Promise.all([RedisServer.start(), issuer({ audience: url })]);
    const env = {
      REDIS_URL: redis.url,
      ISSUER: id.url,
      RESOURCE: url,
      SIGIL_SECRETS: 'a secret of which all instances know',
      TRUST_PROXY: '127.0.0.1',
      AUDIT_FILE: join(folder, 'audit-{slot}.log'),
      SIGIL_AUDIT_SECRET,
    };
    metrics = await Promise.all([freePort(), freePort(), freePort()]);
    instances = await Promise.all(
      metrics.map((metricsPort) =>
        HttpApp.start('secured', { ...env, OTEL_EXPORTER_PROMETHEUS_PORT: `${metricsPort}` }),
      ),
    );
    nginx = await Nginx.start(
      documentedConfiguration([port, ...instances.map((instance) => Number(instance.port))]),
      port,
    );
  });
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.close()));
    await nginx.stop();
    instances.forEach((instance) => instance.kill('SIGKILL'));
    await Promise.all([redis.stop(), id.close()]);
    rmSync(folder, { recursive: true });
  });

  async function open(revision: string, sub: string): Promise<TestClient> {
    const token = id.token({ sub, scope: 'notes:read notes:write', clientId: 'test', claims: { tenant: 'acme' } });
    const client = await connect(url, { revision, headers: { authorization: `Bearer ${token}` } });
    clients.push(client);
    return client;
  }

  it.each(REVISIONS)(
    'one client is served by all of them, and hears at once what others change (%s)',
    async (revision) => {
      const [ada, bob] = [await open(revision, 'ada'), await open(revision, 'bob')];
      const title = `milk ${revision}`;
      await ada.callTool('addNote', { title, text: '0' });
      const uri = (await bob.listResources()).resources.find(({ name }) => name === title)?.uri ?? '';
      await bob.subscribe(uri);
      for (const text of ['1', '2', '3', '4', '5', '6']) {
        await ada.callTool('addNote', { title, text });
        await bob.waitForNotification('notifications/resources/updated', 2000);
        expect(await bob.readResource(uri)).toHaveText(JSON.stringify({ title, text, author: 'ada' }));
      }
      const counts = instances.map(({ port }) => nginx.served().filter((each) => each === `127.0.0.1:${port}`).length);
      expect(Math.min(...counts)).toBeGreaterThanOrEqual(3);
      expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(4);
    },
  );

  it('a task of one is followed at all of them', async () => {
    const ada = await open('2026-07-28', 'ada');
    await ada.callTool('addNote', { title: 'exported', text: 'As a task.' });
    const task = await ada.startTask('exportNotes');
    expect(await task.result()).toHaveText(/# exported\n\nAs a task\.\n\n\(ada\)/);
    for (let poll = 0; poll < 6; poll += 1) expect(await task.status()).toMatchObject({ status: 'completed' });
  });

  it('each has metrics, and audit records of its own that verify', async () => {
    for (const port of metrics) {
      const said = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
      expect(said).toMatch(/^mcp_server_operation_duration_count\{.*gen_ai_tool_name="addNote".*\} \d+$/m);
    }
    const files = [1, 2, 3].map((slot) => join(folder, `audit-${slot}.log`));
    const options = { cwd: folder, env: { SIGIL_AUDIT_SECRET } };
    for (const file of files) {
      // The mark is written once a second.
      await until(() => existsSync(`${file}.head`));
      expect(await sigil(['audit', 'verify', file], options)).toMatchObject({ status: 0 });
    }
  });

  it('one that dies is missed by nobody who comes later', async () => {
    const ada = await open('2025-11-25', 'ada');
    instances[0]?.kill('SIGKILL');
    await instances[0]?.exit;
    for (let number = 0; number < 9; number++)
      expect(await ada.callTool('listNotes')).toMatchObject({ isError: false });
  });
});

describeWith('nginx', 'nginx in front of instances that die', () => {
  it('sends no call a second time that somebody may have begun', async () => {
    const calls: string[] = [];
    const servers = await Promise.all(
      [1, 2, 3].map(async () => {
        const server = createServer((request) => {
          calls.push(`${request.method}`);
          request.socket.destroy();
        }).listen(0, '127.0.0.1');
        await once(server, 'listening');
        return server;
      }),
    );
    const ports = [await freePort(), ...servers.map((server) => (server.address() as AddressInfo).port)];
    const proxy = await Nginx.start(documentedConfiguration(ports), ports[0] ?? 0);
    const { status } = await fetch(`http://127.0.0.1:${ports[0]}/mcp`, { method: 'POST', body: '{}' });
    await proxy.stop();
    servers.forEach((server) => server.close());
    expect([status, calls]).toEqual([502, ['POST']]);
  });
});
