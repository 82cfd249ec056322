/** A refusal that says why. */
import { ProtocolError } from '@sigil-mcp/protocol';

/** What a denial adds to its message. */
export interface DenialOptions {
  /** JSON-RPC error code, outside -32768..-32000; the protocol's "invalid request" if left out. */
  readonly code?: number;
  /** HTTP status, where the call came over HTTP; 403 if left out. */
  readonly status?: number;
  /** Value of the `WWW-Authenticate` header, where the call came over HTTP. */
  readonly challenge?: string;
}

/**
 * Returned by a guard instead of `false` when the caller may know that the entry exists and why it is refused.
 * @example return new Denial('Needs the scope alerts:write', { status: 403 });
 */
export class Denial extends ProtocolError {
  readonly status: number;
  readonly challenge: string | undefined;

  constructor(message: string, options: DenialOptions = {}) {
    super(options.code ?? 'invalid-request', message);
    this.status = options.status ?? 403;
    this.challenge = options.challenge;
  }
}
