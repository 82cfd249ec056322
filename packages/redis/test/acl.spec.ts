/** What docs/deployment.md lets a user of Redis do is enough, and is no more than what has the names of the server. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '@redis/client';
import { redis } from '@sigil-mcp/redis';
import { describeStores } from '@sigil-mcp/testing/stores';
import { RedisServer } from '../../../test/support/supplies/redis-server';
import { describeWith } from '../../../test/support/supplies/supply';

const page = readFileSync(join(__dirname, '..', '..', '..', 'docs', 'deployment.md'), 'utf8');
/** A line of the file of users, which ACL SETUSER takes as well. */
const [, rules = ''] = /^user weather (on .*)$/m.exec(page) ?? [];

describeWith('redis-server', 'a user of Redis who may do what the guide says', () => {
  let server: RedisServer;
  const clients: { destroy(): void }[] = [];

  beforeAll(async () => {
    server = await RedisServer.start();
    await server.command('ACL', 'SETUSER', 'weather', ...rules.replace('<password>', 'secret').split(' '));
  });
  afterAll(async () => {
    clients.forEach((client) => client.destroy());
    await server.stop();
  });

  async function open() {
    const client = createClient({ url: server.url, username: 'weather', password: 'secret' });
    client.on('error', () => undefined);
    await client.connect();
    clients.push(client);
    return client;
  }

  describeStores(async (streams) => {
    const namespace = `weather:${clients.length}`;
    const [one, other] = [await open(), await open()];
    // A busy machine may take longer for a command than a server waits.
    const options = { namespace, streams, commandTimeout: 20_000 };
    return [redis({ client: one, ...options }), redis({ client: other, ...options })];
  });

  it('is warned of what an operator should fix', async () => {
    await server.command('CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru');
    const stores = redis({ client: await open(), namespace: 'weather' });
    expect(await stores.check?.('weather')).toEqual([expect.stringContaining('allkeys-lru')]);
    await stores.close();
  });

  it('has nothing of others', async () => {
    const client = await open();
    await expect(client.get('secured:x')).rejects.toThrow('NOPERM');
    await expect(client.publish('secured:x', '')).rejects.toThrow('NOPERM');
    await expect(client.sendCommand(['FLUSHALL'])).rejects.toThrow('NOPERM');
  });
});
