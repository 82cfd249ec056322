/** The answer to a call that did not finish because its session or the server ended. */
import { ERROR_CODES, writeError, type RequestId } from '@sigil-mcp/protocol';

/** Whether the call has had its effects is unknown: it must not be repeated blindly. */
const UNKNOWN_OUTCOME = 'The request was cut off. It is not known whether it was completed.';

/** The reason why a call ended, and whether the server itself ended. */
export interface CallInterruption {
  readonly reason: Error;
  readonly byServer: boolean;
}

/** Writes the answer. */
export function writeInterrupted(id: RequestId, { reason: { message }, byServer }: CallInterruption): string {
  const said = byServer ? `${message} ${UNKNOWN_OUTCOME}` : message;
  return writeError(id, { code: ERROR_CODES['internal-error'], message: said });
}

/** The status of such an answer if no response has begun: not 503, which would allow the client to repeat the request. */
export function statusOf({ byServer }: CallInterruption): number {
  return byServer ? 500 : 404;
}
