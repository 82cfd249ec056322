/** Every two seconds a process is killed, and another one starts in its place. */
import type { Chaos } from './chaos';
import { pause } from './pause';

const EVERY = 2000;

/** One at a time: another process is there to be met meanwhile. */
export const kills: Chaos = async ({ instances, world }, random, over) => {
  while (await pause(EVERY, over)) {
    const up = instances.filter(({ isUp }) => isUp);
    const victim = random.pick(up);
    if (!victim || up.length < Math.min(2, instances.length)) continue;
    const ended = world.timeline.begin('killed', victim.lane);
    await victim.kill();
    await victim.start();
    ended();
  }
};
