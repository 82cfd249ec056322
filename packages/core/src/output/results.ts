/** Results that are more than data: a tool's result with explicit parts, and results whose text is kept. */
import { requireOptions, type OptionRule } from '@sigil-mcp/base';
import type { ContentBlock, Implementation, Meta, Method, ParamsOf, ResultOf, Revision } from '@sigil-mcp/protocol';

/** Compilers name it in the error for a result that was put together by hand: the name says what makes one. */
const madeByToolResult = Symbol.for('sigil.tool-result');

/** The parts of a tool's result, each optional. */
export interface ToolResultInit {
  /** Blocks, or text; the data as text if left out, and nothing without data. */
  readonly content?: readonly (ContentBlock | string)[] | ContentBlock | string | undefined;
  /** Data, checked against the tool's output class if it has one; none if left out. */
  readonly structured?: unknown;
  /** Whether the call failed, in a way that the model should read; false if left out. An output class then takes no data. */
  readonly isError?: boolean | undefined;
  /** What the result travels with as `_meta`; nothing if left out. */
  readonly meta?: Meta | undefined;
}

const PARTS: Readonly<Record<keyof ToolResultInit, OptionRule | undefined>> = {
  content: undefined,
  structured: undefined,
  isError: undefined,
  meta: undefined,
};

/** What a tool's method returns to say its result part by part; made by `toolResult`. */
export interface ToolResult extends ToolResultInit {
  readonly [madeByToolResult]: true;
}

/**
 * Says a tool's result part by part.
 * @throws DefinitionError for a part that does not exist
 * @example return toolResult({ content: [text('Here it is.'), image(png, 'image/png')], structured: { width: 12 } });
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/tools
 */
export function toolResult(init: ToolResultInit): ToolResult {
  // Spelt out: what a spread makes takes twenty times as long, and every reader of it is slow on it.
  for (const name in init) if (!Object.hasOwn(PARTS, name)) requireOptions('toolResult', init, PARTS);
  const { content, structured, isError, meta } = init;
  return { content, structured, isError, meta, [madeByToolResult]: true };
}

/** Whether a value was made by `toolResult`. */
export function isToolResult(value: unknown): value is ToolResult {
  return typeof value === 'object' && value !== null && madeByToolResult in value;
}

// Results that never change and are the same for every caller, such as a page of a list: their text is written once per revision.

/** Marks a result. Not enumerable, so that the copy which an interceptor makes of a result does not pass for it. */
const KEPT = Symbol('sigil.kept');

/** Says that a result stays as it is. What it holds directly, and the lists within, cannot be changed from now on. */
export function keepResult<R extends object>(result: R): R {
  for (const value of Object.values(result) as unknown[]) if (Array.isArray(value)) Object.freeze(value);
  Object.defineProperty(result, KEPT, { value: true });
  return Object.freeze(result);
}

/** Whether `keepResult` said so of this very object. One that is just frozen may hold what changes. */
function isKeptResult(result: object): boolean {
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
