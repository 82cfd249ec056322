/** Results that never change and are the same for every caller, such as a page of a list: their text is written once per revision. */
import type { Implementation, Method, ParamsOf, ResultOf, Revision } from '@sigil-mcp/protocol';

/** Marks a result. Not enumerable, so that the copy which an interceptor makes of a result does not pass for it. */
const KEPT = Symbol('sigil.kept');

/** Says that a result stays as it is. What it holds directly, and the lists within, cannot be changed from now on. */
export function keepResult<R extends object>(result: R): R {
  for (const value of Object.values(result) as unknown[]) if (Array.isArray(value)) Object.freeze(value);
  Object.defineProperty(result, KEPT, { value: true });
  return Object.freeze(result);
}

/** Whether `keepResult` said so of this very object. One that is just frozen may hold what changes. */
export function isKeptResult(result: object): boolean {
  return KEPT in result;
}

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
