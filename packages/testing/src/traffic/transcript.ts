/** Messages -> readable lines; requests are numbered in order, not by their ids. */
import type { JsonObject, JsonValue } from '@sigil-mcp/protocol';
import type { Traffic } from '@sigil-mcp/client/wire';
import { objectOf, readJson } from '@sigil-mcp/client/wire';
import { isObject } from '@sigil-mcp/core/adapter';
import { errorWords, paramsWords, quoteText, resultWords } from './message-words';

const ARROWS = { client: '→', server: '←' } as const;

/** The transcript of one conversation, which keeps the numbers of its requests. */
export class Transcript {
  /** The number of each request, by who sent it and its id. */
  readonly #numbers = new Map<string, number>();

  /** The lines of a message; a batch has one for each of its messages, and one before. */
  linesOf({ from, text }: Traffic): string[] {
    const arrow = ARROWS[from];
    const message = readJson(text);
    if (Array.isArray(message)) {
      const parts = message as readonly JsonValue[];
      return [
        `${arrow} batch of ${parts.length}`,
        ...parts.map((part) => `  ${arrow} ${this.#words(from, part, text)}`),
      ];
    }
    return [`${arrow} ${this.#words(from, message, text)}`];
  }

  #words(from: Traffic['from'], message: JsonValue | undefined, text: string): string {
    if (!isObject(message)) return `no message: ${quoteText(text)}`;
    const { id, method, params, result, error } = message;
    if (typeof method === 'string') return this.#asked(from, { id, method, params });
    const number = this.#numbers.get(keyOf(from === 'client' ? 'server' : 'client', id)) ?? '?';
    const words = error === undefined ? resultWords(objectOf(result)) : errorWords(error);
    return [`#${number}`, ...words].join(' ');
  }

  #asked(from: Traffic['from'], { id, method, params }: JsonObject & { readonly method: string }): string {
    const { requestId, ...rest } = objectOf(params);
    // Each side cancels only its own requests.
    const about = requestId === undefined ? [] : [`#${this.#numbers.get(keyOf(from, requestId)) ?? '?'}`];
    const words = [method, ...about, ...paramsWords(rest)];
    if (id === undefined) return words.join(' ');
    const number = this.#numbers.size + 1;
    this.#numbers.set(keyOf(from, id), number);
    return [`#${number}`, ...words].join(' ');
  }
}

function keyOf(asker: Traffic['from'], id: JsonValue | undefined): string {
  return `${asker} ${JSON.stringify(id)}`;
}
