/** Somebody who uses the cluster until it is over. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../../../support/random';
import type { World } from '../world';

/** Plays until the end, and leaves nothing open. */
export type Actor = (world: World, random: Random) => Promise<void>;

/** Waits a moment between two things that an actor does. */
export async function rest(random: Random, most = 60): Promise<void> {
  await delay(random.between(5, most));
}
