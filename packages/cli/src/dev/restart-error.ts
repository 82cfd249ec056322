/** The answer to a request that did not survive a restart. */
import { ERROR_CODES, writeError, type RequestId } from '@sigil-mcp/protocol';

/** An internal error as the response to one request: the client did nothing wrong. @param why a sentence */
export function restartError(id: RequestId, why: string): string {
  return writeError(id, { code: ERROR_CODES['internal-error'], message: `${why} Try again.` });
}

/** The reason for a call that was interrupted by a change. */
export const RESTARTED = 'The server was restarted because its sources changed.';
