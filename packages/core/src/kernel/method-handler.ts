/** One method of the protocol: how its entry is found and how it is answered. One small file per noun implements it. */
import type { Method, ResultOf, ServerCapabilities } from '@sigil-mcp/protocol';
import type { RunningCall } from '../calls/running-call';
import type { Entry } from '../registry/entry';
import type { MaybePromise } from '@sigil-mcp/base';

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
