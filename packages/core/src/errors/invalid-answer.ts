/** An answer of the client that does not fit the question. */
import { ProtocolError } from '@sigil-mcp/protocol';

/** Thrown by the asking methods of the context; left to itself, the client is told what is wrong. */
export class InvalidAnswer extends ProtocolError {
  constructor(message: string) {
    super('invalid-params', message);
  }
}
