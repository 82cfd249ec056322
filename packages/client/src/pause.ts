/** Waiting, for as long as a caller wants what comes after it. */
import { LONGEST_TIMER, type Clock } from '@sigil-mcp/base';

/** Waits so many milliseconds. @throws the reason of the signal */
export async function pause(clock: Clock, milliseconds: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const abort = (): void => {
      timer.close();
      reject(signal.reason as Error);
    };
    const timer = clock.after(Math.min(milliseconds, LONGEST_TIMER), () => {
      signal.removeEventListener('abort', abort);
      resolve();
    });
    signal.addEventListener('abort', abort, { once: true });
  });
}
