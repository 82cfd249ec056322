/**
 * The time limit of a tool. Work after the limit is ignored: the call has been answered. While the client answers a question, the time
 * does not count: the tool is not responsible for it.
 */
import { ToolFailure } from '../errors/tool-failure';
import type { RunningCall } from '../calls/running-call';
import { Deadline, isPromise } from '@sigil-mcp/base';
import type { Step } from './compose-interceptors';

/**
 * Ends a step that takes longer: the signal of its call fires, and the step fails in words for the model.
 * @param limit milliseconds
 */
export function limitTime(limit: number, next: Step<RunningCall>): Step<RunningCall> {
  return (call) => {
    const deadline = new Deadline(call.clock, limit);
    call.timeLimit = deadline;
    const result = next(call);
    if (isPromise(result)) {
      // A call that was cancelled may never settle, and must not keep the process from ending.
      call.signal.addEventListener('abort', () => deadline.stop(), { once: true });
      return deadline.race(result, () => {
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

function expire(call: RunningCall, limit: number): ToolFailure {
  const failure = new ToolFailure(`The tool ${call.entry?.key ?? ''} timed out after ${limit} ms.`);
  call.note('warn', failure.message);
  call.abort(failure);
  return failure;
}
