/** The time limit of a tool. What comes after it is nobody's business any more: the call has been answered. */
import { ToolFailure } from '../errors/tool-failure';
import type { CallState } from './call-state';
import type { Step } from './compose-interceptors';
import { isPromise } from './maybe-promise';

/**
 * Ends a step that takes longer: the signal of its call fires, and the step fails in words for the model.
 * @param limit milliseconds
 */
export function limitTime(limit: number, next: Step<CallState>): Step<CallState> {
  return (call) => {
    const begin = performance.now();
    const result = next(call);
    const left = limit - (performance.now() - begin);
    if (isPromise(result)) return settleBefore(result, { call, limit, left: Math.max(left, 0) });
    // Nothing could interrupt it, but an answer that comes too late is too late.
    if (left < 0) throw expire(call, limit);
    return result;
  };
}

interface Deadline {
  readonly call: CallState;
  readonly limit: number;
  /** Milliseconds from now. */
  readonly left: number;
}

function settleBefore(result: Promise<unknown>, { call, limit, left }: Deadline): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(expire(call, limit)), left);
    const stop = (): void => clearTimeout(timer);
    // A call that was cancelled may never settle, and must not keep the process from ending.
    call.context.signal.addEventListener('abort', stop, { once: true });
    result.finally(stop).then(resolve, reject);
  });
}

function expire({ entry, context }: CallState, limit: number): ToolFailure {
  const failure = new ToolFailure(`The tool ${entry?.key ?? ''} timed out after ${limit} ms.`);
  context.abort(failure);
  return failure;
}
