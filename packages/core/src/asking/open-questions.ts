/** The questions of a conversation that wait for an answer from the client. */
import { writeRequest, type InboundResponse, type JsonObject, type WrittenServerRequest } from '@sigil-mcp/protocol';
import { AskFailure } from '../errors/ask-failure';

/** Where a question goes out. */
export interface QuestionWay {
  readonly send: (text: string) => void;
  /** Milliseconds that the client has to answer. */
  readonly timeout: number;
  readonly label: string;
  /** Tells the client that nobody waits for its answer any more. */
  readonly withdraw: (id: string, reason: string) => void;
}

/** A question on its way. */
export interface OpenQuestion {
  readonly answer: Promise<JsonObject>;
  /** Gives up on it, unless it is answered. */
  cancel(reason: Error): void;
}

interface Waiting {
  readonly settle: (response: InboundResponse) => void;
}

/** Finds the question that an answer belongs to. An id is used once in a conversation. */
export class OpenQuestions {
  readonly #waiting = new Map<unknown, Waiting>();
  #lastId = 0;
  #isReady: boolean;
  #unsent: (() => void)[] = [];

  /** @param isReady false where the client has yet to say that it can be asked */
  constructor(isReady = false) {
    this.#isReady = isReady;
  }

  get size(): number {
    return this.#waiting.size;
  }

  /** The client can be asked from now on. */
  ready(): void {
    this.#isReady = true;
    for (const send of this.#unsent.splice(0)) send();
  }

  /** Sends a question, as soon as the client is ready. */
  ask(question: WrittenServerRequest, way: QuestionWay): OpenQuestion {
    this.#lastId += 1;
    const id = `ask-${this.#lastId}`;
    let isSent = false;
    const send = (): void => {
      if (!this.#waiting.has(id)) return;
      isSent = true;
      way.send(writeRequest({ jsonrpc: '2.0', id, ...question }));
    };
    const { answer, waiting, fail } = this.#wait(id, way, () => isSent && way.withdraw(id, 'It took too long.'));
    this.#waiting.set(id, waiting);
    if (this.#isReady) send();
    else this.#unsent.push(send);
    const cancel = (reason: Error): void => {
      if (!this.#waiting.has(id)) return;
      fail(reason);
      if (isSent) way.withdraw(id, reason.message);
    };
    return { answer, cancel };
  }

  /** Takes an answer; one that nobody waits for, or waits for no longer, is ignored. */
  settle(response: InboundResponse): void {
    this.#waiting.get(response.id)?.settle(response);
  }

  #wait(id: string, { timeout, label }: QuestionWay, onTimeout: () => void) {
    let resolve: (result: JsonObject) => void = () => undefined;
    let reject: (error: Error) => void = () => undefined;
    const answer = new Promise<JsonObject>((...settlers) => ([resolve, reject] = settlers));
    const fail = (error: Error): void => {
      this.#waiting.delete(id);
      clearTimeout(timer);
      reject(error);
    };
    const timer = setTimeout(() => {
      fail(new AskFailure(`The client did not answer ${label} within ${timeout} ms.`, 'timeout'));
      onTimeout();
    }, timeout);
    const settle = ({ result, error }: InboundResponse): void => {
      if (error) return fail(refusalOf(label, error));
      this.#waiting.delete(id);
      clearTimeout(timer);
      resolve(result ?? {});
    };
    return { answer, fail, waiting: { settle } };
  }
}

function refusalOf(label: string, { code, message }: NonNullable<InboundResponse['error']>): AskFailure {
  return new AskFailure(`The client refused ${label}: ${message.slice(0, 500)}`, 'refused', code);
}
