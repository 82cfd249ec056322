/** Reads the answers and the state of a retried request. */
import type { JsonObject } from '../jsonrpc/message';
import type { RequestRetry } from '../model/server-requests';
import { readObject, readOptionalObject, readOptionalString } from '../reading/read-members';

/**
 * Makes the reader; it gives undefined for a request that was not sent before, and where the revision has no such thing.
 * Throws `ProtocolError('invalid-params')`.
 * @param methods the requests that may be answered with questions
 */
export function retryReader(
  methods: ReadonlySet<string>,
): (method: string, params: JsonObject | undefined) => RequestRetry | undefined {
  return (method, params) => {
    if (!params || !(Object.hasOwn(params, 'inputResponses') || Object.hasOwn(params, 'requestState')))
      return undefined;
    return methods.has(method) ? readRetry(params) : undefined;
  };
}

function readRetry(params: JsonObject): RequestRetry {
  const responses = readOptionalObject(params, 'inputResponses', 'params') ?? {};
  const answered = Object.keys(responses);
  return {
    inputResponses: Object.fromEntries(
      answered.map((key) => [key, readObject(responses, key, 'params.inputResponses')]),
    ),
    requestState: readOptionalString(params, 'requestState', 'params'),
  };
}
