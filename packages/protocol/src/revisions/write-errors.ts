/** Writes errors with the codes of a revision. */
import type { ErrorObject } from '../jsonrpc/message';
import type { ProtocolError } from '../jsonrpc/protocol-error';
import type { RevisionRules } from './revision-rules';

/** Characters of a message. Our own messages are shorter; one that quotes text of a client must not grow with it. */
const LONGEST_MESSAGE = 5000;

/** Compiles the writer of errors; a code that the revision does not define becomes its internal error. */
export function errorWriter({ errorCodes }: RevisionRules): (error: ProtocolError) => ErrorObject {
  const known = new Set<number>(Object.values(errorCodes));
  const codeOf = (error: ProtocolError['error']): number => {
    // A name that does not exist, as plain JavaScript may pass, would leave the error without a code.
    if (typeof error === 'string') return errorCodes[error] ?? errorCodes['internal-error'];
    return Number.isInteger(error) && (!isReserved(error) || known.has(error)) ? error : errorCodes['internal-error'];
  };
  return ({ error, message, data }) => {
    const code = codeOf(error);
    const words = message.length > LONGEST_MESSAGE ? `${message.slice(0, LONGEST_MESSAGE - 1)}…` : message;
    return data === undefined ? { code, message: words } : { code, message: words, data };
  };
}

/**
 * JSON-RPC reserves this range for itself and for protocols; an application's code in it would claim a meaning that
 * the revision has not given it.
 */
function isReserved(code: number): boolean {
  return code >= -32768 && code <= -32000;
}
