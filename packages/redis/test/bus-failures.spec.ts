/** What instances hear, and where changes stand, while Redis is emptied, slow or deaf. */
import { StoreAway, type Change } from '@sigil-mcp/core/stores';
import { describeWith } from '../../../test/support/supplies/supply';
import { TESTED_CLIENTS } from '../../../test/support/supplies/redis-clients';
import { COMMAND_TIMEOUT, DEAD_AFTER, LOOK, TestedRedis } from './tested-redis';
import { until } from '../../../test/support/until';

const CHANGES = 'sigil:changes';
const texts = (changes: readonly Change[] | undefined): string[] | undefined => changes?.map(({ text }) => text);

/** Empties a Redis. It numbers what is written by its milliseconds: within one, the same numbers would come again. */
async function emptied(tested: TestedRedis): Promise<void> {
  const time = async (): Promise<number> => {
    const [seconds, micros] = (await tested.command('TIME')) as unknown[];
    return Number(seconds) * 1000 + Math.floor(Number(micros) / 1000);
  };
  await tested.command('FLUSHALL');
  const at = await time();
  while ((await time()) === at);
}

describeWith('redis-server', 'a bus in a Redis', () => {
  describe.each(TESTED_CLIENTS)('with a client of %s', (_, open) => {
    const tested = TestedRedis.forSuite(open);

    it('loses no message to all where the connections for messages are cut, and brings none twice', async () => {
      const [stores, other] = [tested.make(), tested.make()];
      const [a, b] = [await tested.join(stores, 'a'), await tested.join(other, 'b')];
      const expected: string[] = [];
      for (let turn = 0; turn < 8; turn++) {
        await tested.command('CLIENT', 'KILL', 'TYPE', 'pubsub');
        await (turn % 2 ? stores : other).bus.broadcast(`${turn}`);
        expected.push(`message ${turn}`);
        // The next cut comes after all was heard, or before.
        if (turn % 3 === 0) await Promise.all([a.hear(expected.length), b.hear(expected.length)]);
      }
      await Promise.all([a.hear(expected.length), b.hear(expected.length)]);
      // What comes twice would come with the next look, before what is said after it.
      await tested.clock.advance(DEAD_AFTER);
      await stores.bus.broadcast('end');
      expected.push('message end');
      await Promise.all([a.hear(expected.length), b.hear(expected.length)]);
      expect([a.heard, b.heard]).toEqual([expected, expected]);
    });

    it('brings what was said before and after Redis stood still', async () => {
      const stores = tested.make();
      const ears = await tested.join(stores, 'a');
      await stores.bus.broadcast('one');
      tested.server.pause();
      const unanswered = [
        expect(stores.bus.broadcast('unknown')).rejects.toThrow(StoreAway),
        expect(stores.bus.position()).rejects.toThrow(StoreAway),
        expect(stores.bus.changesAfter('1-1')).rejects.toThrow(StoreAway),
      ];
      await tested.clock.advance(COMMAND_TIMEOUT);
      await Promise.all(unanswered);
      tested.server.resume();
      await tested.recovered(stores);
      await stores.bus.broadcast('two');
      await stores.bus.announce('three');
      await ears.hear(4);
      // Nobody knows whether it was said, and it is said no more than once.
      expect(ears.heard.filter((text) => text !== 'message unknown').sort()).toEqual([
        'message one',
        'message two',
        'three',
      ]);
      expect(ears.heard.length).toBeLessThanOrEqual(4);
    });

    it('has messages to all for minutes, for an instance that is paused, and does not say that changes were missed', async () => {
      const stores = tested.make();
      const ears = await tested.join(stores, 'a');
      await stores.bus.broadcast('one');
      expect(Number(await tested.command('PTTL', 'sigil:all'))).toBeGreaterThan(60_000);
      await ears.hear(1);
      const lose = `redis.call('XADD', KEYS[1], '*', 'none', 'lost') redis.call('XTRIM', KEYS[1], 'MAXLEN', 0)
        redis.call('XADD', KEYS[1], '*', 'none', 'two') redis.call('PUBLISH', KEYS[1] .. ':w', '')`;
      await tested.command('EVAL', lose, '1', 'sigil:all');
      expect(await ears.hear(2)).toEqual(['message one', 'message two']);
      await tested.command('EVAL', lose, '1', CHANGES);
      expect(await ears.hear(4)).toEqual(['message one', 'message two', 'missed', 'two']);
    });

    it.each([
      ['all', 'sigil:all'],
      ['one instance', 'sigil:{i:a}:inbox'],
    ])('says how many messages to %s were lost that nobody could read in time', async (_to, log) => {
      const stores = tested.make();
      const ears = await tested.join(stores, 'a');
      await (log === 'sigil:all' ? stores.bus.broadcast('one') : stores.bus.send('a', 'one'));
      await ears.hear(1);
      // As many instances that say much at once, while this one stands still.
      const overflow = `local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
        local id, number = last[1], tonumber(last[2][6])
        for index = 1, 5 do
          number = number + 1
          id = redis.call('XADD', KEYS[1], '*', id, index, 'sum', '0', 'number', number)
        end
        redis.call('XTRIM', KEYS[1], 'MAXLEN', 1)`;
      await tested.command('EVAL', overflow, '1', log);
      // Nothing is published of it: it is found with the next look.
      await tested.clock.advance(LOOK);
      expect(await ears.hear(3)).toEqual(['message one', 'lost 4', 'message 5']);
    });

    it('does not take a log that nobody wrote to for minutes for one of which something was lost', async () => {
      const stores = tested.make();
      const ears = await tested.join(stores, 'a');
      await stores.bus.broadcast('one');
      await ears.hear(1);
      await tested.command('DEL', 'sigil:all');
      await stores.bus.broadcast('two');
      expect(await ears.hear(2)).toEqual(['message one', 'message two']);
    });

    it('knows no position of a Redis that was emptied since, whether it was the first or a later one', async () => {
      const stores = tested.make();
      for (const changes of [[], ['one']]) {
        await emptied(tested);
        const first = await stores.bus.position();
        for (const change of changes) await stores.bus.announce(change);
        const last = await stores.bus.position();
        await emptied(tested);
        expect([await stores.bus.changesAfter(first), await stores.bus.changesAfter(last)]).toEqual([
          undefined,
          undefined,
        ]);
        await stores.bus.announce('lost');
        await emptied(tested);
        await stores.bus.announce('two');
        expect([await stores.bus.changesAfter(first), await stores.bus.changesAfter(last)]).toEqual([
          undefined,
          undefined,
        ]);
        expect(await stores.bus.changesAfter(await stores.bus.position())).toEqual([]);
      }
    });

    it('knows no position of changes that have expired, and keeps them for a day after the last was asked for', async () => {
      const stores = tested.make();
      await stores.bus.announce('one');
      const position = await stores.bus.position();
      expect(Number(await tested.command('PTTL', CHANGES))).toBeGreaterThan(86_000_000);
      await tested.command('PEXPIRE', CHANGES, '60000');
      expect(await stores.bus.position()).toBe(position);
      expect(Number(await tested.command('PTTL', CHANGES))).toBeGreaterThan(86_000_000);
      await tested.command('PEXPIRE', CHANGES, '1');
      await until(async () => Number(await tested.command('EXISTS', CHANGES)) === 0);
      expect(await stores.bus.changesAfter(position)).toBeUndefined();
      expect(await stores.bus.position()).not.toBe(position);
    });

    it('knows a position as long as everything behind it is kept', async () => {
      const stores = tested.make();
      const start = await stores.bus.position();
      await stores.bus.announce('one');
      const one = await stores.bus.position();
      await stores.bus.announce('two');
      await stores.bus.announce('three');
      // What began the log, and then the first change.
      await tested.command('XTRIM', CHANGES, 'MAXLEN', '3');
      expect(texts(await stores.bus.changesAfter(start))).toEqual(['one', 'two', 'three']);
      await tested.command('XTRIM', CHANGES, 'MAXLEN', '2');
      expect(await stores.bus.changesAfter(start)).toBeUndefined();
      expect(texts(await stores.bus.changesAfter(one))).toEqual(['two', 'three']);
    });

    it('gives with a change the position that a client goes on from when it comes back', async () => {
      const stores = tested.make();
      const ears = await tested.join(stores, 'a');
      await stores.bus.announce('one');
      await stores.bus.announce('two');
      await ears.hear(2);
      expect(texts(await stores.bus.changesAfter(ears.positions[0] ?? ''))).toEqual(['two']);
      expect(await stores.bus.position()).toBe(ears.positions[1]);
    });

    it('takes no client for one that was there before the first change', async () => {
      const stores = tested.make();
      await stores.bus.announce('one');
      expect(await stores.bus.changesAfter('0-0')).toBeUndefined();
    });

    it('begins its logs without a word to those who listen', async () => {
      const stores = tested.make();
      const ears = await tested.join(stores, 'a');
      const other = await tested.join(tested.make(), 'b');
      await stores.bus.position();
      await stores.bus.announce('one');
      await Promise.all([ears.hear(1), other.hear(1)]);
      expect([ears.heard, other.heard]).toEqual([['one'], ['one']]);
      await tested.command('DEL', 'sigil:all');
      await tested.join(stores, 'c');
      await stores.bus.broadcast('two');
      await Promise.all([ears.hear(2), other.hear(2)]);
      expect([ears.heard, other.heard]).toEqual([
        ['one', 'message two'],
        ['one', 'message two'],
      ]);
    });

    it('says that changes were missed where they were emptied and begun anew by somebody who asks where they stand', async () => {
      const stores = tested.make();
      const ears = await tested.join(stores, 'a');
      await stores.bus.announce('one');
      await ears.hear(1);
      await tested.command('FLUSHALL');
      await stores.bus.position();
      // Nothing is published of it: it is found with the next look.
      await tested.clock.advance(LOOK);
      expect(await ears.hear(2)).toEqual(['one', 'missed']);
      await stores.bus.announce('two');
      expect(await ears.hear(3)).toEqual(['one', 'missed', 'two']);
    });

    it('goes on where Redis is emptied and its clock goes back', async () => {
      const stores = tested.make();
      const ears = await tested.join(stores, 'a');
      const ahead = `redis.call('XADD', KEYS[1], '9999999999999-0', 'none', 'ahead') redis.call('PUBLISH', KEYS[1] .. ':w', '')`;
      await tested.command('EVAL', ahead, '1', 'sigil:all');
      await tested.command('EVAL', ahead, '1', CHANGES);
      await ears.hear(3);
      ears.heard.length = 0;
      await tested.command('FLUSHALL');
      await stores.bus.announce('one');
      expect(await ears.hear(1)).toEqual(['missed']);
      await stores.bus.broadcast('lost');
      // Nobody sees how far the messages are read: the first that is read again is heard.
      await until(async () => {
        await stores.bus.broadcast('two');
        return ears.heard.includes('message two');
      });
      await stores.bus.announce('two');
      await until(() => ears.heard.includes('two'));
      expect([...new Set(ears.heard)].sort()).toEqual(['message two', 'missed', 'two']);
    });

    it('keeps some megabytes of what is said, however long the messages are, and an instance that listens hears all of them', async () => {
      const stores = tested.make();
      const ears = await tested.join(stores, 'a');
      await tested.command('SET', 'sigil:{i:paused}:alive', '1', 'PX', '60000');
      const long = 'x'.repeat(1024 * 1024);
      const logs = ['sigil:all', CHANGES, 'sigil:{i:paused}:inbox'];
      for (let turn = 0; turn < 30; turn++) {
        await stores.bus.broadcast(`${turn} ${long}`);
        await stores.bus.announce(`${turn} ${long}`);
        expect(await stores.bus.send('paused', `${turn} ${long}`)).toBe(true);
      }
      await ears.hear(60);
      const numbers = (kind: string): string[] =>
        ears.heard
          .filter((text) => text.startsWith('message') === (kind === 'message'))
          .map((text) => text.replace(/ ?x+$/, ''));
      const turns = Array.from({ length: 30 }, (_, turn) => `${turn}`);
      expect([numbers('message'), numbers('change')]).toEqual([turns.map((turn) => `message ${turn}`), turns]);
      for (const log of logs) expect([log, await tested.command('XLEN', log)]).toEqual([log, 16]);
    });

    it('keeps the order of what one sender says while Redis forgets the programs', async () => {
      const stores = tested.make();
      const ears = await tested.join(stores, 'a');
      const expected: string[] = [];
      const said: unknown[] = [];
      for (let turn = 0; turn < 300; turn++) {
        if (turn % 50 === 0) said.push(tested.command('SCRIPT', 'FLUSH'));
        expected.push(`message ${turn}`);
        said.push(stores.bus.broadcast(`${turn}`));
        if (turn % 3 === 0) await new Promise((resolve) => setImmediate(resolve));
      }
      await Promise.all(said);
      expect(await ears.hear(300)).toEqual(expected);
    });
  });
});
