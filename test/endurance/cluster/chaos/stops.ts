/** Now and then a process is held still for five seconds, longer than it takes for the others to think that it is dead. */
import type { Chaos } from './chaos';
import { pause } from './pause';

const EVERY = 7000;
const FOR = 5000;

/** It comes back, and must not go on where others have ended what it did. */
export const stops: Chaos = async ({ instances, world }, random, over) => {
  while (await pause(EVERY, over)) {
    const victim = random.pick(instances.filter(({ isUp }) => isUp));
    if (!victim) continue;
    const ended = world.timeline.begin('paused', victim.lane);
    victim.pause();
    await pause(FOR, over);
    victim.resume();
    ended();
  }
};
