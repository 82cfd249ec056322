/**
 * The time limit of a tool. Work after the limit is ignored: the call has been answered. While the client answers a question, the time
 * does not count: the tool is not responsible for it.
 */
import { ToolFailure } from '../errors/tool-failure';
import type { PausedTimeLimit } from '../calls/paused-time-limit';
import type { RunningCall } from '../calls/running-call';
import { isPromise, type Clock, type Timer } from '@sigil-mcp/base';
import type { Step } from './compose-interceptors';

/**
 * Ends a step that takes longer: the signal of its call fires, and the step fails in words for the model.
 * @param limit milliseconds
 */
export function limitTime(limit: number, next: Step<RunningCall>): Step<RunningCall> {
  return (call) => {
    const deadline = new CallDeadline(limit, call.clock);
    call.timeLimit = deadline;
    const result = next(call);
    if (isPromise(result)) {
      // A call that was cancelled may never settle, and must not keep the process from ending.
      call.signal.addEventListener('abort', () => deadline.stop(), { once: true });
      return settleBefore(deadline, result, () => {
        // The handler runs on, whether or not it looks at its signal, and with it what was made for it.
        call.outliving = result;
        return expire(call, limit);
      });
    }
    // Nothing could interrupt it, but an answer that comes too late is too late.
    if (deadline.left < 0) throw expire(call, limit);
    return result;
  };
}

/** Counts down, but not while it is paused. */
class CallDeadline implements PausedTimeLimit {
  #spent = 0;
  #since: number;
  #pauses = 0;
  #timer: Timer | undefined;
  #onEnd: (() => void) | undefined;

  constructor(
    private readonly limit: number,
    private readonly clock: Clock,
  ) {
    this.#since = clock.elapsed();
  }

  /** Milliseconds that are left; negative once the limit has passed. */
  get left(): number {
    const running = this.#pauses === 0 ? this.clock.elapsed() - this.#since : 0;
    return this.limit - this.#spent - running;
  }

  /** Calls back when the limit has passed, unless it is stopped before. */
  start(onEnd: () => void): void {
    this.#onEnd = onEnd;
    if (this.#pauses === 0) this.#schedule();
  }

  stop(): void {
    this.#onEnd = undefined;
    this.#timer?.close();
  }

  pause(): void {
    this.#pauses += 1;
    if (this.#pauses > 1) return;
    this.#spent += this.clock.elapsed() - this.#since;
    this.#timer?.close();
  }

  resume(): void {
    this.#pauses -= 1;
    if (this.#pauses > 0) return;
    this.#since = this.clock.elapsed();
    this.#schedule();
  }

  #schedule(): void {
    if (this.#onEnd) this.#timer = this.clock.after(Math.max(this.left, 0), this.#onEnd);
  }
}

function settleBefore(deadline: CallDeadline, result: Promise<unknown>, fail: () => Error): Promise<unknown> {
  return new Promise((resolve, reject) => {
    deadline.start(() => reject(fail()));
    result.finally(() => deadline.stop()).then(resolve, reject);
  });
}

function expire(call: RunningCall, limit: number): ToolFailure {
  const failure = new ToolFailure(`The tool ${call.entry?.key ?? ''} timed out after ${limit} ms.`);
  call.note('warn', failure.message);
  call.abort(failure);
  return failure;
}
