/** A request that was classified: everything that can be known of it before it is answered, found once. */
import type { InboundRequest } from '@sigil-mcp/protocol';
import type { Opening } from '../conversations/open-conversation';
import type { CompiledMethod } from './compiled-method';

/** Made by the kernel for every request, whatever it came on. */
export interface IncomingRequest {
  readonly request: InboundRequest;
  /** Whose conversation it belongs to, and what was read on the way there. */
  readonly opening: Opening;
  /** Undefined where its revision or this server does not have the method. */
  readonly method: CompiledMethod | undefined;
}
