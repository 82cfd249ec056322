/** A request that is answered before any handler sees it: a status, and always a JSON-RPC body. */
import { ERROR_CODES, writeError, type ErrorObject, type RequestId } from '@sigil-mcp/protocol';
import type { FastifyReply } from 'fastify';

/** Thrown by checks; written by the endpoint's error handler. */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  constructor(
    readonly status: number,
    readonly error: ErrorObject,
    readonly headers: Readonly<Record<string, string>> = {},
    /** Of the request, where it could be read; null or undefined as the revision writes its absence. */
    readonly id?: RequestId | null,
  ) {
    super(error.message);
  }

  /** The same refusal, of a request whose id is known, or is written as the revision says. */
  about(id: RequestId | null | undefined): Refusal {
    return new Refusal(this.status, this.error, this.headers, id);
  }
}

/** A refusal in the words of JSON-RPC's "invalid request". */
export function refusal(status: number, message: string, headers?: Readonly<Record<string, string>>): Refusal {
  return new Refusal(status, { code: ERROR_CODES['invalid-request'], message }, headers);
}

/** A refusal with 404: a client that gets it initializes anew. */
export function sessionOver(): Refusal {
  return refusal(404, 'The session is over or was never opened. Initialize again.');
}

/** A refusal with 503: there is too much to do, and the client may try again. */
export function busy(message: string): Refusal {
  const error = {
    code: ERROR_CODES['internal-error'],
    message: `${message} Try again later.`,
    data: { retryAfter: 1 },
  };
  return new Refusal(503, error, { 'retry-after': '1' });
}

/** A refusal with 503: the server closes, and a client may try again, and find another instance or a restarted one. */
export function closing(): Refusal {
  return refusal(503, 'The server is shutting down.', { 'retry-after': '1', connection: 'close' });
}

/** A refusal with 405 that names the methods which are served, separated by commas. */
export function methodNotAllowed(allow: string): Refusal {
  return refusal(405, `This method is not served here. Served: ${allow}.`, { allow });
}

/** Sends a refusal: its status, its headers, and its error as a JSON-RPC body. */
export function sendRefusal(reply: FastifyReply, { status, error, headers, id }: Refusal): FastifyReply {
  return reply.code(status).headers(headers).type('application/json').send(writeError(id, error));
}
