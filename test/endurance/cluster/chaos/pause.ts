/** The time between two harms. */
import { setTimeout as delay } from 'node:timers/promises';

/** Waits for so many milliseconds, or until the signal fires. @returns whether to go on */
export async function pause(milliseconds: number, over: AbortSignal): Promise<boolean> {
  await delay(milliseconds, undefined, { signal: over }).catch(() => undefined);
  return !over.aborted;
}
