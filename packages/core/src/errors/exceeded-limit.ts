/** Errors about a limit that a client has reached, with its name for observers. */
import { ProtocolError, type ErrorName } from '@sigil-mcp/protocol';
import { Denial } from './denial';

/** A message that exceeds a limit by itself: sent again, it would be refused again. */
export class ExceededLimit extends ProtocolError {
  /** @param limit the option that sets the limit, such as `limits.clientFacts` */
  constructor(
    error: ErrorName,
    message: string,
    readonly limit: string,
  ) {
    super(error, message);
  }
}

/** The option that sets the limit which an error is about; undefined for any other error. */
export function limitOf(error: unknown): string | undefined {
  return error instanceof Denial || error instanceof ExceededLimit ? error.limit : undefined;
}

/**
 * The answer to what would make the server hold too much: 503 over HTTP, and to be sent again later.
 * @param limit the option that sets the limit, such as `limits.calls`
 * @param sentence says what the limit is, and names it
 */
export function overload(limit: string, sentence: string): Denial {
  return new Denial(sentence, { error: 'internal-error', status: 503, retryAfter: 1, limit });
}
