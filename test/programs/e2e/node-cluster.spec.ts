/** Several processes of one machine on one port, as docs/deployment.md has them. */
import { availableParallelism } from 'node:os';
import { createClient } from '@redis/client';
import { connect } from '@sigil-mcp/testing';
import { RedisServer } from '../../support/supplies/redis-server';
import { describeWith } from '../../support/supplies/supply';
import { until } from '../../support/until';
import { isRunning } from './built-app';
import { HttpApp } from './http-app';

jest.setTimeout(150_000);

describeWith('redis-server', 'the workers of node:cluster', () => {
  let redis: RedisServer;
  let app: HttpApp;
  let client: ReturnType<typeof createClient>;

  beforeAll(async () => {
    redis = await RedisServer.start();
    client = createClient({ url: redis.url });
    await client.connect();
    app = await HttpApp.start('everything', { REDIS_URL: redis.url }, 'cluster.js');
    await alive(availableParallelism());
  });
  afterAll(async () => {
    app.kill('SIGKILL');
    client.destroy();
    await redis.stop();
  });

  /** Waits until so many instances are alive. */
  async function alive(count: number): Promise<void> {
    await until(async () => (await client.keys('everything:*:alive')).length === count);
  }

  /** The processes that have said that they listen, the newest last. */
  const workers = (): number[] =>
    [...app.stderr().matchAll(/^Worker (\d+) listens\.$/gm)].map(([, pid]) => Number(pid));

  it('serve one session, which outlives each of those that there were', async () => {
    const one = await connect(app.url, { revision: '2025-11-25' });
    expect(await one.callTool('test_simple_text')).toMatchObject({ isError: false });
    const first = workers();
    expect(first).toHaveLength(availableParallelism());
    for (const [index, pid] of first.entries()) {
      process.kill(pid, 'SIGKILL');
      await until(() => workers().length > first.length + index);
      expect(workers()).toHaveLength(first.length + index + 1);
    }
    for (let count = 0; count < 8; count++)
      expect(await one.callTool('test_simple_text')).toMatchObject({ isError: false });
    await one.close();
  });

  it('end when the first process is told to', async () => {
    const known = workers();
    await app.stop();
    expect(known.filter(isRunning)).toEqual([]);
  });
});
