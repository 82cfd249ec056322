/**
 * The stores in Redis do what every store does, with one of the kinds of clients; connections.spec.ts has what each kind must do. On a
 * server their user may do what docs/deployment.md lets it do: that is enough, and is no more than what has the names of the server.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '@redis/client';
import { redis } from '@sigil-mcp/redis';
import { describeStores } from '@sigil-mcp/testing/stores';
import { TESTED_KINDS, type OpenClient, type RedisAddress } from '../../../test/support/supplies/redis-clients';
import { RedisServer } from '../../../test/support/supplies/redis-server';
import { describeWith } from '../../../test/support/supplies/supply';
import { PATIENT } from './tested-redis';

const page = readFileSync(join(__dirname, '..', '..', '..', 'docs', 'deployment.md'), 'utf8');
/** A line of the file of users, which ACL SETUSER takes as well. */
const [, rules = ''] = /^user weather (on .*)$/m.exec(page) ?? [];

/** Adds the user of the guide, and gives the address with its password. */
async function addUser(server: RedisServer): Promise<RedisAddress> {
  await server.command('ACL', 'SETUSER', 'weather', ...rules.replace('<password>', 'secret').split(' '));
  return { port: server.port, url: server.url.replace('//', '//weather:secret@') };
}

describeWith('redis-server', 'stores in Redis', () => {
  describe.each(TESTED_KINDS)('with a client of $name', ({ open, start, isCluster }) => {
    let server: RedisServer;
    let address: RedisAddress;
    const clients: OpenClient[] = [];
    beforeAll(async () => {
      server = await start();
      address = isCluster ? server : await addUser(server);
    });
    afterAll(async () => {
      clients.forEach((client) => client.close());
      await server.stop();
    });

    describeStores(async (streams) => {
      const options = { namespace: `weather:${clients.length}`, streams, ...PATIENT };
      const [one, other] = [await open(address), await open(address)];
      clients.push(one, other);
      return [redis({ client: one.client, ...options }), redis({ client: other.client, ...options })];
    });
  });
});

describeWith('redis-server', 'a user of Redis who may do what the guide says', () => {
  let server: RedisServer;
  let client: ReturnType<typeof createClient>;
  beforeAll(async () => {
    server = await RedisServer.start();
    client = createClient({ url: (await addUser(server)).url });
    client.on('error', () => undefined);
    await client.connect();
  });
  afterAll(async () => {
    client.destroy();
    await server.stop();
  });

  it('is warned of what an operator should fix', async () => {
    await server.command('CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru');
    const stores = redis({ client, namespace: 'weather' });
    expect(await stores.check?.('weather')).toEqual([expect.stringContaining('allkeys-lru')]);
    await stores.close();
  });

  it('has nothing of others', async () => {
    await expect(client.get('secured:x')).rejects.toThrow('NOPERM');
    await expect(client.publish('secured:x', '')).rejects.toThrow('NOPERM');
    await expect(client.sendCommand(['FLUSHALL'])).rejects.toThrow('NOPERM');
  });
});
