/** Waiting for what other processes do. */
import { setTimeout as delay } from 'node:timers/promises';

/** Resolves to true as soon as a condition holds, to false if it does not within the time, in milliseconds. */
export async function settled(condition: () => boolean, patience: number): Promise<boolean> {
  const end = performance.now() + patience;
  for (let pause = 0; !condition(); pause = Math.min(50, pause + 2)) {
    if (performance.now() > end) return false;
    await delay(pause);
  }
  return true;
}
