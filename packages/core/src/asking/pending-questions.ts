/** The questions of a conversation that wait for an answer from the client. */
import { writeRequest, type InboundResponse, type RequestId, type WrittenServerRequest } from '@sigil-mcp/protocol';
import { PendingQuestion, type QuestionWay } from './pending-question';

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
