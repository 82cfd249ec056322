/** Waiting, for as long as a caller wants what comes after it. */
import { LONGEST_TIMER, type Clock } from '@sigil-mcp/base';
import { clientError } from './errors';

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

/** How long a caller waits. */
export interface WaitLimits {
  /** What is waited for, for the errors. */
  readonly method: string;
  /** Milliseconds; `Infinity` for no limit. */
  readonly timeout: number;
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
}

/** Waits for what goes on without this caller, too. @throws SigilError `SIGIL_CLIENT_TIMEOUT`, `SIGIL_CLIENT_CANCELLED` */
export function waitFor<T>(promise: Promise<T>, { method, timeout, clock, signal }: WaitLimits): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = (): void => reject(clientError('SIGIL_CLIENT_TIMEOUT', { method, timeout }));
    const abort = (): void => reject(clientError('SIGIL_CLIENT_CANCELLED', { id: method }, { cause: signal?.reason }));
    const timer = timeout <= LONGEST_TIMER ? clock.after(timeout, late) : undefined;
    signal?.addEventListener('abort', abort, { once: true });
    if (signal?.aborted) abort();
    const settled = (): void => {
      timer?.close();
      signal?.removeEventListener('abort', abort);
    };
    promise.finally(settled).then(resolve, reject);
  });
}
