/** What the stores say of a Redis that an operator should fix. */
import { redis, type RedisOptions } from '@sigil-mcp/redis';
import { ManualClock } from '@sigil-mcp/testing';
import { RedisServer } from '../../../test/support/supplies/redis-server';
import { describeWith } from '../../../test/support/supplies/supply';
import { TESTED_CLIENTS, TESTED_KINDS, type OpenClient } from '../../../test/support/supplies/redis-clients';

describeWith('redis-server', 'a check of a Redis', () => {
  let server: RedisServer;
  let opened: OpenClient;
  /** Has the time of the machine, and timers that do not fire by themselves. */
  const clock = Object.assign(new ManualClock(), { now: () => Date.now() });
  const check = (): Promise<readonly string[]> =>
    Promise.resolve(redis({ client: opened.client, clock }).check?.('weather') ?? []);
  const evicts = (policy: string): string =>
    `This Redis may throw sessions away when its memory is full: its maxmemory-policy is ${policy}. Set noeviction.`;

  describe.each(TESTED_KINDS)('with a client of $name', ({ open, start }) => {
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
      await server.command('CONFIG', 'SET', 'maxmemory-policy', policy, 'maxmemory', maxmemory);
      expect(await check()).toEqual([evicts(policy)]);
    });

    it.each([
      ['noeviction', '100mb'],
      ['volatile-lru', '0'],
    ])('takes the policy %s with a maximum of %s', async (policy, maxmemory) => {
      await server.command('CONFIG', 'SET', 'maxmemory-policy', policy, 'maxmemory', maxmemory);
      expect(await check()).toEqual([]);
    });

    it.each([
      [3_600_000, /^The clock of this machine is \d+ s ahead of that of Redis\. .* set it, best by a time server\.$/],
      [-3_600_000, /^The clock of this machine is \d+ s behind that of Redis\. .* set it, best by a time server\.$/],
    ])('says so of a clock that is ahead by %i ms', async (ahead, said) => {
      await server.command('CONFIG', 'SET', 'maxmemory-policy', 'noeviction');
      const wrong = new ManualClock(Date.now() + ahead);
      expect(await redis({ client: opened.client, clock: wrong }).check?.('weather')).toEqual([
        expect.stringMatching(said),
      ]);
    });

    // The last: nobody may ask this one any more.
    it('has nothing to say of one that may not be asked, or does not answer', async () => {
      await server.command('CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru');
      await server.command('ACL', 'SETUSER', 'default', '-info');
      expect(await check()).toEqual([]);
      server.pause();
      let said: readonly string[] | undefined;
      const saying = check().then((sentences) => (said = sentences));
      // One command is sent when the one before it has failed.
      while (said === undefined) await clock.advance(1000);
      expect(await saying).toEqual([]);
      server.resume();
    });
  });
});

describeWith('redis-server', 'the namespace of a Redis', () => {
  describe.each(TESTED_CLIENTS)('with a client of %s', (_, open) => {
    let server: RedisServer;
    let opened: OpenClient;
    const serve = async (name: string, namespace?: string) => {
      const stores = redis({
        client: opened.client,
        // The clock of the machine, whose timers do not fire by themselves.
        clock: Object.assign(new ManualClock(), { now: () => Date.now() }),
        ...(namespace !== undefined && { namespace }),
      });
      return { stores, said: (await stores.check?.(name)) ?? [] };
    };
    beforeAll(async () => {
      server = await RedisServer.start();
      opened = await open(server);
    });
    afterAll(async () => {
      opened.close();
      await server.stop();
    });

    it('is the name of the server, so that two servers share nothing', async () => {
      const [weather, payroll] = [await serve('weather'), await serve('pay roll: ünique')];
      expect([weather.said, payroll.said]).toEqual([[], []]);
      await weather.stores.sessions.open('s', 'of weather', 60_000);
      expect(await payroll.stores.sessions.use('s', 60_000)).toBeUndefined();
      await payroll.stores.sessions.open('s', 'of payroll', 60_000);
      expect(await weather.stores.sessions.use('s', 60_000)).toBe('of weather');
      const keys = (await server.command('KEYS', '*:{s}:s')) as string[];
      expect(keys.sort()).toEqual(['pay_roll:__nique:{s}:s', 'weather:{s}:s']);
    });

    it('is used by one server: another one is warned of, and an instance of the same is not', async () => {
      expect((await serve('weather', 'shared')).said).toEqual([]);
      expect((await serve('weather', 'shared')).said).toEqual([]);
      expect((await serve('payroll', 'shared')).said).toEqual([
        'The namespace shared was used by the server "weather" before "payroll". Two servers in one namespace mix up their sessions, changes and rates. Give each its own, redis({ namespace }), unless the server was renamed.',
      ]);
      expect(Number(await server.command('PTTL', 'shared:server'))).toBeGreaterThan(86_400_000);
    });

    it('has nothing left of the streams of a session that was ended', async () => {
      const { stores } = await serve('weather', 'ended');
      await stores.sessions.open('s', 'one', 60_000);
      const [kept, over] = ['r1', 'r2'].map((stream) => ({ session: 's', stream }));
      for (const name of [kept, over]) {
        await stores.streams.open(name ?? { session: 's', stream: '' }, 'owner');
        await stores.streams.append(name ?? { session: 's', stream: '' }, 0, ['a word'], name === over);
      }
      expect(await server.command('KEYS', 'ended:{s}:*')).toHaveLength(6);
      expect([await stores.sessions.end('s'), await stores.sessions.end('s')]).toEqual([true, false]);
      expect(await server.command('KEYS', 'ended:{s}:*')).toEqual([]);
    });
  });
});

describe('a check of a Redis of version', () => {
  const check = async (answer: string): Promise<readonly string[] | undefined> => {
    const call = (command: string): Promise<unknown> => Promise.resolve(command === 'INFO' ? answer : null);
    const client = { status: 'ready', call } as unknown as RedisOptions['client'];
    return redis({ client }).check?.('weather');
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
