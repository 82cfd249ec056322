/** Limits how many calls of a tool run at the same time. Further calls wait in a queue; cancelled ones leave it. */
import type { RunningCall } from '../calls/running-call';
import { isPromise, type MaybePromise } from '@sigil-mcp/base';
import type { Step } from './compose-interceptors';

/**
 * Runs a step so many times at once.
 * @param most calls that run; the next begins when one of them has settled, the first to wait before the others
 */
export function limitConcurrency(most: number, next: Step<RunningCall>): Step<RunningCall> {
  const line = new Line(most);
  return (call) => (line.enter() ? run(next, call, line) : waitInLine(next, call, line));
}

function run(next: Step<RunningCall>, call: RunningCall, line: Line): MaybePromise<unknown> {
  let result: MaybePromise<unknown>;
  try {
    result = next(call);
  } catch (error) {
    line.leave();
    throw error;
  }
  if (isPromise(result)) return result.finally(() => line.leave());
  line.leave();
  return result;
}

async function waitInLine(next: Step<RunningCall>, call: RunningCall, line: Line): Promise<unknown> {
  await line.turn(call.signal);
  return run(next, call, line);
}

class Line {
  #running = 0;
  readonly #waiting = new Set<() => void>();

  constructor(private readonly most: number) {}

  /** Takes a place, if there is one. */
  enter(): boolean {
    if (this.#running >= this.most) return false;
    this.#running += 1;
    return true;
  }

  /** Gives a place back, to the first who waits. */
  leave(): void {
    const [first] = this.#waiting;
    if (first) first();
    else this.#running -= 1;
  }

  /** Resolves with a place; rejects with the signal's reason. */
  turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        this.#waiting.delete(begin);
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = (): void => {
        this.#waiting.delete(begin);
        reject(signal.reason as Error);
      };
      if (signal.aborted) return giveUp();
      this.#waiting.add(begin);
      signal.addEventListener('abort', giveUp, { once: true });
    });
  }
}
