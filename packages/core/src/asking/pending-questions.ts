/** The questions of a conversation that wait for an answer from the client. */
import {
  writeRequest,
  type InboundResponse,
  type RequestId,
  type WrittenServerRequest,
  weightOfValue,
  type JsonObject,
} from '@sigil-mcp/protocol';
import { Deadline, type Clock } from '@sigil-mcp/base';
import { AskFailure } from '../errors/failures';

/** How a question is sent. */
interface QuestionWay {
  /** Sends the text of one message. */
  readonly send: (text: string) => void;
  /** Notifies the client that its answer to a request of the server is no longer awaited. */
  readonly withdraw: (id: string, reason: string) => void;
  /** Milliseconds that the client has to answer. */
  readonly timeout: number;
  readonly clock: Clock;
  /** Counts the memory of the answer, in bytes. Throws if the limit is reached. */
  readonly hold: (bytes: number) => void;
  /** The question in readable form. */
  readonly label: string;
}

/** Finds the question that an answer belongs to. An id is used once in a conversation. */
export class PendingQuestions {
  readonly #open = new Map<RequestId, PendingQuestion>();
  /** Questions that wait until the client says that it can be asked; undefined once it has. */
  #unsent: Set<PendingQuestion> | undefined;
  #hungUp: Error | undefined;
  #lastId = 0;

  /**
   * @param isReady false if the client has yet to report that it is ready
   * @param asker distinguishes the ids of this process from those of others; left out if no other process asks
   */
  constructor(
    isReady: boolean,
    private readonly asker?: string,
  ) {
    this.#unsent = isReady ? undefined : new Set();
  }

  /** Sends what has waited: the client can be asked from now on. */
  ready(): void {
    const unsent = this.#unsent;
    this.#unsent = undefined;
    for (const question of unsent ?? []) question.send();
  }

  /** Sends a question, as soon as the client is ready. */
  ask(request: WrittenServerRequest, way: QuestionWay): PendingQuestion {
    this.#lastId += 1;
    const id = idOf(this.#lastId, this.asker);
    const text = writeRequest({ jsonrpc: '2.0', id, ...request });
    const question: PendingQuestion = new PendingQuestion(id, text, way, () => {
      this.#open.delete(id);
      this.#unsent?.delete(question);
    });
    this.#open.set(id, question);
    if (this.#hungUp) question.fail(this.#hungUp);
    else if (this.#unsent) this.#unsent.add(question);
    else question.send();
    return question;
  }

  /** Takes an answer of the client; an answer that is not awaited, or no longer, is ignored. */
  settle(response: InboundResponse): void {
    this.#open.get(response.id)?.settle(response);
  }

  /** Fails the pending questions, and those that are asked later: no answer can arrive any more. */
  hangUp(reason: Error): void {
    this.#hungUp = reason;
    for (const question of [...this.#open.values()]) question.fail(reason);
  }
}

function idOf(number: number, asker: string | undefined): string {
  return asker === undefined ? `ask-${number}` : `ask-${asker}-${number}`;
}

/** The instance that asked the question with this id, if it is one of several that share their conversations. */
export function askerOf(id: RequestId): string | undefined {
  return typeof id === 'string' ? /^ask-([\da-f]{16})-\d+$/.exec(id)?.[1] : undefined;
}

/** A pending question; made by `PendingQuestions`. */
export class PendingQuestion {
  /** Resolves to the client's result, as it came; rejects with `AskFailure`, or with the reason why it was given up. */
  readonly answer: Promise<JsonObject>;
  #resolve: (result: JsonObject) => void = () => undefined;
  #reject: (error: Error) => void = () => undefined;
  readonly #deadline: Deadline;
  #isSent = false;
  #isOver = false;

  /** @param onEnd called once, however it ends */
  constructor(
    private readonly id: string,
    private readonly text: string,
    private readonly way: QuestionWay,
    private readonly onEnd: () => void,
  ) {
    this.answer = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    const { timeout, label, clock } = way;
    const late = new AskFailure(`The client did not answer ${label} within ${timeout} ms.`, 'timeout');
    this.#deadline = new Deadline(clock, timeout);
    this.#deadline.onPassed(() => this.cancel(late));
  }

  /** Sends the question, unless it has ended already. */
  send(): void {
    if (this.#isOver) return;
    this.#isSent = true;
    this.way.send(this.text);
  }

  /** Takes the client's answer. An error response rejects with `AskFailure`, an answer beyond the limits with `Denial`. */
  settle({ result, error }: InboundResponse): void {
    if (error) {
      const words = `The client refused ${this.way.label}: ${error.message.slice(0, 500)}`;
      this.fail(new AskFailure(words, 'refused', error.code));
    } else this.#take(result ?? {});
  }

  #take(result: JsonObject): void {
    if (this.#isOver) return;
    try {
      this.way.hold(weightOfValue(result));
    } catch (error) {
      return this.fail(error as Error);
    }
    if (this.#end()) this.#resolve(result);
  }

  /** Ends the question without a message to the client. */
  fail(reason: Error): void {
    if (this.#end()) this.#reject(reason);
  }

  /** Ends the question and says so to the client, which may have a form on the screen. */
  cancel(reason: Error): void {
    if (this.#isOver) return;
    this.fail(reason);
    if (this.#isSent) this.way.withdraw(this.id, reason.message);
  }

  #end(): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    this.#deadline.stop();
    this.onEnd();
    return true;
  }
}
