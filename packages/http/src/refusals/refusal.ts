/** A request that is answered before a handler receives it: a status, and always a JSON-RPC body. */
import { ERROR_CODES, type ErrorObject, type RequestId } from '@sigil-mcp/protocol';

/** Thrown by checks; the endpoint's error handler writes it. */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  readonly headers: Readonly<Record<string, string>>;
  readonly id: RequestId | null | undefined;
  readonly limit: string | undefined;
  readonly isUnreadable: boolean;

  constructor(
    readonly status: number,
    readonly error: ErrorObject,
    private readonly details: RefusalDetails = {},
  ) {
    super(error.message);
    this.headers = details.headers ?? {};
    this.id = details.id;
    this.limit = details.limit;
    this.isUnreadable = details.isUnreadable ?? false;
  }

  /** The same refusal with the id of the request. */
  about(id: RequestId | null | undefined): Refusal {
    return new Refusal(this.status, this.error, { ...this.details, id });
  }
}

/** What a refusal has besides its status and its error. */
export interface RefusalDetails {
  /** None if left out. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Of the request, if it could be read; null or undefined as its revision represents a missing id. */
  readonly id?: RequestId | null | undefined;
  /** The option that sets the limit which was reached, such as `limits.sessions`; none if left out. */
  readonly limit?: string | undefined;
  /** Whether the body could not be read as a message; false if left out. */
  readonly isUnreadable?: boolean;
}

/** A refusal as an "invalid request" of JSON-RPC. */
export function refusal(status: number, message: string, headers?: Readonly<Record<string, string>>): Refusal {
  return new Refusal(status, { code: ERROR_CODES['invalid-request'], message }, { headers });
}

/** The refusal of a body with 413. */
export function tooLarge(bodyLimit: number): Refusal {
  const error = {
    code: ERROR_CODES['invalid-request'],
    message: `The body is larger than ${bodyLimit} bytes (bodyLimit).`,
  };
  return new Refusal(413, error, { limit: 'bodyLimit' });
}

/** A refusal with 404: the client initializes a new session. */
export function sessionOver(): Refusal {
  return refusal(404, 'The session has ended or does not exist. Initialize again.');
}

/**
 * A refusal with 503 for an overloaded server: the client may try again.
 * @param limit the option that sets the limit which was reached, if it is one
 */
export function busy(message: string, limit?: string): Refusal {
  const error = {
    code: ERROR_CODES['internal-error'],
    message: `${message} Try again later.`,
    data: { retryAfter: 1 },
  };
  return new Refusal(503, error, { headers: { 'retry-after': '1' }, limit });
}

/** A refusal with 503 for a closing server: the client may try again, and reaches another instance or the restarted server. */
export function closing(): Refusal {
  return refusal(503, 'The server is shutting down.', { 'retry-after': '1', connection: 'close' });
}

/** A refusal with 405 with the supported methods, separated by commas. */
export function methodNotAllowed(allow: string): Refusal {
  return refusal(405, `This method is not served here. Served: ${allow}.`, { allow });
}
