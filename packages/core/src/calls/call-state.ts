/** A call while it runs: made by the kernel, filled in on its way, given to guards and interceptors as a `Call`. */
import type { Method, ParamsOf } from '@sigil-mcp/protocol';
import type { CallContext } from './call-context';
import type { EntryFacts } from '../context/entry-facts';
import type { Call } from '../context/call';

/** The state of one call; `E` is what the method's handler knows of the entry it found. */
export class CallState<M extends Method = Method, E extends EntryFacts = EntryFacts> implements Call {
  entry: E | undefined = undefined;
  arguments: unknown = undefined;
  input: unknown = undefined;

  constructor(
    readonly method: M,
    readonly params: ParamsOf<M>,
    readonly context: CallContext,
  ) {}

  get round(): number {
    return this.context.round;
  }
}
