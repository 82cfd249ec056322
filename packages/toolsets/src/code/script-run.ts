/** One run of a script: the tools that it calls, each with its guards and limits, and what is kept if the user has to be asked. */
import { createHash } from 'node:crypto';
import {
  isSuspension,
  ProtocolError,
  ToolFailure,
  type EntryFacts,
  type JsonObject,
  type JsonValue,
} from '@sigil-mcp/core';
import { isObject } from '@sigil-mcp/core/internal';
import type { ToolsetCall } from '../toolset-tool';
import { LONGEST_QUERY } from '../search-options';
import type { LimitsOfScripts } from './code-options';
import { runInSandbox, type ScriptQuestion } from './sandbox';
import { compiledEngine } from './compiler';
import type { EndedScript } from './threads/messages';

/** What a run needs. */
export interface RunInit extends ToolsetCall {
  /** JavaScript that the compiler has made. */
  readonly script: string;
  /** The tools that the caller may see, by their names. */
  readonly tools: ReadonlyMap<string, EntryFacts<'tool'>>;
  readonly limits: LimitsOfScripts;
  /** Answers a search with declarations. */
  search(words: string, limit: number | undefined): string;
}

/** How a call of a tool ended, as JSON. */
type Outcome = { readonly value: JsonValue } | { readonly error: string };

/** Characters of a digest that tells calls apart. */
const DIGITS = 16;

/** Runs a script once. */
export class ScriptRun {
  /** How often the same tool was called with the same arguments. */
  readonly #seen = new Map<string, number>();
  readonly #active = new Set<Promise<unknown>>();
  /** Ends the script: with a question that the client answers in a later round, or with an error of the server. */
  readonly #stop = new AbortController();
  readonly #refusals = new Map<string, ProtocolError>();

  constructor(private readonly init: RunInit) {}

  /**
   * @throws the suspension of a tool that asks; the script is run again with the answer
   */
  async run(): Promise<EndedScript> {
    const { context } = this.init.call;
    const { script, tools } = this.init;
    // The same in each round of a call, because the script is to do the same.
    const now = await context.once('now', () => this.init.call.clock.now());
    const seed = createHash('sha256').update(context.onceId('seed')).digest().readUInt32LE();
    const limits = { ...this.init.limits, words: LONGEST_QUERY };
    const data = { engine: await compiledEngine(), script, names: [...tools.keys()], now, seed, limits };
    try {
      return await runInSandbox(
        data,
        (question) => this.#answer(question),
        AbortSignal.any([context.signal, this.#stop.signal]),
      );
    } finally {
      // Tools that the script did not wait for end before it is answered; what they have done is kept.
      await Promise.allSettled(this.#active);
      // A tool that was not awaited may have asked, too.
      this.#stop.signal.throwIfAborted();
    }
  }

  /** The refusal behind an error of a tool, such as missing scopes; undefined for any other error. */
  refusalOf(message: string): ProtocolError | undefined {
    return this.#refusals.get(message);
  }

  #answer(question: ScriptQuestion): Promise<string> {
    if (question.kind === 'search') return this.#search(question.json);
    const running = this.#call(question.name, question.json);
    this.#active.add(running);
    running.then(
      () => this.#active.delete(running),
      () => this.#active.delete(running),
    );
    return running;
  }

  async #search(json: string): Promise<string> {
    const given: unknown = JSON.parse(json);
    const { words, limit } = isObject(given) ? given : {};
    if (typeof words !== 'string') throw new ToolFailure('search() takes words as text.');
    if (words.length > LONGEST_QUERY)
      throw new ToolFailure(`search() takes words of up to ${LONGEST_QUERY} characters.`);
    return JSON.stringify(this.init.search(words, typeof limit === 'number' ? limit : undefined));
  }

  async #call(name: string, json: string): Promise<string> {
    // What the sandbox has written is JSON.
    const given = JSON.parse(json) as JsonValue;
    if (!isObject(given) || Array.isArray(given)) throw new ToolFailure(`The arguments of ${name} must be an object.`);
    const key = this.#keyOf(name, json);
    const run = (): Promise<Outcome> => this.#runTool(name, given, key);
    const outcome = await this.init.call.context.once(`call ${key}`, run);
    if ('error' in outcome) throw new ToolFailure(outcome.error);
    return JSON.stringify(outcome.value);
  }

  /** The same for the same call when the script runs again, regardless of the order in which its calls end. */
  #keyOf(name: string, json: string): string {
    const digest = createHash('sha256').update(`${name} ${json}`).digest('base64url').slice(0, DIGITS);
    const count = (this.#seen.get(digest) ?? 0) + 1;
    this.#seen.set(digest, count);
    return count === 1 ? digest : `${digest}-${count}`;
  }

  async #runTool(name: string, given: JsonObject, scope: string): Promise<Outcome> {
    const { call, limits } = this.init;
    try {
      const result = await call.run('tools/call', { name, arguments: given }, { scope });
      const { content, structuredContent, isError } = result;
      if (isError === true) return { error: textOf(content) ?? JSON.stringify(content) };
      // Of the tool's result, content and data are JSON.
      const value = (structuredContent ?? textOf(content) ?? content) as JsonValue;
      const { length } = JSON.stringify(value);
      if (length <= limits.answer) return { value };
      return { error: `${name} answered with ${length} characters; a script takes ${limits.answer} (limits.answer).` };
    } catch (error) {
      if (!isSuspension(error) && error instanceof ProtocolError) {
        this.#refusals.set(error.message, error);
        return { error: error.message };
      }
      this.#stop.abort(error);
      throw error;
    }
  }
}

/** The text of content; undefined if there is something else in it. */
function textOf(content: readonly { readonly type: string }[]): string | undefined {
  const texts = content.flatMap((block) => ('text' in block && block.type === 'text' ? [String(block.text)] : []));
  return texts.length === content.length ? texts.join('\n') : undefined;
}
