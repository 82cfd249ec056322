/** Writes errors under the numbers of a revision. */
import type { ErrorObject } from '../../jsonrpc/message';
import type { ProtocolError } from '../../jsonrpc/protocol-error';
import type { RevisionRules } from '../revision-rules';

/** Compiles the writer of errors; a number that the revision gives no meaning becomes its internal error. */
export function errorWriter({ errorCodes }: RevisionRules): (error: ProtocolError) => ErrorObject {
  const known = new Set<number>(Object.values(errorCodes));
  const codeOf = (error: ProtocolError['error']): number => {
    if (typeof error === 'string') return errorCodes[error];
    return Number.isInteger(error) && (!isReserved(error) || known.has(error)) ? error : errorCodes['internal-error'];
  };
  return ({ error, message, data }) => {
    const code = codeOf(error);
    return data === undefined ? { code, message } : { code, message, data };
  };
}

/**
 * JSON-RPC keeps this range for itself and for protocols; an application's number in it would claim a meaning that
 * the revision has not given it.
 */
function isReserved(code: number): boolean {
  return code >= -32768 && code <= -32000;
}
