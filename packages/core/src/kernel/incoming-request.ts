/** A request that was classified: everything that can be known of it before it is answered, found once. */
import type { InboundRequest } from '@sigil-mcp/protocol';
import type { Opening } from '../conversations/open-conversation';
import type { CompiledMethod } from './compiled-method';

/** Made by the kernel for every request, on any transport. */
export interface IncomingRequest {
  readonly request: InboundRequest;
  /** The conversation that it belongs to, and the parts that were read to find it. */
  readonly opening: Opening;
  /** Undefined if its revision or this server does not have the method. */
  readonly method: CompiledMethod | undefined;
}
