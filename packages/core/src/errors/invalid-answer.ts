/** An answer of the client that does not fit the question. */
import { ProtocolError } from '@sigil-mcp/protocol';
import type { ErrorCode } from './catalogue';
import type { ErrorWords } from '@sigil-mcp/base';

/** Thrown by the asking methods of the context; uncaught, its message is sent to the client. */
export class InvalidAnswer extends ProtocolError {
  /** Listed in docs/errors.md. */
  readonly code: ErrorCode;

  /** @param words the catalogue text; the client receives only the first sentence */
  constructor({ code, problem }: ErrorWords) {
    super('invalid-params', problem);
    this.code = code;
  }
}
