/** The one error type that may reach a client; everything else is masked by the kernel. */
import type { ErrorName } from './error-codes';
import type { JsonValue } from './message';

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
