/** The members of a message -> a readable text; values that differ between runs are left out. */
import type { JsonObject, JsonValue } from '@sigil-mcp/protocol';
import { objectOf, readJson } from '@sigil-mcp/client/wire';
import { isObject } from '@sigil-mcp/core/adapter';

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
export function paramsWords(params: JsonObject): string[] {
  const { name, uri, arguments: args, ...rest } = params;
  const subject = name ?? uri;
  // A name is a text; anything else that a test sends is shown as JSON.
  const words = subject === undefined ? [] : [typeof subject === 'string' ? subject : json(subject)];
  return [...words, ...objectWords(args), ...objectWords(rest)];
}

/** A result: the content of a call, the names of a list, or all of it as JSON. */
export function resultWords(result: JsonObject): string[] {
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
export function errorWords(error: JsonValue | undefined): string[] {
  const { code = null, message = null } = objectOf(error);
  return ['error', json(code), json(message)];
}

/** A text in one line of a transcript. */
export function quoteText(text: string): string {
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
