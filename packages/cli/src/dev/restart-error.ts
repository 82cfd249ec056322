/** What a request is told that did not survive a restart. */
import { writeError, type RequestId } from '@sigil-mcp/protocol';

/** Of JSON-RPC: the server could not finish, and the client did nothing wrong. */
const INTERNAL_ERROR = -32603;

/** The response for one request. @param why a sentence */
export function restartError(id: RequestId, why: string): string {
  return writeError(id, { code: INTERNAL_ERROR, message: `${why} Try again.` });
}

/** The sentence for a call that was cut off by a change. */
export const RESTARTED = 'The server was restarted because its sources changed.';
