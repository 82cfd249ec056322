/** The client's side of questions: the answers of a test to the requests of a server. */
import { ERROR_CODES, type JsonObject } from '@sigil-mcp/protocol';
import { RpcError } from '../rpc-error';
import { testingError } from '../errors';

/** A question of a server, as a request or in an `input_required` result. */
export interface Question {
  /** `elicitation/create`, `sampling/createMessage` or `roots/list`. */
  readonly method: string;
  readonly params: JsonObject;
  /** The name of the question within the call, if the revision has such names. */
  readonly key: string | undefined;
}

/**
 * The result of a question. Throwing an `RpcError` refuses it; on a revision in which a client cannot refuse, the call fails
 * with that error.
 */
export type AnswerQuestion = (question: Question) => JsonObject | Promise<JsonObject>;

/** How many rounds a server may ask for: more than any handler needs. */
const MOST_ROUNDS = 50;

/** Answers the questions in a result, and sends the request again, until a result asks no more. */
export async function answerRounds(
  first: JsonObject,
  answer: AnswerQuestion,
  retry: (extra: JsonObject) => Promise<JsonObject>,
): Promise<JsonObject> {
  let result = first;
  for (let round = 0; isAsking(result); round += 1) {
    if (round === MOST_ROUNDS) throw testingError('SIGIL_TEST_ROUNDS', { rounds: MOST_ROUNDS });
    const { inputRequests = {}, requestState } = result;
    const inputResponses = await answerAll(inputRequests as InputRequests, answer);
    result = await retry({ inputResponses, ...(requestState !== undefined && { requestState }) });
  }
  return result;
}

/** The answer to a question that arrived as a request of its own: the members of the response. */
export async function answerRequest(question: Question, answer: AnswerQuestion | undefined): Promise<JsonObject> {
  if (question.method === 'ping') return { result: {} };
  if (!answer)
    return { error: { code: ERROR_CODES['method-not-found'], message: 'This client answers no questions.' } };
  try {
    return { result: await answer(question) };
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return { error: { code: error.code, message: error.message } };
  }
}

type InputRequests = Readonly<Record<string, { readonly method: string; readonly params?: JsonObject }>>;

function isAsking({ resultType }: JsonObject): boolean {
  return resultType === 'input_required';
}

async function answerAll(requests: InputRequests, answer: AnswerQuestion): Promise<JsonObject> {
  const responses: Record<string, JsonObject> = {};
  for (const [key, { method, params = {} }] of Object.entries(requests))
    responses[key] = await answer({ method, params, key });
  return responses;
}
