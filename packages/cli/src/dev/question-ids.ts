/**
 * The ids of the requests that servers send to a client. Each new server starts counting at the same number, but for the client they are
 * one server. So each request gets a unique id on its way, and its answer gets the original id on the way back.
 */
import { ERROR_CODES, writeError, writeNotification, type RequestId } from '@sigil-mcp/protocol';
import { ANSWERED_ELSEWHERE, type AnswerInPlace, type QuestionWatcher } from './held-questions';
import { cancelledId, isRequest, type MessageShape, type RequestShape, type ResponseShape } from './message-shape';

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

/** The ids of the open server requests of one session. */
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
