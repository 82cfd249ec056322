/**
 * The questions of servers to clients, which another one, such as the page of `sigil dev`, may answer instead of the client: within a session,
 * and in the rounds of a call. The first answer counts.
 */
import { isObject } from '@sigil-mcp/base';
import { ERROR_CODES, writeError, writeNotification, type RequestId } from '@sigil-mcp/protocol';
import type { LooseObject } from '../json-object';
import { clientOf } from './call-lines';
import {
  cancelledId,
  isRequest,
  readShapes,
  restartError,
  type MessageShape,
  type RequestShape,
  type ResponseShape,
} from './message-shape';

/** An answer instead of a client: its result, or a refusal. */
export type AnswerInPlace = { readonly result: LooseObject } | { readonly refused: string };

/** A question to a client that waits for an answer. */
export interface HeldQuestion {
  readonly method: string;
  readonly params: LooseObject;
  /** The name of the client; undefined if it has not said one. */
  readonly client: string | undefined;
  /** The tool, resource or prompt whose call asks; undefined where the protocol does not say it. */
  readonly entry: string | undefined;
  /**
   * Answers instead of the client, which learns that its answer is no longer needed.
   * @returns false if the question does not wait any more, or cannot be answered like that
   */
  readonly answer: (answer: AnswerInPlace) => boolean;
}

/** Is shown every question to a client. */
export interface QuestionWatcher {
  /** The server asks. @returns called when the question does not wait any more */
  asked(question: HeldQuestion): () => void;
}

/** The reason that a client is given. */
export const ANSWERED_ELSEWHERE = 'The question was answered in the page of sigil dev.';

/** How the questions of one session are answered instead of its client. */
export interface QuestionRoute {
  readonly watcher: QuestionWatcher;
  /** The name of the client. */
  readonly client: () => string | undefined;
  /** Sends an answer to the server, as if the client had sent it. @param outer the answer with the id that the client knows */
  readonly reply: (text: string, outer: string) => void;
  /** Sends a message to the client. */
  readonly tell: (text: string) => void;
}

/** A request that waits for its answer. */
interface QuestionRequest {
  readonly inner: RequestId;
  /** Tells who watches that it does not wait any more. */
  readonly end: (() => void) | undefined;
}

/**
 * The ids of the open server requests of one session. Each new server starts counting at the same number, but for the client they are one
 * server. So each request gets a unique id on its way, and its answer gets the original id on the way back.
 */
export class QuestionIds {
  readonly #asked = new Map<string, QuestionRequest>();
  #last = 0;

  /** @param route shows the questions; nobody sees them if left out */
  constructor(private readonly route?: QuestionRoute) {}

  /** The message for the client in place of the server's; undefined if it need not change. */
  rename(message: MessageShape): string | undefined {
    if (isRequest(message)) return JSON.stringify({ ...message, id: this.#send(message) });
    const requestId = this.#withdraw(cancelledId(message));
    return requestId && JSON.stringify({ ...message, params: { ...message.params, requestId } });
  }

  /** An answer of the client with the server's own id; undefined if the request is no longer open. */
  restore(answer: ResponseShape): string | undefined {
    const asked = this.#take(String(answer.id));
    return asked && JSON.stringify({ ...answer, id: asked.inner });
  }

  /** Forgets the requests of a server that has ended. @returns their ids, which the client may stop answering */
  forget(): readonly string[] {
    const open = [...this.#asked.keys()];
    for (const outer of open) this.#take(outer);
    return open;
  }

  #send({ id, method, params = {} }: RequestShape): string {
    this.#last += 1;
    const outer = `dev-${this.#last}`;
    const { route } = this;
    const end = route?.watcher.asked({
      method,
      params,
      client: route.client(),
      entry: undefined,
      answer: (answer) => this.#answer(outer, answer, route),
    });
    this.#asked.set(outer, { inner: id, end });
    return outer;
  }

  /** Answers instead of the client, unless there is an answer. */
  #answer(outer: string, answer: AnswerInPlace, { reply, tell }: QuestionRoute): boolean {
    const asked = this.#take(outer);
    if (!asked) return false;
    reply(responseOf(asked.inner, answer), responseOf(outer, answer));
    const params = { requestId: outer, reason: ANSWERED_ELSEWHERE };
    tell(writeNotification({ jsonrpc: '2.0', method: 'notifications/cancelled', params }));
    return true;
  }

  #withdraw(id: RequestId | undefined): string | undefined {
    for (const [outer, { inner }] of this.#asked) {
      if (inner !== id) continue;
      this.#take(outer);
      return outer;
    }
    return undefined;
  }

  #take(outer: string): QuestionRequest | undefined {
    const asked = this.#asked.get(outer);
    this.#asked.delete(outer);
    asked?.end?.();
    return asked;
  }
}

function responseOf(id: RequestId, answer: AnswerInPlace): string {
  if ('refused' in answer) return writeError(id, { code: ERROR_CODES['internal-error'], message: answer.refused });
  return JSON.stringify({ jsonrpc: '2.0', id, result: answer.result });
}

/** Calls that wait for the next round of their clients, and those that were answered. */
const MOST = 200;
const ASKS = 'input_required';

/** Sends a round to the server. @returns the text of its answer */
export type SendRound = (round: RequestShape) => Promise<string>;

/** A question of a call. */
interface RoundQuestion {
  readonly method: string;
  /** Tells who watches that it does not wait any more. */
  readonly end: () => void;
  answer?: LooseObject;
}

/** A call that asks. */
interface AskingCall {
  readonly request: RequestShape;
  readonly send: SendRound;
  readonly questions: Map<string, RoundQuestion>;
}

/**
 * The calls of all clients that ask, in the revision without sessions: the answer to a call is what the server asks, and the client sends the
 * call again with its answers. If another one answers first, the client's own next round receives what came of that, and the handler does not
 * run again.
 */
export class QuestionRounds {
  /** By the state that comes back in the next round. */
  readonly #asking = new Map<string, AskingCall>();
  /** What came of calls that another one has answered. */
  readonly #answered = new Map<string, Promise<string>>();
  #count = 0;

  /** @param watcher is shown the questions; this does nothing without it */
  constructor(private readonly watcher: QuestionWatcher | undefined) {}

  /** Receives an answer of the server. @param send sends another round of the same call */
  hear(request: MessageShape | undefined, { result }: MessageShape, send: SendRound): void {
    const { watcher } = this;
    if (!watcher || !request || !isRequest(request) || result?.['resultType'] !== ASKS) return;
    const { requestState: state, inputRequests } = result;
    if (typeof state !== 'string' || !isObject(inputRequests) || Object.keys(inputRequests).length === 0) return;
    const questions = new Map<string, RoundQuestion>();
    remember(this.#asking, state, { request, send, questions });
    const client = clientOf(request.params?.['_meta']);
    const named = request.params?.['name'] ?? request.params?.['uri'];
    const entry = typeof named === 'string' ? named : undefined;
    for (const [key, question] of Object.entries(inputRequests)) {
      const { method, params } = isObject(question) ? question : { method: '', params: {} };
      const read = { method: String(method), params: isObject(params) ? params : {} };
      const answer = (given: AnswerInPlace): boolean => this.#answer(state, key, given);
      questions.set(key, { method: read.method, end: watcher.asked({ ...read, client, entry, answer }) });
    }
  }

  /**
   * Takes a request of a client.
   * @returns its answer, if another one has answered for it; undefined if it is for the server
   */
  take(message: MessageShape): Promise<string> | undefined {
    const state = message.params?.['requestState'];
    if (!this.watcher || typeof state !== 'string' || !isRequest(message)) return undefined;
    const answered = this.#answered.get(state);
    if (!answered) this.#end(state);
    return answered?.then(
      (text) => withId(text, message),
      () => restartError(message.id, 'The server has ended.'),
    );
  }

  #answer(state: string, key: string, given: AnswerInPlace): boolean {
    const asking = this.#asking.get(state);
    const question = asking?.questions.get(key);
    const answer = question && resultOf(question.method, given);
    if (!asking || !answer || question.answer) return false;
    question.answer = answer;
    // The next round has the answers to all questions.
    if ([...asking.questions.values()].every((one) => one.answer)) {
      this.#end(state);
      remember(this.#answered, state, this.#goOn(state, asking));
    } else question.end();
    return true;
  }

  async #goOn(state: string, { request, questions, send }: AskingCall): Promise<string> {
    this.#count += 1;
    const { _meta, ...params } = request.params ?? {};
    // Nobody waits for the progress of a round that the client has not sent.
    const { progressToken: _token, ...meta } = isObject(_meta) ? _meta : { progressToken: undefined };
    const inputResponses = Object.fromEntries([...questions].map(([key, { answer }]) => [key, answer]));
    const round = {
      ...request,
      id: `sigil-answer:${this.#count}`,
      params: { ...params, _meta: meta, requestState: state, inputResponses },
    };
    const text = await send(round);
    for (const answer of readShapes(text)) this.hear(round, answer, send);
    return text;
  }

  #end(state: string): void {
    const asking = this.#asking.get(state);
    this.#asking.delete(state);
    for (const { end } of asking?.questions.values() ?? []) end();
  }
}

function remember<T>(map: Map<string, T>, state: string, value: T): void {
  map.set(state, value);
  const [oldest] = map.keys();
  if (map.size > MOST && oldest !== undefined) map.delete(oldest);
}

/** A form can be cancelled; there is no refusal of anything else. */
function resultOf(method: string, answer: AnswerInPlace): LooseObject | undefined {
  if ('result' in answer) return answer.result;
  return method === 'elicitation/create' ? { action: 'cancel' } : undefined;
}

/** The answer under the id of another request. */
function withId(text: string, { id }: RequestShape): string {
  const read: unknown = JSON.parse(text);
  return JSON.stringify(isObject(read) ? { ...read, id } : read);
}
