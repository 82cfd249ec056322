/** `tools/call`. */
import { ProtocolError, type CallToolResult } from '@sigil-mcp/protocol';
import { isSuspension } from '../../asking/question';
import { InvalidAnswer, ToolFailure } from '../../errors/failures';
import { text } from '../../output/content-blocks';
import type { RunningCall } from '../../calls/running-call';
import type { MirroredArgument } from '../../mirrored-arguments/mirrored-arguments';
import { isPromise, type MaybePromise } from '@sigil-mcp/base';
import { unknownTool } from '../../errors/catalogue';
import type { MaskError, ServerContext } from '../server-context';
import type { MethodHandler } from '../compiled-method';

/** Calls a tool. What the tool throws becomes a result, so that the model can read it. */
export function callTool({ registry, maskError }: ServerContext): MethodHandler<'tools/call'> {
  return {
    method: 'tools/call',
    capability: 'tools',
    locate(call) {
      const { name } = call.params;
      call.entry = registry.find('tool', name) ?? registry.findReplaced(name);
      call.arguments = call.params.arguments;
      const { mirrored = [] } = call.entry ?? {};
      if (mirrored.length > 0) call.findRefusal = () => findMismatch(call, mirrored);
      if (call.entry?.hasStages) call.explainFailure = (error) => failedResult(error, call, maskError);
    },
    handle(call) {
      const { entry } = call;
      if (!entry) throw unknownTool(call.params.name);
      try {
        const result = entry.invoke(call);
        // The entry's output was shaped for a tool when it was compiled.
        if (!isPromise(result)) return result as CallToolResult;
        return result.catch((error: unknown) => failedResult(error, call, maskError)) as Promise<CallToolResult>;
      } catch (error) {
        return failedResult(error, call, maskError);
      }
    },
  };
}

/** What is wrong with the headers that repeat arguments; told once guards have let the caller know that there is such a tool. */
function findMismatch(call: RunningCall, mirrored: readonly MirroredArgument[]): ProtocolError | undefined {
  try {
    call.exchange.checkMirrored?.(mirrored, call.arguments);
    return undefined;
  } catch (error) {
    if (error instanceof ProtocolError) return error;
    throw error;
  }
}

/**
 * What a tool threw -> a result for the model. Errors of the protocol (refusals, invalid arguments) stay errors. So does an
 * answer that does not fit its question, but only where it came with this very request: elsewhere the request was in order,
 * and the model reads what was wrong with the answer.
 */
function failedResult(error: unknown, call: RunningCall, maskError: MaskError): MaybePromise<CallToolResult> {
  const isReadable = error instanceof InvalidAnswer && call.revision.questions === 'requests';
  if (isSuspension(error) || (error instanceof ProtocolError && !isReadable)) throw error;
  // The result of a cancelled call is not awaited, and an error of its handler is then not the author's mistake.
  if (call.isAborted && !(error instanceof ToolFailure)) throw error;
  // Throws if the handler should have ended after a question, and threw another error instead.
  call.settleQuestions(error);
  const message = error instanceof ToolFailure || isReadable ? error.message : maskError(error, call);
  return { content: [text(message)], isError: true };
}
