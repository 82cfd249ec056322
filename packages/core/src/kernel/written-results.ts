/** Results that are the same for every caller are serialised once per revision. */
import type { Implementation, Method, ResultOf, Revision } from '@sigil-mcp/protocol';
import { KeptText } from './kept-text';

/** Writes results, and keeps the texts of those that are frozen for as long as the result lives. */
export class WrittenResults {
  readonly #texts = new WeakMap<object, Map<Revision, KeptText>>();

  constructor(private readonly server: Implementation) {}

  /** Throws what `JSON.stringify` throws. */
  write<M extends Method>(revision: Revision, method: M, result: ResultOf<M>): string | KeptText {
    if (!Object.isFrozen(result)) return revision.writeResultText(method, result, this.server);
    let texts = this.#texts.get(result);
    if (!texts) this.#texts.set(result, (texts = new Map<Revision, KeptText>()));
    let kept = texts.get(revision);
    if (!kept) texts.set(revision, (kept = new KeptText(revision.writeResultText(method, result, this.server))));
    return kept;
  }
}
