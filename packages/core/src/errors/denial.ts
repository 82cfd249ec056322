/** A refusal that says why. */
import { sigilError } from './sigil-error';
import { ProtocolError, type ErrorName, type JsonObject } from '@sigil-mcp/protocol';

/** What a denial adds to its message. */
export interface DenialOptions {
  /** JSON-RPC error code, outside -32768..-32000; the protocol's "invalid request" if left out. */
  readonly code?: number;
  /** An error that the protocol names, in place of a code; none if left out. */
  readonly error?: ErrorName;
  /** HTTP status, where the call came over HTTP: one of an error, 400 to 599; 403 if left out. */
  readonly status?: number;
  /** Value of the `WWW-Authenticate` header, where the call came over HTTP; there is none if left out. */
  readonly challenge?: string;
  /** What programs read of it, beside `retryAfter`; nothing if left out. */
  readonly data?: JsonObject;
  /**
   * Seconds, a whole number of them, after which the caller may try again: the `Retry-After` header, where the call came over
   * HTTP, and `retryAfter` in the error's data everywhere. Nothing is said of it if left out.
   */
  readonly retryAfter?: number;
}

/**
 * Returned by a guard instead of `false` when the caller may know that the entry exists and why it is refused.
 * @throws SigilError for a status that is not one of an error, and for seconds that are no whole number of at least 0
 * @example return new Denial('Needs the scope alerts:write', { status: 403 });
 */
export class Denial extends ProtocolError {
  readonly status: number;
  readonly challenge: string | undefined;
  readonly retryAfter: number | undefined;

  constructor(message: string, options: DenialOptions = {}) {
    const { retryAfter, data, status = 403 } = options;
    // With 1xx a client waits on, and with 204 or 304 there would be no answer.
    if (!Number.isInteger(status) || status < 400 || status > 599) throw sigilError('SIGIL_DENIAL_STATUS', { status });
    if (retryAfter !== undefined && (!Number.isSafeInteger(retryAfter) || retryAfter < 0))
      throw sigilError('SIGIL_DENIAL_RETRY', { retryAfter });
    super(
      options.code ?? options.error ?? 'invalid-request',
      message,
      retryAfter === undefined ? data : { ...data, retryAfter },
    );
    this.status = status;
    this.challenge = options.challenge;
    this.retryAfter = retryAfter;
  }
}
