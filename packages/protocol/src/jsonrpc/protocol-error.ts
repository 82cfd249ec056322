/** The one error type that may reach a client; everything else is masked by the kernel. */
import type { JsonValue } from './message';

/**
 * The protocol's errors by name; the numbers are those of the newest revision that has them.
 *
 * Every error that the protocol names. Its number depends on the revision.
 */
export const ERROR_CODES = {
  'parse-error': -32700,
  'invalid-request': -32600,
  'method-not-found': -32601,
  'invalid-params': -32602,
  'internal-error': -32603,
  /** No resource under this URI. Older revisions have a number of its own for it. */
  'resource-not-found': -32602,
  /** A request header and the message body disagree. */
  'header-mismatch': -32020,
  /** The client did not declare a capability that the call needs. */
  'missing-client-capability': -32021,
  /** The request names a revision that is not served. */
  'unsupported-protocol-version': -32022,
} as const;

/** The name of a protocol error. */
export type ErrorName = keyof typeof ERROR_CODES;

/**
 * An error for the client, in words that are meant for it.
 * @example throw new ProtocolError('invalid-params', 'Unknown tool: forecats');
 */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';

  constructor(
    /**
     * A name of the protocol, which each revision writes as its own number, or a number of the application's own,
     * outside -32768..-32000; a number within that the revision does not have is written as an internal error.
     */
    readonly error: ErrorName | number,
    message: string,
    /** Machine-readable details. */
    readonly data?: JsonValue,
  ) {
    super(message);
  }
}

// Arguments of a tool, a prompt or a template that do not match their declaration.

/** Thrown by the pipeline; some revisions report it for tools as a result, so that a model can correct itself. */
export class InvalidArguments extends ProtocolError {
  constructor(message: string) {
    super('invalid-params', message);
  }
}
