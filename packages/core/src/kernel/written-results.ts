/** Results that are the same for every caller, such as lists, are serialised once per revision. */
import { isKeptResult } from '../output/kept-result';
import type { Implementation, Method, ResultOf, Revision } from '@sigil-mcp/protocol';

/** A result's text and, on first use, its bytes: encoding a long list costs more than a lookup. */
export class CachedText {
  #bytes: Buffer | undefined;

  constructor(readonly text: string) {}

  /** The UTF-8 of the text between two others. */
  bytesBetween(before: string, after: string): Buffer {
    this.#bytes ??= Buffer.from(this.text);
    return Buffer.concat([Buffer.from(before), this.#bytes, Buffer.from(after)]);
  }
}

/** Writes results, and keeps the texts of those that stay as they are (`keepResult`) for as long as the result lives. */
export class WrittenResults {
  readonly #texts = new WeakMap<object, Map<Revision, CachedText>>();

  constructor(private readonly server: Implementation) {}

  /** Gives the text of a result, kept if the result is. Throws what `JSON.stringify` throws. */
  write<M extends Method>(revision: Revision, method: M, result: ResultOf<M>): string | CachedText {
    if (!isKeptResult(result)) return this.#writeText(revision, method, result);
    let texts = this.#texts.get(result);
    if (!texts) this.#texts.set(result, (texts = new Map<Revision, CachedText>()));
    let kept = texts.get(revision);
    if (!kept) texts.set(revision, (kept = new CachedText(this.#writeText(revision, method, result))));
    return kept;
  }

  #writeText<M extends Method>(revision: Revision, method: M, result: ResultOf<M>): string {
    return revision.writerFor(this.server).writeResultText(method, result);
  }
}
