/** How a request is written and its answer is read: by the name of a method of the protocol, or as an operation from outside. */
import {
  compileOperation,
  ProtocolError,
  TypedResult,
  type JsonObject,
  type Method,
  type Operation,
  type ResultType,
  type Revision,
} from '@sigil-mcp/protocol';
import { clientError } from '../errors';

/** Both directions of one request. */
export interface RequestCodec {
  readonly method: string;
  readonly write: (params: object) => JsonObject;
  /** Throws `SIGIL_CLIENT_RESULT` for a result that does not fit. */
  readonly read: (result: JsonObject) => object;
}

/**
 * Finds both directions of a request. Throws `SIGIL_CLIENT_OPERATION` if the revision does not have the method.
 * @param resultTypes of extensions, which the caller takes in place of a complete result
 */
export function requestCodec(
  what: Method | Operation,
  revision: Revision,
  resultTypes: readonly ResultType[] = [],
): RequestCodec {
  const method = typeof what === 'string' ? what : what.method;
  const { write, read } = typeof what === 'string' ? known(what, revision) : foreign(what, revision);
  return {
    method,
    write,
    read(result) {
      const type = resultTypes.find(({ name, methods }) => name === result['resultType'] && methods.includes(method));
      try {
        return type ? new TypedResult(type, type.read(result)) : read(result);
      } catch (error) {
        if (!(error instanceof ProtocolError)) throw error;
        throw clientError('SIGIL_CLIENT_RESULT', { method, problem: error.message }, { cause: error });
      }
    },
  };
}

function known(method: Method, revision: Revision): Omit<RequestCodec, 'method'> {
  if (!revision.requests.has(method))
    throw clientError('SIGIL_CLIENT_OPERATION', { revision: revision.version, method });
  return {
    // The overloads of `request` tie the parameters to the method.
    write: (params) => revision.writeRequest(method, params),
    read: (result) => revision.readResult(method, result),
  };
}

function foreign(operation: Operation, { rules }: Revision): Omit<RequestCodec, 'method'> {
  const codec = compileOperation(operation, rules);
  return { write: (params) => codec.writeParams(params), read: (result) => codec.readResult(result) };
}
