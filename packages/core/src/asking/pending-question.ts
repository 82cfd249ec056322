/** One question on its way to a client, until it is answered or given up. */
import { weightOfValue, type InboundResponse, type JsonObject } from '@sigil-mcp/protocol';
import { Deadline, type Clock } from '@sigil-mcp/base';
import { AskFailure } from '../errors/ask-failure';

/** How a question is sent. */
export interface QuestionWay {
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
