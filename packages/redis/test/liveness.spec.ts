/** Who is taken for dead, and who is not: what runs at an instance is given up when it is. */
import { redis } from '@sigil-mcp/redis';
import { describeWith } from '../../../test/support/supplies/supply';
import { TESTED_CLIENTS } from '../../../test/support/supplies/redis-clients';
import { COMMAND_TIMEOUT, DEAD_AFTER, LOOK, TestedRedis } from './tested-redis';
import { until } from '../../../test/support/until';

describeWith('redis-server', 'a bus in a Redis', () => {
  describe.each(TESTED_CLIENTS)('with a client of %s', (_, open) => {
    const tested = TestedRedis.forSuite(open);

    /** Milliseconds after which an instance is dead unless it says again that it is not. */
    const leftOf = async (instance: string): Promise<number> =>
      Number(await tested.command('PTTL', `sigil:{i:${instance}}:alive`));

    it('takes nobody for dead because Redis has forgotten who is alive, and what is said to them arrives', async () => {
      const [stores, other] = [tested.make(), tested.make()];
      await tested.join(stores, 'a');
      const b = await tested.join(other, 'b');
      await tested.command('DEL', 'sigil:{i:a}:alive', 'sigil:{i:b}:alive');
      expect(await stores.bus.isAlive('b')).toBe(true);
      await tested.command('DEL', 'sigil:{i:a}:alive', 'sigil:{i:b}:alive');
      expect(await stores.bus.send('b', 'one')).toBe(true);
      expect(await b.hear(1)).toEqual(['message one']);
    });

    it('takes nobody for dead when Redis was away for so long that nobody could say to be alive', async () => {
      const [stores, other] = [tested.make(), tested.make()];
      const dying = await open(tested.server);
      const { clock } = tested;
      const lost = redis({ client: dying.client, clock, commandTimeout: COMMAND_TIMEOUT, deadAfter: DEAD_AFTER });
      await tested.join(stores, 'a');
      await tested.join(other, 'b');
      await tested.join(lost, 'c');
      await tested.server.kill();
      dying.close();
      await clock.advance(DEAD_AFTER);
      await tested.server.run();
      await tested.recovered(stores);
      expect([await stores.bus.isAlive('b'), await stores.bus.isAlive('c')]).toEqual([true, true]);
      // Who is alive says so, and who is not does not.
      await clock.advance(LOOK);
      await until(async () => (await leftOf('a')) > 0 && (await leftOf('b')) > 0);
      await clock.advance(DEAD_AFTER);
      expect([await stores.bus.isAlive('b'), await stores.bus.isAlive('c')]).toEqual([true, false]);
      expect([await stores.bus.send('b', 'x'), await stores.bus.send('c', 'x')]).toEqual([true, false]);
      await lost.close();
    });

    it('takes nobody for dead while the memory of Redis is full', async () => {
      const [stores, other] = [tested.make(), tested.make()];
      await tested.join(stores, 'a');
      await tested.join(other, 'b');
      await tested.command('CONFIG', 'SET', 'maxmemory', '1');
      await tested.command('PEXPIRE', 'sigil:{i:b}:alive', `${DEAD_AFTER / 2}`);
      await tested.clock.advance(LOOK);
      await until(async () => (await leftOf('b')) > DEAD_AFTER / 2);
      expect(await stores.bus.isAlive('b')).toBe(true);
      await tested.command('CONFIG', 'SET', 'maxmemory', '0');
      expect(await stores.bus.send('b', 'x')).toBe(true);
    });
  });
});
