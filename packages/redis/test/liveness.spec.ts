/** Who is taken for dead, and who is not: what runs at an instance is given up when it is. With the clients of both libraries. */
import { setTimeout as sleep } from 'node:timers/promises';
import { redis } from '@sigil-mcp/redis';
import { describeWith } from '../../../test/supplies/supply';
import { CLIENTS } from './clients';
import { TestedRedis } from './tested-redis';

/** The `deadAfter` of the stores that are tested. */
const DEAD_AFTER = 900;

describeWith('redis-server', 'a bus in a Redis', () => {
  describe.each(Object.entries(CLIENTS))('with a client of %s', (_, open) => {
    let tested: TestedRedis;
    beforeEach(async () => {
      tested = await TestedRedis.start(open);
    });
    afterEach(() => tested.stop());

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
      const lost = redis({ client: dying.client, commandTimeout: 300, deadAfter: DEAD_AFTER });
      await tested.join(stores, 'a');
      await tested.join(other, 'b');
      await tested.join(lost, 'c');
      await tested.server.kill();
      dying.close();
      await sleep(DEAD_AFTER + 200);
      await tested.server.run();
      await tested.recovered(stores);
      expect([await stores.bus.isAlive('b'), await stores.bus.isAlive('c')]).toEqual([true, true]);
      // Who is alive has said so by then, and who is not has not.
      await sleep(DEAD_AFTER * 2);
      expect([await stores.bus.isAlive('b'), await stores.bus.isAlive('c')]).toEqual([true, false]);
      expect([await stores.bus.send('b', 'x'), await stores.bus.send('c', 'x')]).toEqual([true, false]);
      await lost.close();
    });

    it('takes nobody for dead while the memory of Redis is full', async () => {
      const [stores, other] = [tested.make(), tested.make()];
      await tested.join(stores, 'a');
      await tested.join(other, 'b');
      await tested.command('CONFIG', 'SET', 'maxmemory', '1');
      await sleep(DEAD_AFTER + 400);
      expect(await stores.bus.isAlive('b')).toBe(true);
      await tested.command('CONFIG', 'SET', 'maxmemory', '0');
      expect(await stores.bus.send('b', 'x')).toBe(true);
    });
  });
});
