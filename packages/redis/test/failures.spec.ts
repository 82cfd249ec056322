/** What the stores do while Redis is away, slow, empty or deaf, with the clients of both libraries. */
import { setTimeout as sleep } from 'node:timers/promises';
import { StoreAway, type MaybePromise } from '@sigil-mcp/core/stores';
import { redis, type RedisOptions } from '@sigil-mcp/redis';
import { describeWith } from '../../../test/supplies/supply';
import { CLIENTS } from './clients';
import { Ears, TestedRedis } from './tested-redis';

const LONG = 60_000;

describeWith('redis-server', 'stores in a Redis', () => {
  describe.each(Object.entries(CLIENTS))('with a client of %s', (_, open) => {
    let tested: TestedRedis;
    beforeEach(async () => {
      tested = await TestedRedis.start(open);
    });
    afterEach(() => tested.stop());

    it('that is gone fail at once with the one error that stores have, and recover by themselves', async () => {
      const stores = tested.make();
      await stores.sessions.open('s', 'one', LONG);
      await tested.server.kill();
      await sleep(50);
      const before = performance.now();
      await expect(stores.sessions.use('s', LONG)).rejects.toThrow(StoreAway);
      await expect(stores.rates.take('k', { calls: 1, per: 1000 })).rejects.toMatchObject({
        status: 503,
        retryAfter: 2,
      });
      await expect(stores.streams.append({ session: 's', stream: 'r0' }, 0, ['x'])).rejects.toThrow(StoreAway);
      await expect(stores.bus.announce('change')).rejects.toThrow(StoreAway);
      expect(performance.now() - before).toBeLessThan(200);
      await tested.server.run();
      await tested.recovered(stores);
      expect(await stores.sessions.use('s', LONG)).toBeUndefined();
      // Redis has forgotten the programs, too.
      expect(await stores.rates.take('k', { calls: 1, per: 1000 })).toBe(0);
    });

    it('that does not answer fail after a while, and no more commands wait than there may', async () => {
      const stores = tested.make({ pendingCommands: 5 });
      await stores.sessions.open('s', 'one', LONG);
      tested.server.pause();
      const before = performance.now();
      const uses = Array.from({ length: 5 }, () => Promise.resolve(stores.sessions.use('s', LONG)));
      const settled = Promise.allSettled(uses);
      await expect(stores.sessions.use('s', LONG)).rejects.toMatchObject({
        cause: '5 commands wait (pendingCommands).',
      });
      expect(performance.now() - before).toBeLessThan(200);
      expect((await settled).map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 'rejected'));
      expect(performance.now() - before).toBeGreaterThan(290);
      // The client still holds the five.
      await expect(stores.sessions.use('s', LONG)).rejects.toThrow(StoreAway);
      tested.server.resume();
      await tested.recovered(stores);
      expect(await stores.sessions.use('s', LONG)).toBe('one');
    });

    it('whose connections for messages are cut lose none, and tell none twice', async () => {
      const stores = tested.make();
      const ears = await tested.join(stores, 'a');
      const expected: string[] = [];
      for (let turn = 0; turn < 5; turn++) {
        await tested.command('CLIENT', 'KILL', 'TYPE', 'pubsub');
        await stores.bus.announce(`change ${turn}`);
        await stores.bus.send('a', `${turn}`);
        expected.push(`change ${turn}`, `message ${turn}`);
        await sleep(40);
      }
      await ears.hear(expected.length);
      expect([...ears.heard].sort()).toEqual(expected.sort());
    });

    it('that comes back empty say that changes were missed, and go on', async () => {
      const stores = tested.make();
      const ears = await tested.join(stores, 'a');
      await stores.bus.announce('one');
      await ears.hear(1);
      await tested.server.kill();
      await tested.server.run();
      await tested.recovered(stores);
      await stores.bus.announce('two');
      await ears.hear(3);
      expect(ears.heard).toEqual(['one', 'missed', 'two']);
      // It says again that it is alive.
      await sleep(400);
      expect(await stores.bus.isAlive('a')).toBe(true);
    });

    it('that was never there when they are closed leave no connection behind', async () => {
      const stores = tested.make();
      await tested.server.kill();
      await sleep(50);
      const following = stores.streams.follow({ session: 's', stream: 'r0' }, () => undefined);
      await expect(following).rejects.toThrow(StoreAway);
      await stores.close();
      await tested.server.run();
      await sleep(300);
      expect(await tested.command('CLIENT', 'LIST', 'TYPE', 'pubsub')).toBe('');
    });

    it('have one connection for messages while somebody follows, and none after they were closed', async () => {
      const stores = tested.make();
      const connections = async (): Promise<number> =>
        String(await tested.command('CLIENT', 'LIST'))
          .split('\n')
          .filter(Boolean).length;
      const others = await connections();
      for (let turn = 0; turn < 2; turn++) {
        const follow = (): MaybePromise<() => void> => stores.streams.follow({ session: 's', stream: 'r0' }, () => 0);
        const [stop, stopOther] = [await follow(), await follow()];
        stop();
        await stores.close();
        await sleep(50);
        expect(await connections()).toBe(others + 1);
        stopOther();
        await sleep(50);
        expect(await connections()).toBe(others);
      }
    });

    it('take an instance that says nothing any more for dead', async () => {
      const stores = tested.make();
      const dying = await open(tested.server);
      const other = redis({ client: dying.client, commandTimeout: 300, deadAfter: 900 });
      await tested.join(other, 'b');
      expect(await stores.bus.isAlive('b')).toBe(true);
      dying.close();
      await sleep(500);
      expect(await stores.bus.isAlive('b')).toBe(true);
      await sleep(600);
      expect([await stores.bus.isAlive('b'), await stores.bus.send('b', 'x')]).toEqual([false, false]);
      await other.close();
    });

    it('keep nothing of what is over, and nothing for ever', async () => {
      const stores = tested.make({ namespace: 'shop:eu' });
      const name = { session: 's', stream: 'r0' };
      await stores.sessions.open('s', 'one', LONG);
      await stores.streams.open(name, 'a');
      await stores.streams.append(name, 0, ['x']);
      await stores.rates.take('k', { calls: 1, per: LONG });
      await stores.bus.announce('change');
      const leave = await stores.bus.join('a', new Ears());
      await stores.bus.send('a', 'x');
      const keys = ['shop:eu:all', 'shop:eu:changes', 'shop:eu:rate:k', 'shop:eu:{i:a}:alive', 'shop:eu:{i:a}:inbox'];
      keys.push('shop:eu:{s}:e:r0', 'shop:eu:{s}:k', 'shop:eu:{s}:o:r0', 'shop:eu:{s}:s');
      expect(((await tested.command('KEYS', '*')) as string[]).sort()).toEqual(keys);
      for (const key of keys) expect([key, Number(await tested.command('PTTL', key)) > 0]).toEqual([key, true]);
      // What was said to it goes with it.
      await stores.sessions.end('s');
      await leave();
      expect(((await tested.command('KEYS', '*')) as string[]).sort()).toEqual([
        'shop:eu:all',
        'shop:eu:changes',
        'shop:eu:rate:k',
      ]);
    });
  });
});

describe('what redis() is given', () => {
  const client = { status: 'ready', call: () => Promise.resolve() } as unknown as RedisOptions['client'];

  it.each([undefined, 'redis://localhost', {}, { isReady: true, sendCommand: () => 1, getSentinelNode: () => 1 }])(
    'is no client where it is %j',
    (wrong) => {
      expect(() => redis({ client: wrong as unknown as RedisOptions['client'] })).toThrow(
        expect.objectContaining({ code: 'SIGIL_REDIS_CLIENT' }),
      );
    },
  );

  it.each(['', 'a{b}', 'a b', 'x'.repeat(101)])('is no namespace where it is %j', (namespace) => {
    expect(() => redis({ client, namespace })).toThrow(expect.objectContaining({ code: 'SIGIL_REDIS_NAMESPACE' }));
  });

  it.each([{ commandTimeout: 0 }, { pendingCommands: 1.5 }, { deadAfter: Infinity }, { streams: { keepFor: -1 } }])(
    'is no number where it is %j',
    (options) => {
      expect(() => redis({ client, ...options })).toThrow(expect.objectContaining({ code: 'SIGIL_REDIS_NUMBER' }));
    },
  );
});
