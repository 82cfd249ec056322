/** What the stores say of a Redis that an operator should mend, with the clients of both libraries. */
import { redis, type RedisOptions } from '@sigil-mcp/redis';
import { RedisServer } from '../../../test/supplies/redis-server';
import { describeWith } from '../../../test/supplies/supply';
import { CLIENTS, CLUSTER_CLIENTS, command, startCluster, type OpenClient } from './clients';

describeWith('redis-server', 'a check of a Redis', () => {
  let server: RedisServer;
  let opened: OpenClient;
  const check = (): Promise<readonly string[]> =>
    Promise.resolve(redis({ client: opened.client, commandTimeout: 300 }).check?.() ?? []);
  const evicts = (policy: string): string =>
    `This Redis may throw sessions away when its memory is full: its maxmemory-policy is ${policy}. Set noeviction.`;

  describe.each([
    ...Object.entries(CLIENTS).map((client) => [...client, () => RedisServer.start()] as const),
    ...Object.entries(CLUSTER_CLIENTS).map(([name, open]) => [`${name} in a cluster`, open, startCluster] as const),
  ])('with a client of %s', (_, open, start) => {
    beforeAll(async () => {
      server = await start();
      opened = await open(server);
    });
    afterAll(async () => {
      opened.close();
      await server.stop();
    });

    it('has nothing to say of one as it is started', async () => {
      expect(await check()).toEqual([]);
    });

    it.each([
      ['allkeys-lru', '0'],
      ['allkeys-random', '100mb'],
      ['volatile-lru', '100mb'],
      ['volatile-ttl', '100mb'],
    ])('names the policy %s, with a maximum of %s, and says which to set', async (policy, maxmemory) => {
      await command(server, 'CONFIG', 'SET', 'maxmemory-policy', policy, 'maxmemory', maxmemory);
      expect(await check()).toEqual([evicts(policy)]);
    });

    it.each([
      ['noeviction', '100mb'],
      ['volatile-lru', '0'],
    ])('takes the policy %s with a maximum of %s', async (policy, maxmemory) => {
      await command(server, 'CONFIG', 'SET', 'maxmemory-policy', policy, 'maxmemory', maxmemory);
      expect(await check()).toEqual([]);
    });

    // The last: nobody may ask this one any more.
    it('has nothing to say of one that may not be asked, or does not answer', async () => {
      await command(server, 'CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru');
      await command(server, 'ACL', 'SETUSER', 'default', '-info');
      expect(await check()).toEqual([]);
      server.pause();
      expect(await check()).toEqual([]);
      server.resume();
    });
  });
});

describe('a check of a Redis of version', () => {
  const check = async (answer: string): Promise<readonly string[] | undefined> => {
    const client = { status: 'ready', call: () => Promise.resolve(answer) } as unknown as RedisOptions['client'];
    return redis({ client }).check?.();
  };

  it.each(['6.2.14', '5.0.7'])('%s says that it is too old', async (version) => {
    expect(await check(`# Server\r\nredis_version:${version}\r\nredis_mode:standalone\r\n`)).toEqual([
      `This Redis has version ${version}, and 7.0 is needed: use a newer one, or Valkey.`,
    ]);
  });

  it.each(['7.0.0', '8.4.0', '10.0.1', ''])('%j says nothing', async (version) => {
    expect(await check(`# Server\r\nredis_version:${version}\r\n# Memory\r\n`)).toEqual([]);
  });
});
