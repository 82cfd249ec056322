/** What the stores do while Redis is away, slow, empty or deaf. */
import { StoreAway, type MaybePromise } from '@sigil-mcp/core/stores';
import { redis, type RedisOptions } from '@sigil-mcp/redis';
import { describeWith } from '../../../test/support/supplies/supply';
import { TESTED_CLIENTS } from '../../../test/support/supplies/redis-clients';
import { COMMAND_TIMEOUT, DEAD_AFTER, Ears, LOOK, TestedRedis } from './tested-redis';
import { until } from '../../../test/support/until';

const LONG = 60_000;

describeWith('redis-server', 'stores in a Redis', () => {
  describe.each(TESTED_CLIENTS)('with a client of %s', (_, open) => {
    const tested = TestedRedis.forSuite(open);

    it('that is gone fail at once with the one error that stores have, and recover by themselves', async () => {
      const stores = tested.make();
      await stores.sessions.open('s', 'one', LONG);
      await tested.server.kill();
      await tested.gone();
      // No time passes meanwhile.
      await expect(stores.sessions.use('s', LONG)).rejects.toThrow(StoreAway);
      await expect(stores.rates.take('k', { calls: 1, per: 1000 })).rejects.toMatchObject({
        status: 503,
        retryAfter: 2,
      });
      await expect(stores.streams.append({ session: 's', stream: 'r0' }, 0, ['x'])).rejects.toThrow(StoreAway);
      await expect(stores.bus.announce('change')).rejects.toThrow(StoreAway);
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
      const uses = Array.from({ length: 5 }, () => Promise.resolve(stores.sessions.use('s', LONG)));
      let settled = 0;
      const outcomes = Promise.allSettled(uses.map((each) => each.finally(() => settled++)));
      await expect(stores.sessions.use('s', LONG)).rejects.toMatchObject({
        cause: '5 commands wait (pendingCommands).',
      });
      await tested.clock.advance(COMMAND_TIMEOUT - 1);
      expect(settled).toBe(0);
      await tested.clock.advance(1);
      expect((await outcomes).map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 'rejected'));
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
        // The next cut comes after all was heard, or before.
        if (turn % 2 === 0) await ears.hear(expected.length);
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
      await tested.clock.advance(LOOK);
      await until(async () => Number(await tested.command('EXISTS', 'sigil:{i:a}:alive')) === 1);
      expect(await stores.bus.isAlive('a')).toBe(true);
    });

    it('that was never there when they are closed leave no connection behind', async () => {
      const stores = tested.make();
      await tested.server.kill();
      await tested.gone();
      const following = stores.streams.follow({ session: 's', stream: 'r0' }, () => undefined);
      const refused = expect(following).rejects.toThrow(StoreAway);
      await tested.clock.advance(COMMAND_TIMEOUT);
      await refused;
      await stores.close();
      await tested.server.run();
      await tested.recovered(stores);
      // What was left behind would connect again as soon as others connect.
      const others = tested.make();
      const stop = await others.streams.follow({ session: 's', stream: 'r1' }, () => undefined);
      expect(
        String(await tested.command('CLIENT', 'LIST', 'TYPE', 'pubsub'))
          .trim()
          .split('\n'),
      ).toHaveLength(1);
      stop();
    });

    it('have one connection for messages while somebody follows, and none after they were closed', async () => {
      const stores = tested.make();
      const connections = async (): Promise<number> =>
        String(await tested.command('CLIENT', 'LIST'))
          .split('\n')
          .filter(Boolean).length;
      // The client is connected, and what tests before this one have closed is gone.
      await stores.streams.open({ session: 's', stream: 'first' }, 'a');
      let others = 0;
      await until(async () => others === (others = await connections()));
      for (let turn = 0; turn < 2; turn++) {
        const name = { session: 's', stream: `r${turn}` };
        let woken = 0;
        const follow = (): MaybePromise<() => void> => stores.streams.follow(name, () => woken++);
        const [stop, stopOther] = [await follow(), await follow()];
        await until(async () => (await connections()) === others + 1);
        stop();
        await stores.close();
        await stores.streams.open(name, 'a');
        await stores.streams.append(name, 0, ['one']);
        await until(() => woken > 0);
        expect(await connections()).toBe(others + 1);
        stopOther();
        await until(async () => (await connections()) === others);
      }
    });

    it('take an instance that says nothing any more for dead', async () => {
      const stores = tested.make();
      const dying = await open(tested.server);
      const { clock } = tested;
      const other = redis({ client: dying.client, clock, commandTimeout: COMMAND_TIMEOUT, deadAfter: DEAD_AFTER });
      await tested.join(other, 'b');
      const alive = 'sigil:{i:b}:alive';
      const left = async (): Promise<number> => Number(await tested.command('PTTL', alive));
      // It says so again before its time is over.
      await tested.command('PEXPIRE', alive, `${DEAD_AFTER / 2}`);
      await clock.advance(LOOK);
      await until(async () => (await left()) > DEAD_AFTER / 2);
      expect(await left()).toBeLessThanOrEqual(DEAD_AFTER);
      expect(await stores.bus.isAlive('b')).toBe(true);
      dying.close();
      await tested.command('PEXPIRE', alive, `${DEAD_AFTER / 2}`);
      await clock.advance(LOOK);
      expect(await stores.bus.isAlive('b')).toBe(true);
      expect(await left()).toBeLessThanOrEqual(DEAD_AFTER / 2);
      await tested.command('PEXPIRE', alive, '1');
      await until(async () => (await left()) < 0);
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
