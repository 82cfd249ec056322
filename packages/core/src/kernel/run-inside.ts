/** Runs a method on behalf of another call: with the rights of its caller, and through the same steps as a request. */
import { ProtocolError, type Method, type ParamsOf, type ResultOf } from '@sigil-mcp/protocol';
import { RunningCall } from '../calls/running-call';
import { checkRights } from './check-rights';
import type { CompiledMethod, KernelCall } from './compiled-method';

/** Resolves to the neutral result. */
export async function runInside<M extends Method>(
  outer: RunningCall,
  { method, params }: { readonly method: M; readonly params: ParamsOf<M> },
  methods: ReadonlyMap<string, CompiledMethod>,
): Promise<ResultOf<M>> {
  const compiled = methods.get(method);
  if (!compiled || !outer.revision.requests.has(method))
    throw new ProtocolError('method-not-found', `Method not found: ${method}`);
  const { id, meta, conversation, exchange, services, signal } = outer;
  const call: KernelCall = new RunningCall({ id, method, params, meta, outer }, conversation, exchange, services);
  const abort = (): void => call.abort(signal.reason as Error);
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  try {
    compiled.locate(call);
    if (compiled.needsEntry) checkRights(call);
    // The method was asked for by its name, and returns its own type of result.
    return (await compiled.step(call)) as ResultOf<M>;
  } finally {
    signal.removeEventListener('abort', abort);
    call.end();
    call.release();
  }
}
