/**
 * The ids of the requests that servers send to a client. Each new server starts counting at the same number, but for the client they are
 * one server. So each request gets a unique id on its way, and its answer gets the original id on the way back.
 */
import type { RequestId } from '@sigil-mcp/protocol';
import { cancelledId, isRequest, type MessageShape, type ResponseShape } from './message-shape';

/** The ids of the open server requests of one session. */
export class QuestionIds {
  readonly #asked = new Map<string, RequestId>();
  #last = 0;

  /** The message for the client in place of the server's; undefined if it need not change. */
  rename(message: MessageShape): string | undefined {
    if (isRequest(message)) return JSON.stringify({ ...message, id: this.#send(message.id) });
    const requestId = this.#withdraw(cancelledId(message));
    return requestId && JSON.stringify({ ...message, params: { ...message.params, requestId } });
  }

  /** An answer of the client with the server's own id; undefined if the request is no longer open. */
  restore(answer: ResponseShape): string | undefined {
    const outer = String(answer.id);
    const id = this.#asked.get(outer);
    this.#asked.delete(outer);
    return id === undefined ? undefined : JSON.stringify({ ...answer, id });
  }

  /** Forgets the requests of a server that has ended. @returns their ids, which the client may stop answering */
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
