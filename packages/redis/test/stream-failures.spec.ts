/** What stands on a stream while its owner does not know whether it does. */
import { setTimeout as sleep } from 'node:timers/promises';
import { unawaited } from '@sigil-mcp/core/internal';
import { StoreAway, type Stores, type StreamName } from '@sigil-mcp/core/stores';
import { describeWith } from '../../../test/support/supplies/supply';
import { TESTED_CLIENTS } from '../../../test/support/supplies/redis-clients';
import { COMMAND_TIMEOUT, TestedRedis, untilSeen } from './tested-redis';
import { until } from '../../../test/support/until';

const NAME: StreamName = { session: 's', stream: 'r0' };

/** Writes until it is known to stand there, or that nobody may write any more. */
async function append({ streams }: Stores, after: number, events: string[], isLast = false): Promise<boolean> {
  for (;;) {
    try {
      return await streams.append(NAME, after, events, isLast);
    } catch (error) {
      expect(error).toBeInstanceOf(StoreAway);
      await sleep(20);
    }
  }
}

describeWith('redis-server', 'a stream in a Redis', () => {
  describe.each(TESTED_CLIENTS)('with a client of %s', (_, open) => {
    const tested = TestedRedis.forSuite(open);

    it('is followed where the memory of Redis is full, and read with the next look', async () => {
      const stores = tested.make();
      await stores.streams.open(NAME, 'a');
      await stores.streams.append(NAME, 0, ['one']);
      await tested.command('CONFIG', 'SET', 'maxmemory', '1');
      let wakes = 0;
      const stop = await stores.streams.follow(NAME, () => wakes++);
      expect(await stores.streams.read(NAME, 0, 10)).toMatchObject({ events: [{ data: 'one' }] });
      await tested.command('CONFIG', 'SET', 'maxmemory', '0');
      await untilSeen(tested.clock, () => wakes > 0);
      stop();
    });

    it('has each event once where Redis stood still while it was written', async () => {
      const stores = tested.make();
      await stores.streams.open(NAME, 'a');
      await stores.streams.append(NAME, 0, ['one']);
      tested.server.pause();
      const unanswered = expect(stores.streams.append(NAME, 1, ['two', 'three'])).rejects.toThrow(StoreAway);
      await tested.clock.advance(COMMAND_TIMEOUT);
      await unanswered;
      tested.server.resume();
      await tested.recovered(stores);
      expect((await stores.streams.read(NAME, 0, 9))?.events.map(({ data }) => data)).toEqual(['one', 'two', 'three']);
      expect(await stores.streams.append(NAME, 1, ['two', 'three', 'four'])).toBe(true);
      tested.server.pause();
      const lastUnanswered = expect(stores.streams.append(NAME, 4, ['five'], true)).rejects.toThrow(StoreAway);
      await tested.clock.advance(COMMAND_TIMEOUT);
      await lastUnanswered;
      tested.server.resume();
      await tested.recovered(stores);
      // It has ended with it already.
      expect(await stores.streams.append(NAME, 4, ['five'], true)).toBe(false);
      const part = await stores.streams.read(NAME, 0, 9);
      expect(part?.events.map(({ data }) => data)).toEqual(['one', 'two', 'three', 'four', 'five']);
      expect(part?.isOver).toBe(true);
    });

    it('has each event once, in order, where connections are cut while it is written', async () => {
      const stores = tested.make({ streams: { events: 1_000_000 } });
      await stores.streams.open(NAME, 'a');
      const heard: string[] = [];
      let last = 0;
      let isOver = false;
      let reading = Promise.resolve();
      const read = async (): Promise<void> => {
        const part = await stores.streams.read(NAME, last, 10_000);
        heard.push(...(part?.events ?? []).map(({ data }) => data));
        last = part?.last ?? last;
        isOver = part?.isOver ?? false;
      };
      const stop = await stores.streams.follow(NAME, () => {
        reading = reading.then(read).catch(() => undefined);
      });
      let cuts = 0;
      const cut = async (): Promise<void> => {
        cuts += Number(await tested.command('CLIENT', 'KILL', 'SKIPME', 'yes').catch(() => 0));
      };
      const cutting = setInterval(() => unawaited(cut()), 45);
      const words: string[] = [];
      for (let after = 0; cuts < 15; after += 4) {
        words.push(...[1, 2, 3, 4].map((each) => `${after + each}`));
        expect(await append(stores, after, words.slice(after))).toBe(true);
      }
      clearInterval(cutting);
      await append(stores, words.length, [], true);
      await untilSeen(tested.clock, () => isOver);
      await reading;
      stop();
      expect(heard).toEqual(words);
    });

    it('is left to others by an owner who was away for longer than it is kept', async () => {
      const stores = tested.make({ streams: { keepFor: 60_000 } });
      await stores.streams.open(NAME, 'a');
      await stores.streams.append(NAME, 0, ['one']);
      const keys = async (): Promise<string[]> => (await tested.command('KEYS', 'sigil:{s}:[eo]:*')) as string[];
      for (const key of await keys()) {
        expect(Number(await tested.command('PTTL', key))).toBeLessThanOrEqual(60_000);
        await tested.command('PEXPIRE', key, '1');
      }
      await until(async () => (await keys()).length === 0);
      expect(await stores.streams.append(NAME, 1, ['two'])).toBe(false);
      expect(await keys()).toEqual([]);
    });
  });
});
