/** An answer of the client that does not fit the question. */
import { ProtocolError } from '@sigil-mcp/protocol';
import type { ErrorCode } from './catalogue';
import type { ErrorWords } from './words-for';

/** Thrown by the asking methods of the context; left to itself, the client is told what is wrong. */
export class InvalidAnswer extends ProtocolError {
  /** Listed in docs/errors.md. */
  readonly code: ErrorCode;

  /** @param words of the catalogue; the client reads only what is wrong */
  constructor({ code, what }: ErrorWords) {
    super('invalid-params', what);
    this.code = code;
  }
}
