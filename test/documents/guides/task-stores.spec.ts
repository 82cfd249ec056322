/** What the README of tasks shows of their stores. */
import { createClient } from '@redis/client';
import { createServer, Feature, Tool } from '@sigil-mcp/core';
import { MemoryTaskStore, tasks, type TaskStore } from '@sigil-mcp/tasks';
import { redisTasks } from '@sigil-mcp/tasks/redis';
import { describeTaskStore } from '@sigil-mcp/tasks/testing';
import { connect } from '@sigil-mcp/testing';
import '@sigil-mcp/testing/matchers';
import { RedisServer } from '../../support/supplies/redis-server';
import { describeWith } from '../../support/supplies/supply';

@Feature()
class ReportFeature {
  @Tool('Writes the yearly report', { task: 'optional' })
  report(): string {
    return 'All is well.';
  }
}

describeWith('redis-server', 'a server with tasks in Redis', () => {
  const before = { ...process.env };
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await RedisServer.start();
    process.env['REDIS_URL'] = redis.url;
    process.env['SIGIL_SECRETS'] = 'a secret of more than thirty-two characters';
  });
  afterAll(async () => {
    process.env = before;
    await redis.stop();
  });

  it('starts, and serves clients that do not know tasks', async () => {
    const client = await createClient({ url: process.env['REDIS_URL'] ?? '' }).connect();
    // #region redis
    // The client may be that of the stores: docs/deployment.md, "Configure Redis".
    const server = createServer({
      name: 'reports',
      version: '1.0.0',
      features: [ReportFeature],
      extensions: [tasks({ store: redisTasks(client, { prefix: 'reports' }) })],
    });
    // #endregion redis
    const caller = await connect(server);
    expect(await caller.callTool('report')).toHaveText('All is well.');
    await caller.close();
    await server.close();
    client.destroy();
  });
});

class MyTaskStore extends MemoryTaskStore implements TaskStore {}

// #region contract
describeTaskStore('my store', () => ({ store: new MyTaskStore() }));
// #endregion contract
