/**
 * The ids of what servers ask of the client. Each server begins to count anew, the client hears them all as one: so each
 * question gets an id of its own on its way, and the answer the old one on its way back.
 */
import type { RequestId } from '@sigil-mcp/protocol';
import { cancelledId, isRequest, type MessageShape, type ResponseShape } from './message-shape';

/** The ids of the questions that are open in one session. */
export class QuestionIds {
  readonly #asked = new Map<string, RequestId>();
  #last = 0;

  /** What the client is to hear instead of a message of the server; undefined where it may hear it as it is. */
  rename(message: MessageShape): string | undefined {
    if (isRequest(message)) return JSON.stringify({ ...message, id: this.#send(message.id) });
    const requestId = this.#withdraw(cancelledId(message));
    return requestId && JSON.stringify({ ...message, params: { ...message.params, requestId } });
  }

  /** An answer of the client, under the server's own id; undefined if it is to a question that nobody waits for. */
  restore(answer: ResponseShape): string | undefined {
    const outer = String(answer.id);
    const id = this.#asked.get(outer);
    this.#asked.delete(outer);
    return id === undefined ? undefined : JSON.stringify({ ...answer, id });
  }

  /** The server is gone. @returns the ids of what it asked and will not hear an answer to */
  forget(): readonly string[] {
    const open = [...this.#asked.keys()];
    this.#asked.clear();
    return open;
  }

  #send(id: RequestId): string {
    this.#last += 1;
    const outer = `dev-${this.#last}`;
    this.#asked.set(outer, id);
    return outer;
  }

  #withdraw(id: RequestId | undefined): string | undefined {
    for (const [outer, inner] of this.#asked) {
      if (inner !== id) continue;
      this.#asked.delete(outer);
      return outer;
    }
    return undefined;
  }
}
