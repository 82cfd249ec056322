/** A method of the protocol with the server's interceptors around it, composed once; the request that it answers, and the answer. */
import { andThen, type MaybePromise } from '@sigil-mcp/base';
import type { InboundRequest, Method, ProtocolError, ResultOf, ServerCapabilities } from '@sigil-mcp/protocol';
import type { RunningCall } from '../calls/running-call';
import type { Interceptor } from '../context/call';
import type { Opening } from '../conversations/open-conversation';
import { composeInterceptors, timeInterceptors, type Step } from '../pipeline/compose-interceptors';
import type { Entry } from '../registry/entry';

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

// One method of the protocol: how its entry is found and how it is answered. One small file per noun implements it.

/** Answers the requests of one method. */
export interface MethodHandler<M extends Method = Method> {
  readonly method: M;
  /** The capability without which the method does not exist; none if left out. */
  readonly capability?: keyof ServerCapabilities;
  /** The extension that a client must have declared; left out for a method that needs none. */
  readonly extension?: string;
  /** Whether it is answered also while there is too much to do: it costs next to nothing. Not, if left out. */
  readonly isUnlimited?: boolean;
  /** Whether it is answered only when the client has had enough, so that its calls are no work. Not, if left out. */
  readonly isLasting?: boolean;
  /** Finds what the call is about, before the server's interceptors see it; finding nothing is no error yet. */
  locate?(call: RunningCall<M, Entry>): void;
  /** Answers a call with the neutral result. One that is frozen is the same for every caller: its text is kept. */
  handle(call: RunningCall<M, Entry>): MaybePromise<ResultOf<M>>;
}

// A request that was classified: everything that can be known of it before it is answered, found once.

/** Made by the kernel for every request, on any transport. */
export interface IncomingRequest {
  readonly request: InboundRequest;
  /** The conversation that it belongs to, and the parts that were read to find it. */
  readonly opening: Opening;
  /** Undefined if its revision or this server does not have the method. */
  readonly method: CompiledMethod | undefined;
}

// The kernel's answer to one request.

/** The text of one response message, and why it failed, for transports that say so outside the message too. */
export interface WrittenAnswer {
  /** One JSON-RPC response, without line breaks. */
  readonly text: string;
  /** Gives the text as UTF-8; left out where that costs no less than encoding the text. */
  readonly bytes?: () => Buffer;
  /** Why the request failed; left out for a result. */
  readonly failure?: ProtocolError;
  /** The JSON-RPC code of the failure, as the revision numbers it; left out for a result. */
  readonly code?: number;
}
