/** Redis goes away and comes back, with what it held or without; stands still; cuts those who listen to it. */
import type { SharedRedis } from '../processes/shared-redis';
import type { RedisFault } from '../record/timeline';
import type { Chaos } from './chaos';
import { pause } from './pause';

const EVERY = 6000;

const HARMS: readonly (readonly [RedisFault, (redis: SharedRedis) => Promise<void>])[] = [
  ['unsubscribed', (redis) => redis.unsubscribe()],
  ['restarted', (redis) => redis.restart()],
  ['asleep', (redis) => redis.sleep(2)],
  ['emptied', (redis) => redis.empty()],
];

/** All harms in turn. */
export const redisFaults: Chaos = async ({ redis, world }, _random, over) => {
  for (let turn = 0; redis && (await pause(EVERY, over)); turn++) {
    const [kind, harm] = HARMS[turn % HARMS.length]!;
    const ended = world.timeline.begin(kind);
    await harm(redis);
    ended();
  }
};
