/** The roots of a client that says when they change: asked for once, until they do. */
import type { JsonObject } from '@sigil-mcp/protocol';

/** Kept for a conversation. */
export class KeptRoots {
  #result: JsonObject | undefined;
  #changes = 0;

  /** As the client answered last; undefined where that is no longer true. */
  get result(): JsonObject | undefined {
    return this.#result;
  }

  /** Called when the client is asked; what it returns takes the answer, which is kept if nothing has changed since. */
  expect(): (result: JsonObject) => void {
    const before = this.#changes;
    return (result) => {
      if (before === this.#changes) this.#result = result;
    };
  }

  /** The client says that they have changed. */
  forget(): void {
    this.#changes += 1;
    this.#result = undefined;
  }
}
