/** A request that is answered before a handler receives it: a status, and always a JSON-RPC body. */
import { ERROR_CODES, type ErrorObject, type RequestId } from '@sigil-mcp/protocol';

/** Thrown by checks; the endpoint's error handler writes it. */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  constructor(
    readonly status: number,
    readonly error: ErrorObject,
    readonly headers: Readonly<Record<string, string>> = {},
    /** Of the request, if it could be read; null or undefined as its revision represents a missing id. */
    readonly id?: RequestId | null,
  ) {
    super(error.message);
  }

  /** The same refusal with the id of the request. */
  about(id: RequestId | null | undefined): Refusal {
    return new Refusal(this.status, this.error, this.headers, id);
  }
}

/** A refusal as an "invalid request" of JSON-RPC. */
export function refusal(status: number, message: string, headers?: Readonly<Record<string, string>>): Refusal {
  return new Refusal(status, { code: ERROR_CODES['invalid-request'], message }, headers);
}

/** A refusal with 404: the client initializes a new session. */
export function sessionOver(): Refusal {
  return refusal(404, 'The session has ended or does not exist. Initialize again.');
}

/** A refusal with 503 for an overloaded server: the client may try again. */
export function busy(message: string): Refusal {
  const error = {
    code: ERROR_CODES['internal-error'],
    message: `${message} Try again later.`,
    data: { retryAfter: 1 },
  };
  return new Refusal(503, error, { 'retry-after': '1' });
}

/** A refusal with 503 for a closing server: the client may try again, and reaches another instance or the restarted server. */
export function closing(): Refusal {
  return refusal(503, 'The server is shutting down.', { 'retry-after': '1', connection: 'close' });
}

/** A refusal with 405 with the supported methods, separated by commas. */
export function methodNotAllowed(allow: string): Refusal {
  return refusal(405, `This method is not served here. Served: ${allow}.`, { allow });
}
