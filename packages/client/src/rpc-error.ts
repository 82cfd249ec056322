/** An error response, as the error that the client throws. */
import type { ErrorObject, JsonObject, JsonValue } from '@sigil-mcp/protocol';
import { objectOf } from './json';
import type { ResponseStatus } from './response-status';

/** Thrown when the server answered a request with an error. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: number;
  readonly data: JsonValue | undefined;

  /** The HTTP status of the response, if the error came in a response of its own; otherwise undefined. */
  readonly status: number | undefined;
  /** Seconds after which the server wants to be asked again: by `Retry-After`, or `retryAfter` in the data; undefined if it does not say. */
  readonly retryAfter: number | undefined;

  constructor({ code, message, data }: ErrorObject, response?: ResponseStatus) {
    super(message);
    this.code = code;
    this.data = data;
    this.status = response?.status;
    const { retryAfter } = objectOf(data);
    this.retryAfter =
      response?.retryAfter ?? (typeof retryAfter === 'number' && retryAfter >= 0 ? retryAfter : undefined);
  }
}

/** The error of a message, if it has one that is well-formed. */
export function errorOf({ error }: JsonObject): ErrorObject | undefined {
  const members = objectOf(error);
  const { code, message } = members;
  const isError = typeof code === 'number' && typeof message === 'string';
  return isError ? { ...members, code, message } : undefined;
}
