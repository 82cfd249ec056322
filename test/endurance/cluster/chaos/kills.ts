/** Every two seconds a process is killed, and another one starts in its place. */
import { setTimeout } from 'node:timers/promises';
import type { Instance } from '../processes/instance';
import type { Timeline } from '../record/timeline';
import type { Chaos } from './chaos';
import { pause } from './pause';

const EVERY = 2000;
const TRIES = 20;
const BETWEEN_TRIES = 250;

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
  await startAgain(victim);
  ended();
}

/** As whatever keeps processes running does: one that begins while Redis is away ends with an error, and is started once more. */
async function startAgain(victim: Instance): Promise<void> {
  for (let left = TRIES; ; left--) {
    try {
      return await victim.start();
    } catch (error) {
      if (
        left === 0 ||
        !String(error).includes('The stores that this server shares with other instances cannot be used')
      )
        throw error;
      await setTimeout(BETWEEN_TRIES);
    }
  }
}
