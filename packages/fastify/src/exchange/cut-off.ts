/** The answer to a call that its session or the server did not let come to its end. */
import { ERROR_CODES, writeError, type RequestId } from '@sigil-mcp/protocol';

/** Nobody else knows either how far it came: it is not to be sent again unseen. */
const UNKNOWN_OUTCOME = 'The request was cut off: whether it has done its work is not known.';

/** Why a call ended, and whether it was the server that ended. */
export interface CutOff {
  readonly reason: Error;
  readonly byServer: boolean;
}

/** Writes it. */
export function writeCutOff(id: RequestId, { reason: { message }, byServer }: CutOff): string {
  const said = byServer ? `${message} ${UNKNOWN_OUTCOME}` : message;
  return writeError(id, { code: ERROR_CODES['internal-error'], message: said });
}

/** The status of one that has not begun: not 503, which would say that it may be sent again. */
export function statusOf({ byServer }: CutOff): number {
  return byServer ? 500 : 404;
}
