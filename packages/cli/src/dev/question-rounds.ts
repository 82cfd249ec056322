/**
 * Questions in the revision without sessions: the answer to a call is what the server asks, and the client sends the call again with its
 * answers. Another one may answer first; then the client's own next round receives what came of that, and the handler does not run again.
 */
import { isObject } from '@sigil-mcp/base';
import type { LooseObject } from '../json-object';
import { clientOf } from './call-lines';
import type { AnswerInPlace, QuestionWatcher } from './held-questions';
import { isRequest, type MessageShape, type RequestShape } from './message-shape';
import { restartError } from './restart-error';

/** Calls that wait for the next round of their clients, and those that were answered. */
const MOST = 200;
const ASKS = 'input_required';

/** Sends a round to the server. @returns the text of its answer */
export type SendRound = (round: RequestShape) => Promise<string>;

/** A call that asks. */
interface AskingCall {
  readonly request: RequestShape;
  readonly send: SendRound;
  /** The keys of its questions. */
  readonly keys: readonly string[];
  readonly methods: readonly string[];
  readonly answers: Map<string, LooseObject>;
  readonly ends: (() => void)[];
}

/** The calls of all clients that ask. */
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
    if (typeof state !== 'string' || !isObject(inputRequests)) return;
    const questions = Object.entries(inputRequests);
    const read = questions.map(([key, question]) => ({ key, ...readQuestion(question) }));
    const [keys, methods] = [read.map(({ key }) => key), read.map(({ method }) => method)];
    const asking: AskingCall = { request, send, keys, methods, answers: new Map(), ends: [] };
    if (questions.length === 0) return;
    remember(this.#asking, state, asking);
    for (const { key, method, params } of read) {
      const end = watcher.asked({
        method,
        params,
        client: clientOf(request.params?.['_meta']),
        entry: entryOf(request),
        answer: (answer) => this.#answer(state, key, answer),
      });
      asking.ends.push(end);
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
    if (!answered) {
      this.#end(state);
      return undefined;
    }
    return answered.then(
      (text) => withId(text, message),
      () => restartError(message.id, 'The server has ended.'),
    );
  }

  #answer(state: string, key: string, answer: AnswerInPlace): boolean {
    const asking = this.#asking.get(state);
    const result = asking && resultOf(asking.methods[asking.keys.indexOf(key)], answer);
    if (!asking || !result || asking.answers.has(key)) return false;
    asking.answers.set(key, result);
    // The next round has the answers to all questions.
    if (asking.answers.size < asking.keys.length) {
      asking.ends[asking.keys.indexOf(key)]?.();
      return true;
    }
    this.#end(state);
    remember(this.#answered, state, this.#goOn(state, asking));
    return true;
  }

  async #goOn(state: string, { request, answers, send }: AskingCall): Promise<string> {
    this.#count += 1;
    const { _meta, ...params } = request.params ?? {};
    // Nobody waits for the progress of a round that the client has not sent.
    const { progressToken: _token, ...meta } = isObject(_meta) ? _meta : { progressToken: undefined };
    const round = {
      ...request,
      id: `sigil-answer:${this.#count}`,
      params: { ...params, _meta: meta, requestState: state, inputResponses: Object.fromEntries(answers) },
    };
    return send(round);
  }

  #end(state: string): void {
    const asking = this.#asking.get(state);
    this.#asking.delete(state);
    for (const end of asking?.ends ?? []) end();
  }
}

function remember<T>(map: Map<string, T>, state: string, value: T): void {
  map.set(state, value);
  const [oldest] = map.keys();
  if (map.size > MOST && oldest !== undefined) map.delete(oldest);
}

/** A form can be cancelled; there is no refusal of anything else. */
function resultOf(method: string | undefined, answer: AnswerInPlace): LooseObject | undefined {
  if ('result' in answer) return answer.result;
  return method === 'elicitation/create' ? { action: 'cancel' } : undefined;
}

function readQuestion(question: unknown): { readonly method: string; readonly params: LooseObject } {
  const { method, params } = isObject(question) ? question : { method: '', params: {} };
  return { method: String(method), params: isObject(params) ? params : {} };
}

function entryOf({ params }: RequestShape): string | undefined {
  const name = params?.['name'] ?? params?.['uri'];
  return typeof name === 'string' ? name : undefined;
}

/** The answer under the id of another request. */
function withId(text: string, { id }: RequestShape): string {
  const read: unknown = JSON.parse(text);
  return JSON.stringify(isObject(read) ? { ...read, id } : read);
}
