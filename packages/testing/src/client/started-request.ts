/** A request of a test that is pending. */
import { answerRounds, type AnswerQuestion, type SentRequest } from '@sigil-mcp/client/wire';
import type { JsonObject, RequestId } from '@sigil-mcp/protocol';

/** A pending request. */
export interface StartedRequest {
  /** The id of the pending message; a request that is sent again with answers has another one each time. */
  readonly id: RequestId;
  /** The result; rejected with an `RpcError` if the answer is an error. */
  readonly result: Promise<JsonObject>;
}

/**
 * Sends a request, and answers the questions of the server in further rounds.
 * @param send the request, with the members that a further round adds
 * @param answer questions are left to the test if it is undefined
 */
export function startRequest(
  send: (extra?: JsonObject) => SentRequest,
  answer: AnswerQuestion | undefined,
): StartedRequest {
  let sent = send();
  const retry = (extra: JsonObject): Promise<JsonObject> => (sent = send(extra)).result;
  const { signal } = new AbortController();
  const result = answer ? sent.result.then((asked) => answerRounds(asked, { answer, retry, signal })) : sent.result;
  result.catch(() => undefined); // a test that awaits the result sees the error, and no other has an unhandled rejection
  return {
    get id() {
      return sent.id;
    },
    result,
  };
}
