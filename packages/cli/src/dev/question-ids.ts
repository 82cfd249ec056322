/**
 * The ids of what servers ask of the client. Each server begins to count anew, the client hears them all as one: so each
 * question gets an id of its own on its way, and the answer the old one on its way back.
 */
import type { RequestId } from '@sigil-mcp/protocol';

/** Kept for one session. */
export class QuestionIds {
  readonly #asked = new Map<RequestId, RequestId>();
  #last = 0;

  /** A question of the server goes out. @returns the id under which the client hears it */
  send(id: RequestId): string {
    this.#last += 1;
    const outer = `dev-${this.#last}`;
    this.#asked.set(outer, id);
    return outer;
  }

  /** An answer comes back. @returns the server's own id; undefined for a question that nobody waits for */
  take(outer: RequestId): RequestId | undefined {
    const id = this.#asked.get(outer);
    this.#asked.delete(outer);
    return id;
  }

  /** The id under which the client knows a question that the server withdraws. */
  withdraw(id: unknown): string | undefined {
    for (const [outer, inner] of this.#asked) {
      if (inner !== id) continue;
      this.#asked.delete(outer);
      // Made here.
      return outer as string;
    }
    return undefined;
  }

  /** The server is gone. @returns the ids of what it asked and will not hear an answer to */
  forget(): readonly RequestId[] {
    const open = [...this.#asked.keys()];
    this.#asked.clear();
    return open;
  }
}
