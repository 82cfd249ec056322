/** Results that are the same for every caller, such as lists, are serialised once per revision. */
import { isKeptResult } from '../output/kept-result';
import type { Implementation, Method, ParamsOf, ResultOf, Revision } from '@sigil-mcp/protocol';

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

/** The request that a result answers. */
interface AnsweredRequest<M extends Method> {
  readonly method: M;
  readonly params: ParamsOf<M>;
}

/** Writes results, and keeps the texts of those that stay as they are (`keepResult`) for as long as the result lives. */
export class ResultTexts {
  readonly #texts = new WeakMap<object, Map<Revision, CachedText>>();

  constructor(private readonly server: Implementation) {}

  /** Gives the text of a result, kept if the result is. Throws what `JSON.stringify` throws. */
  write<M extends Method>(
    revision: Revision,
    { method, params }: AnsweredRequest<M>,
    result: ResultOf<M>,
  ): string | CachedText {
    if (!isKeptResult(result) || revision.resultsOfParams.has(method))
      return revision.writerFor(this.server).writeResultText(method, result, params);
    let texts = this.#texts.get(result);
    if (!texts) this.#texts.set(result, (texts = new Map<Revision, CachedText>()));
    let kept = texts.get(revision);
    if (!kept) {
      kept = new CachedText(revision.writerFor(this.server).writeResultText(method, result));
      texts.set(revision, kept);
    }
    return kept;
  }
}
