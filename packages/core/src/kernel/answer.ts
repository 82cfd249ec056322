/** What leaves the kernel for one request. */
import type { ProtocolError } from '@sigil-mcp/protocol';

/** The text of one response message, and why it failed, for transports that say so outside the message too. */
export interface Answer {
  readonly text: string;
  /** The same in UTF-8, where that costs less than encoding the text. */
  readonly bytes?: () => Buffer;
  readonly failure?: ProtocolError;
  /** The JSON-RPC code of the failure, as the revision numbers it. */
  readonly code?: number;
}
