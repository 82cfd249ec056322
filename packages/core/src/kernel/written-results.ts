/** Results that are the same for every caller are serialised once per revision. */
import type { Implementation, Method, ResultOf, Revision } from '@sigil-mcp/protocol';

/** Writes results, and keeps the texts of those that are frozen for as long as the result lives. */
export class WrittenResults {
  readonly #texts = new WeakMap<object, Map<Revision, string>>();

  constructor(private readonly server: Implementation) {}

  /** Throws what `JSON.stringify` throws. */
  write<M extends Method>(revision: Revision, method: M, result: ResultOf<M>): string {
    if (!Object.isFrozen(result)) return revision.writeResultText(method, result, this.server);
    let texts = this.#texts.get(result);
    if (!texts) this.#texts.set(result, (texts = new Map<Revision, string>()));
    let text = texts.get(revision);
    if (text === undefined) texts.set(revision, (text = revision.writeResultText(method, result, this.server)));
    return text;
  }
}
