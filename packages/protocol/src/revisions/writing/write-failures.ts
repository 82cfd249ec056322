/** Writes what a failed request is answered with. */
import type { ErrorObject } from '../../jsonrpc/message';
import { InvalidArguments } from '../../jsonrpc/invalid-arguments';
import type { ProtocolError } from '../../jsonrpc/protocol-error';
import type { Implementation } from '../../model/metadata';
import type { CallToolResult } from '../../model/tools';
import type { WrittenFailure } from '../revision';
import type { RevisionRules } from '../revision-rules';
import type { ResultWriters } from './write-results';

/** Compiles the writer of failures. */
export function failureWriter(
  rules: RevisionRules,
  results: ResultWriters,
): (error: ProtocolError, method: string, server: Implementation) => WrittenFailure {
  const codes = rules.errorCodes;
  const known = new Set<number>(Object.values(codes));
  const writeCode = (error: ProtocolError['error']): number => {
    if (typeof error === 'string') return codes[error];
    return Number.isInteger(error) && (!isReserved(error) || known.has(error)) ? error : codes['internal-error'];
  };
  return (error, method, server) => {
    if (rules.invalidToolArguments === 'result' && method === 'tools/call' && error instanceof InvalidArguments) {
      return { result: results['tools/call'].object(asToolResult(error), server) };
    }
    return { error: writeError(writeCode(error.error), error) };
  };
}

/**
 * JSON-RPC keeps this range for itself and for protocols; an application's number in it would claim a meaning that
 * the revision has not given it.
 */
function isReserved(code: number): boolean {
  return code >= -32768 && code <= -32000;
}

function writeError(code: number, { message, data }: ProtocolError): ErrorObject {
  return data === undefined ? { code, message } : { code, message, data };
}

function asToolResult({ message }: InvalidArguments): CallToolResult {
  return { content: [{ type: 'text', text: message }], isError: true };
}
