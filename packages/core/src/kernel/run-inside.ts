/** Runs a method on behalf of another call: with the rights of its caller, and through the same steps as a request. */
import { ProtocolError, type Implementation, type Method, type ResultOf } from '@sigil-mcp/protocol';
import { isSuspension } from '../asking/question';
import type { InnerMethod } from '../calls/call-services';
import { RunningCall } from '../calls/running-call';
import { limitOf } from '../errors/denial';
import type { RequestOutcome } from '../context/observer';
import { checkRights } from './pending-answer';
import type { CompiledMethod, KernelCall } from './compiled-method';
import type { WatchedRequest } from './observers';
import type { EntryFacts } from '../context/entry-facts';
import { rulesOf } from '../kinds/all-kinds';
import { checkKnown } from '../pipeline/compile-call';
import type { Registry } from '../registry/registry';
import { andThen, type MaybePromise } from '@sigil-mcp/base';

/** A call that another call runs. */
interface InnerCall<M extends Method> extends InnerMethod<M> {
  /** A running call, which observers of this server watch. */
  readonly outer: object;
}

/** What the server answers with. */
interface Answering {
  readonly methods: ReadonlyMap<string, CompiledMethod>;
  readonly server: Implementation;
}

/** Resolves to the neutral result. */
export async function runInside<M extends Method>(
  inner: InnerCall<M>,
  { methods, server }: Answering,
): Promise<ResultOf<M>> {
  const { method, params, options } = inner;
  const outer = inner.outer as RunningCall & { readonly observation: WatchedRequest | undefined };
  const compiled = methods.get(method);
  if (!compiled || !outer.revision.requests.has(method))
    throw new ProtocolError('method-not-found', `Method not found: ${method}`);
  const { id, meta, conversation, exchange, services, signal } = outer;
  const read = { id, method, params, meta, outer, scope: options?.scope };
  const call: KernelCall = new RunningCall(read, conversation, exchange, services);
  const abort = (): void => call.abort(signal.reason as Error);
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  try {
    return await run<M>(call, compiled, { watched: outer.observation?.inner({ method, params }), server });
  } finally {
    signal.removeEventListener('abort', abort);
    call.end();
    call.release();
  }
}

/** Runs the call, with those who watch it. */
async function run<M extends Method>(
  call: KernelCall,
  compiled: CompiledMethod,
  { watched, server }: { readonly watched: WatchedRequest | undefined; readonly server: Implementation },
): Promise<ResultOf<M>> {
  const step = async (): Promise<ResultOf<M>> => {
    compiled.locate(call);
    watched?.opened(call.face);
    if (compiled.needsEntry) checkRights(call);
    // The method was asked for by its name, and returns its own type of result.
    return (await compiled.step(call)) as ResultOf<M>;
  };
  if (!watched) return step();
  call.observation = watched;
  try {
    const result = await watched.run(step);
    watched.ended({ kind: 'result', isError: 'isError' in result && result.isError === true, result });
    return result;
  } catch (error) {
    watched.ended(outcomeOf(error, call, server));
    throw error;
  }
}

/** How a call ended that has thrown. */
function outcomeOf(error: unknown, call: KernelCall, server: Implementation): RequestOutcome {
  if (isSuspension(error)) return { kind: 'question' };
  if (call.isAborted) return { kind: 'cancelled' };
  const failure = error instanceof ProtocolError ? error : new ProtocolError('internal-error', 'Internal error');
  const { method, params, revision } = call;
  const { error: written, result } = revision.writerFor(server).writeFailure(failure, method, params);
  if (written) return { kind: 'error', code: written.code, error, limit: limitOf(error) };
  return { kind: 'result', isError: true, result };
}

/**
 * Refuses callers who could not call an entry that a request turns out to be about: with the refusal that a call would have. `allowsCall`
 * of guards is not asked, because the request is not a call of the entry.
 * @param running a running call
 */
export function checkEntry(running: object, facts: EntryFacts, registry: Pick<Registry, 'find'>): MaybePromise<void> {
  const call = running as KernelCall;
  const entry = registry.find(facts.kind, facts.key);
  // It was removed or disabled.
  if (!entry) throw rulesOf(facts).unknown(facts.key, '');
  call.entry = entry;
  checkRights(call);
  return andThen(checkKnown(entry.guards, entry.policy.scopes, () => undefined)(call), () => undefined);
}
