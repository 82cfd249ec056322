/** The answer to a request that did not survive a restart. */
import { ERROR_CODES, writeError, type RequestId } from '@sigil-mcp/protocol';

/** The response for one request: the server could not finish, and the client did nothing wrong. @param why a sentence */
export function restartError(id: RequestId, why: string): string {
  return writeError(id, { code: ERROR_CODES['internal-error'], message: `${why} Try again.` });
}

/** The sentence for a call that was cut off by a change. */
export const RESTARTED = 'The server was restarted because its sources changed.';
