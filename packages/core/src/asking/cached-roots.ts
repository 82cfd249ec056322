/** The roots of a client that reports changes of them: requested once, and again only after a change. */
import { weightOfValue, type JsonObject } from '@sigil-mcp/protocol';

/** Bytes of memory of an answer that is kept for as long as the conversation; a heavier one is asked for again each time. */
const HEAVIEST = 16 * 1024;

/** Keeps the client's answer to `roots/list` for one conversation. */
export class CachedRoots {
  #result: JsonObject | undefined;
  #changes = 0;
  #giveBack: (() => void) | undefined;

  /** @param count counts bytes of memory for as long as the answer is kept; it returns what gives them back */
  constructor(private readonly count: (bytes: number) => () => void) {}

  /** The client's last answer; undefined before there was one, and where its roots have changed since. */
  get result(): JsonObject | undefined {
    return this.#result;
  }

  /** Called when the client is asked. Returns a function that takes the answer and keeps it if no roots changed meanwhile. */
  expect(): (result: JsonObject) => void {
    const before = this.#changes;
    return (result) => {
      const weight = weightOfValue(result, HEAVIEST);
      if (before !== this.#changes || weight > HEAVIEST) return;
      this.#giveBack?.();
      this.#giveBack = this.count(weight);
      this.#result = result;
    };
  }

  /** Drops the answer, because the client says that its roots have changed. */
  forget(): void {
    this.#changes += 1;
    this.#result = undefined;
    this.#giveBack?.();
    this.#giveBack = undefined;
  }
}
