/** The client's side of questions: the answers to the requests of a server. */
import { ERROR_CODES, type JsonObject } from '@sigil-mcp/protocol';
import { clientError } from '../errors';
import { RpcError } from '../rpc-error';

/** A question of a server, as a request or in an `input_required` result. */
export interface Question {
  /** `elicitation/create`, `sampling/createMessage` or `roots/list`. */
  readonly method: string;
  readonly params: JsonObject;
  /** The name of the question within the call, if the revision has such names. */
  readonly key: string | undefined;
  /** Aborted when the answer is no longer wanted. */
  readonly signal: AbortSignal;
}

/**
 * The result of a question. Throwing an `RpcError` refuses it; on a revision in which a client cannot refuse, the call fails
 * with that error.
 */
export type AnswerQuestion = (question: Question) => JsonObject | Promise<JsonObject>;

/** How many rounds a server may ask for: more than any handler needs. */
const MOST_ROUNDS = 50;

/** How the rounds of one request are answered. */
export interface Rounds {
  readonly answer: AnswerQuestion;
  /** Sends the request again, with the answers. */
  readonly retry: (extra: JsonObject) => Promise<JsonObject>;
  /** Aborted when the result is no longer wanted. */
  readonly signal: AbortSignal;
}

/** Answers the questions in a result, and sends the request again, until a result asks no more. */
export async function answerRounds(first: JsonObject, { answer, retry, signal }: Rounds): Promise<JsonObject> {
  let result = first;
  for (let round = 0; isAsking(result); round += 1) {
    if (round === MOST_ROUNDS) throw clientError('SIGIL_CLIENT_ROUNDS', { rounds: MOST_ROUNDS });
    const { inputRequests = {}, requestState } = result;
    const inputResponses = await answerAll(inputRequests as InputRequests, answer, signal);
    result = await retry({ inputResponses, ...(requestState !== undefined && { requestState }) });
  }
  return result;
}

/** The members of the response to a question that arrived as a request of its own. An error that is no refusal is thrown. */
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

/** Whether a result asks instead of answering. */
export function isAsking({ resultType }: JsonObject): boolean {
  return resultType === 'input_required';
}

type InputRequests = Readonly<Record<string, { readonly method: string; readonly params?: JsonObject }>>;

async function answerAll(requests: InputRequests, answer: AnswerQuestion, signal: AbortSignal): Promise<JsonObject> {
  const responses: Record<string, JsonObject> = {};
  for (const [key, { method, params = {} }] of Object.entries(requests))
    responses[key] = await answer({ method, params, key, signal });
  return responses;
}
