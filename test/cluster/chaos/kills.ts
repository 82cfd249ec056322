/** Every two seconds a process is killed, and another one starts in its place. */
import type { Instance } from '../processes/instance';
import type { Timeline } from '../record/timeline';
import type { Chaos } from './chaos';
import { pause } from './pause';

const EVERY = 2000;

/** Another process is there to be met meanwhile. */
export const kills: Chaos = async ({ instances, world }, random, over) => {
  const restarts: Promise<void>[] = [];
  while (await pause(EVERY, over)) {
    const up = instances.filter(({ isUp }) => isUp);
    const victim = random.pick(up);
    if (victim && up.length >= Math.min(2, instances.length)) restarts.push(restart(victim, world.timeline));
  }
  await Promise.all(restarts);
};

async function restart(victim: Instance, timeline: Timeline): Promise<void> {
  const ended = timeline.begin('killed', victim.lane);
  await victim.kill();
  await victim.start();
  ended();
}
