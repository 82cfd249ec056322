/** Many topics that are followed at once, and the requests of clients meanwhile. */
import type { TopicBus } from '@sigil-mcp/core/stores';
import { describeWith } from '../../../test/support/supplies/supply';
import { CLIENTS } from '../../../test/support/supplies/redis-clients';
import { TestedRedis } from './tested-redis';
import { until } from '../../../test/support/until';

const TOPICS = Array.from({ length: 3000 }, (_, index) => `topic ${index}`);
/** Fewer than the topics. */
const PENDING = 1000;

describeWith('redis-server', 'many topics', () => {
  it.each(Object.entries(CLIENTS))(
    'are followed, and found after a broken connection, while there is room for other commands, with a client of %s',
    async (_, open) => {
      const tested = await TestedRedis.start(open);
      const { bus, sessions } = tested.make({ pendingCommands: PENDING });
      const topics = bus.topics as TopicBus;
      const heard = new Map<string, string>();
      const channels = async (): Promise<number> =>
        ((await tested.command('PUBSUB', 'CHANNELS', '*{t:*')) as readonly string[]).length;
      const announce = async (change: string): Promise<void> => {
        for (const topic of TOPICS) await topics.announce(topic, change);
      };
      const stops = TOPICS.map((topic) => topics.follow(topic, (change) => heard.set(topic, change)));
      await expect(Promise.resolve(sessions.use('session', 1000))).resolves.toBeUndefined();
      await until(async () => (await channels()) === TOPICS.length);
      await tested.command('CLIENT', 'KILL', 'TYPE', 'pubsub');
      await announce('changed');
      await until(() => TOPICS.every((topic) => heard.get(topic) === 'changed'));
      await expect(Promise.resolve(sessions.use('session', 1000))).resolves.toBeUndefined();
      for (const stop of stops) stop();
      await until(async () => (await channels()) === 0);
      await tested.stop();
    },
    60_000,
  );
});
