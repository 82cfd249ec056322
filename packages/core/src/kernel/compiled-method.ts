/** A method of the protocol with the server's interceptors around it, composed once. */
import type { Method } from '@sigil-mcp/protocol';
import type { RunningCall } from '../calls/running-call';
import type { Interceptor } from '../context/interceptor';
import { composeInterceptors, type Step, timeInterceptors } from '../pipeline/compose-interceptors';
import type { Entry } from '../registry/entry';
import { andThen, type MaybePromise } from '@sigil-mcp/base';
import type { MethodHandler } from './method-handler';

/** A call whose entry is one of the registry's. */
export type KernelCall = RunningCall<Method, Entry>;

/** A method, ready to run. */
export interface CompiledMethod {
  readonly method: Method;
  /** The extension that a client must have declared; undefined for a method that needs none. */
  readonly extension: string | undefined;
  readonly isUnlimited: boolean;
  readonly isLasting: boolean;
  /** Finds the entry that a call is about, and its arguments, and writes both into the call. */
  readonly locate: (call: KernelCall) => void;
  /** Whether a call is about an entry, and found none where it has none. */
  readonly needsEntry: boolean;
  /** Answers a call: gives the neutral result, or throws. */
  readonly step: Step<KernelCall>;
}

/**
 * Puts the interceptors of the server around the handler of a method.
 * @param interceptors the first is the outermost
 * @param isTimed whether an observer asks for their times
 */
export function compileMethod(
  handler: MethodHandler,
  interceptors: readonly Interceptor[],
  isTimed: boolean,
): CompiledMethod {
  const answer: (call: KernelCall) => MaybePromise<object> = handler.handle.bind(handler);
  // Interceptors may change a result; a text that was written before that would then tell the old one.
  const handle = interceptors.length === 0 ? answer : (call: KernelCall) => andThen(answer(call), withoutText);
  return {
    method: handler.method,
    extension: handler.extension,
    isUnlimited: handler.isUnlimited ?? false,
    isLasting: handler.isLasting ?? false,
    locate: handler.locate?.bind(handler) ?? locateNothing,
    needsEntry: handler.locate !== undefined,
    step: isTimed ? timeInterceptors(interceptors, handle) : composeInterceptors(interceptors, handle),
  };
}

function locateNothing(): void {
  // A call that is about no entry.
}

function withoutText(result: object): object {
  if (!('structuredText' in result)) return result;
  const { structuredText: _text, ...rest } = result;
  return rest;
}
