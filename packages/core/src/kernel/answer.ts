/** The kernel's answer to one request. */
import type { ProtocolError } from '@sigil-mcp/protocol';

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
