/** Messages -> readable lines; requests are numbered in order, not by their ids. */
import type { Traffic } from '@sigil-mcp/client/wire';
import { objectOf, readJson } from '@sigil-mcp/client/internal';
import { isObject } from '@sigil-mcp/core/internal';
import type { JsonObject, JsonValue } from '@sigil-mcp/protocol';

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

// Records the messages between a client and a server from a moment on, to be read or compared with a snapshot.

/** A recorder, made by `recordTraffic`. */
export interface TrafficRecorder {
  /** The messages that travelled, raw, in order; `message` is undefined where the text was no JSON. */
  readonly messages: readonly RecordedMessage[];
  /**
   * A line for each message. Requests are numbered in order, metadata and what is sealed is left out, and long values are cut,
   * so that it is the same in each run. `→` is the client, `←` the server.
   */
  text(): string;
  /** Forgets what was recorded. */
  clear(): void;
}

/** One recorded message. */
export interface RecordedMessage extends Traffic {
  readonly message: JsonValue | undefined;
}

/**
 * Records from now on; `client.traffic` has what came before.
 * @example
 * const recorder = recordTraffic(client);
 * await client.callTool('forecast', { city: 'Oslo' });
 * expect(recorder.text()).toMatchInlineSnapshot(`
 *   "→ #1 tools/call forecast {"city":"Oslo"}
 *   ← #1 result "Mild, with a little rain.""
 * `);
 */
export function recordTraffic(client: { readonly traffic: readonly Traffic[] }): TrafficRecorder {
  let start = client.traffic.length;
  const recorded = (): readonly Traffic[] => client.traffic.slice(start);
  return {
    get messages() {
      return recorded().map((entry) => ({ ...entry, message: readJson(entry.text) }));
    },
    text: () => {
      const transcript = new Transcript();
      return recorded()
        .flatMap((entry) => transcript.linesOf(entry))
        .join('\n');
    },
    clear: () => void (start = client.traffic.length),
  };
}

// The members of a message -> a readable text; values that differ between runs are left out.

/** The longest text, and the longest message, in a transcript, characters. */
const LONGEST_TEXT = 80;
const LONGEST_LINE = 300;

/** Members that are there for the protocol, or random. */
const LEFT_OUT: readonly string[] = ['_meta', 'progressToken', 'ttlMs', 'cacheScope'];
/** The members of results that are lists, each with the member that its elements are known by. */
const LISTS: Readonly<Record<string, string>> = {
  tools: 'name',
  prompts: 'name',
  resources: 'uri',
  resourceTemplates: 'uriTemplate',
};

/** The parameters of a request or a notification: what it is about, then the rest as JSON. */
function paramsWords(params: JsonObject): string[] {
  const { name, uri, arguments: args, ...rest } = params;
  const subject = name ?? uri;
  // A name is a text; anything else that a test sends is shown as JSON.
  const words = subject === undefined ? [] : [typeof subject === 'string' ? subject : json(subject)];
  return [...words, ...objectWords(args), ...objectWords(rest)];
}

/** A result: the content of a call, the names of a list, or all of it as JSON. */
function resultWords(result: JsonObject): string[] {
  const { isError, content, contents, messages, structuredContent, resultType, ...rest } = result;
  const head = isError === true ? 'tool error' : resultType === 'input_required' ? 'asks' : 'result';
  const pieces = content ?? contents ?? messages;
  if (Array.isArray(pieces)) {
    const words = (pieces as readonly JsonValue[]).map(pieceWords);
    return [head, words.join(' ') || json(structuredContent ?? null)];
  }
  const list = Object.keys(LISTS).find((member) => Array.isArray(result[member]));
  if (list === undefined) return [head, ...objectWords(rest)];
  const { [list]: elements, ...more } = rest;
  // As it was found: a list of what has names.
  const names = (elements as readonly JsonObject[]).map((element) => String(element[LISTS[list] ?? ''] as string));
  return [head, `${list}: ${names.join(', ') || 'none'}`, ...objectWords(more)];
}

/** An error: its code and its message. */
function errorWords(error: JsonValue | undefined): string[] {
  const { code = null, message = null } = objectOf(error);
  return ['error', json(code), json(message)];
}

/** A text in one line of a transcript. */
function quoteText(text: string): string {
  return JSON.stringify(shorten(text, LONGEST_TEXT));
}

/** A block of content, a piece of a resource or a message of a prompt. */
function pieceWords(piece: JsonValue): string {
  if (!isObject(piece)) return json(piece);
  const { role, content, type, text, data, blob, mimeType } = piece;
  if (content !== undefined) return `${json(role ?? null).slice(1, -1)}: ${pieceWords(content)}`;
  if (typeof text === 'string') return textWords(text);
  const bytes = data ?? blob;
  if (typeof bytes !== 'string') return json(piece);
  return `<${[type ?? 'blob', mimeType].filter((word) => typeof word === 'string').join(' ')}, ${bytes.length} characters>`;
}

/** A text in quotes; the JSON text of an object is read better without them. */
function textWords(text: string): string {
  const value = readJson(text);
  return typeof value === 'object' && value !== null ? json(value) : quoteText(text);
}

function objectWords(value: JsonValue | undefined): string[] {
  if (value === undefined) return [];
  const text = json(value);
  return text === '{}' ? [] : [text];
}

function json(value: JsonValue): string {
  const text = JSON.stringify(value, (name, member: JsonValue) => {
    if (LEFT_OUT.includes(name)) return undefined;
    if (name === 'requestState') return '…'; // sealed, and another one each time
    return typeof member === 'string' ? shorten(member, LONGEST_TEXT) : member;
  });
  return shorten(text, LONGEST_LINE);
}

function shorten(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1)}…`;
}
