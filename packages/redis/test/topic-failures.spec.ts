/** Which changes of topics arrive while connections break, messages are lost and Redis is away. */
import { StoreAway, type TopicBus } from '@sigil-mcp/core/stores';
import { describeWith } from '../../../test/support/supplies/supply';
import { TESTED_CLIENTS } from '../../../test/support/supplies/redis-clients';
import { DEAD_AFTER, LOOK, TestedRedis } from './tested-redis';
import { until } from '../../../test/support/until';

const TOPIC = 'desk://plan';
const MANY = Array.from({ length: 3000 }, (_, index) => `topic ${index}`);
/** Fewer than the topics. */
const PENDING = 1000;
/** Looks between two readings of a topic whose message was lost. */
const LOOKS = 20;

describeWith('redis-server', 'topics in a Redis', () => {
  describe.each(TESTED_CLIENTS)('with a client of %s', (_, open) => {
    const tested = TestedRedis.forSuite(open);
    let heard: string[];
    beforeEach(() => void (heard = []));

    const topicsOf = ({ bus: { topics } } = tested.make()): TopicBus => {
      if (!topics) throw new Error('There are no topics.');
      return topics;
    };
    const follow = (topics: TopicBus): (() => void) => topics.follow(TOPIC, (change) => heard.push(change));
    const channels = async (): Promise<number> => {
      const all = (await tested.command('PUBSUB', 'CHANNELS')) as string[];
      return all.filter((channel) => channel.includes('{t:')).length;
    };
    const hears = (change: string): Promise<void> => until(() => heard.at(-1) === change);

    it('notify a follower of the last change after its connection for messages has broken', async () => {
      const topics = topicsOf();
      const stop = follow(topics);
      for (let turn = 0; turn < 5; turn++) {
        await until(async () => (await channels()) === 1);
        await tested.command('CLIENT', 'KILL', 'TYPE', 'pubsub');
        await topics.announce(TOPIC, `${turn}`);
        await hears(`${turn}`);
      }
      stop();
    });

    it('find a change whose message was lost with one of the next looks', async () => {
      const topics = topicsOf();
      const stop = follow(topics);
      await until(async () => (await channels()) === 1);
      await topics.announce(TOPIC, 'one');
      await hears('one');
      // Written by a program that publishes nothing.
      const [key] = (await tested.command('KEYS', '*:l')) as string[];
      await tested.command('SET', key ?? '', `${Date.now() * 1000 + 60_000_000} two`);
      await tested.clock.advance(LOOK * (LOOKS + 1));
      await hears('two');
      expect(heard).toEqual(['one', 'two']);
      stop();
    });

    it('report each change while the clock of Redis is behind what it was, with or without its message', async () => {
      const topics = topicsOf();
      const stop = follow(topics);
      await until(async () => (await channels()) === 1);
      // As a clock says that was set back afterwards: by an hour.
      await topics.announce(TOPIC, 'one');
      await hears('one');
      const [[key = ''] = [], [channel = ''] = []] = [
        (await tested.command('KEYS', '*:l')) as string[],
        (await tested.command('PUBSUB', 'CHANNELS', '*{t:*')) as string[],
      ];
      const at = (milliseconds: number): string => `${(Date.now() - milliseconds) * 1000}`;
      await tested.command('PUBLISH', channel, `${at(3_600_000)} two`);
      await hears('two');
      await tested.command('SET', key, `${at(3_500_000)} three`);
      await tested.clock.advance(LOOK * (LOOKS + 1));
      await hears('three');
      expect(heard).toEqual(['one', 'two', 'three']);
      stop();
    });

    it('are followed as soon as Redis is back, with what was announced meanwhile', async () => {
      const stores = tested.make();
      const [topics, other] = [topicsOf(), topicsOf(stores)];
      const [position] = [await topics.position(), await other.position()];
      await tested.server.kill();
      await tested.gone();
      const stop = follow(topics);
      await expect(other.announce(TOPIC, 'lost')).rejects.toThrow(StoreAway);
      await expect(other.position()).rejects.toThrow(StoreAway);
      await expect(other.changesAfter(position, [TOPIC])).rejects.toThrow(StoreAway);
      await tested.server.run();
      await tested.recovered(stores);
      await other.announce(TOPIC, 'back');
      await until(async () => {
        await tested.clock.advance(1000);
        return heard.length > 0;
      });
      expect(heard).toEqual(['back']);
      stop();
    });

    it('that are followed no longer cost nothing: no channel, and no message after a while', async () => {
      const topics = topicsOf();
      const stops = [follow(topics), follow(topics)];
      await until(async () => (await channels()) === 1);
      stops.forEach((stop) => stop());
      await until(async () => (await channels()) === 0);
      const [follower] = (await tested.command('KEYS', '*:f')) as string[];
      const left = Number(await tested.command('PTTL', follower ?? ''));
      expect(left).toBeGreaterThan(0);
      expect(left).toBeLessThanOrEqual(3 * LOOKS * (DEAD_AFTER / 3));
      await topics.announce(TOPIC, 'unheard');
      expect(heard).toEqual([]);
      follow(topics)();
    });

    it('know a change after a recent position although the clock of its node is half a second behind', async () => {
      const topics = topicsOf();
      await topics.position();
      const { recent } = topics;
      await topics.announce(TOPIC, 'before');
      const [key] = (await tested.command('KEYS', '*:l')) as string[];
      await tested.command('SET', key ?? '', `${(Date.now() - 500) * 1000} change`);
      expect(await topics.changesAfter(recent, [TOPIC])).toEqual(['change']);
    });

    it('have neither a recent nor a settled position before the time of Redis is known', async () => {
      const topics = topicsOf();
      expect([topics.recent, topics.settled]).toEqual(['', '']);
      const now = Number(await topics.position());
      for (const position of [topics.recent, topics.settled]) expect(Number(position)).toBeLessThan(now);
      expect(await topics.changesAfter(topics.settled, [TOPIC])).toEqual([]);
    });

    it('do not know changes that are older than they are kept for', async () => {
      const topics = topicsOf();
      const now = Number(await topics.position());
      expect(await topics.changesAfter(`${now - 3_500_000_000}`, [TOPIC])).toEqual([]);
      expect(await topics.changesAfter(`${now - 3_700_000_000}`, [TOPIC])).toBeUndefined();
    });

    it('are followed, however many, and found after a broken connection, while there is room for other commands', async () => {
      const { bus, sessions } = tested.make({ pendingCommands: PENDING });
      const topics = bus.topics as TopicBus;
      const last = new Map<string, string>();
      const announce = async (change: string): Promise<void> => {
        for (const topic of MANY) await topics.announce(topic, change);
      };
      const stops = MANY.map((topic) => topics.follow(topic, (change) => last.set(topic, change)));
      await expect(Promise.resolve(sessions.use('session', 1000))).resolves.toBeUndefined();
      await until(async () => (await channels()) === MANY.length);
      await tested.command('CLIENT', 'KILL', 'TYPE', 'pubsub');
      await announce('changed');
      await until(() => MANY.every((topic) => last.get(topic) === 'changed'));
      await expect(Promise.resolve(sessions.use('session', 1000))).resolves.toBeUndefined();
      for (const stop of stops) stop();
      await until(async () => (await channels()) === 0);
    });
  });
});
