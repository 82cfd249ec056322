/** An error response, as the error that the client throws. */
import type { ErrorObject, JsonValue } from '@sigil-mcp/protocol';

/** Thrown when the server answered a request with an error. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: number;
  readonly data: JsonValue | undefined;

  constructor({ code, message, data }: ErrorObject) {
    super(message);
    this.code = code;
    this.data = data;
  }
}
