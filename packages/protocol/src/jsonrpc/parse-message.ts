/**
 * From text to one JSON-RPC message, or a batch of them. Nothing here throws, and nothing is copied: own `__proto__`
 * members stay as `JSON.parse` made them, so that the code that validates the parameters still sees them.
 * @see https://www.jsonrpc.org/specification
 */
import { isObject } from '@sigil-mcp/base';
import { ERROR_CODES } from './protocol-error';
import {
  weightOf,
  weightOfValue,
  type InboundBatch,
  type InboundInvalid,
  type InboundMessage,
  type JsonObject,
  type JsonValue,
  type RequestId,
} from './message';

const QUOTE = 0x22;

const BACKSLASH = 0x5c;

const OPEN_BRACE = 0x7b;

const CLOSE_BRACE = 0x7d;

const OPEN_BRACKET = 0x5b;

const CLOSE_BRACKET = 0x5d;

/** Characters that the id of a request or of its progress may have: a server holds it, and repeats it in every message about it. */
export const LONGEST_TOKEN = 512;
/** Members of parameters that may be left out, with the same meaning in every revision. */
const OPTIONAL = ['arguments', 'cursor', '_meta'] as const;

/** How large a message may be. */
export interface MessageLimits {
  /** Messages that a batch may hold; a longer one is one invalid message. Any number if left out. */
  readonly batchMessages?: number;
  /** How deep objects and arrays may lie in each other; a deeper message is an invalid one. Any depth if left out. */
  readonly nesting?: number;
  /** Bytes of heap that a client may hold; a heavier message is not weighed to its end. Any number if left out. */
  readonly heldPerClient?: number;
}

/**
 * Reads the text of one message or batch.
 * @returns kind `invalid` with code -32700 if the text is not JSON, otherwise what `readMessage` returns
 */
export function parseMessage(text: string, limits: MessageLimits = {}): InboundMessage | InboundBatch {
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch {
    return invalid(undefined, 'The message is not valid JSON', ERROR_CODES['parse-error']);
  }
  const message = readWeighed(value, limits, text.length);
  const { nesting = Infinity } = limits;
  return isDeeperThan(nesting, text) ? withoutDeep(message, value, nesting) : message;
}

/** Refuses those messages of a batch that are too deep. */
function withoutDeep(
  message: InboundMessage | InboundBatch,
  value: unknown,
  nesting: number,
): InboundMessage | InboundBatch {
  if (message.kind !== 'batch') return refuseDeep(message, nesting);
  // What was read as a batch is an array.
  const values = value as readonly unknown[];
  const messages = message.messages.map((member, index) =>
    isValueDeeperThan(nesting, values[index]) ? refuseDeep(member, nesting) : member,
  );
  return { ...message, messages };
}

/** Refuses a message under its own id. If it is not a message that gets an answer, it is refused silently. */
function refuseDeep(message: InboundMessage, nesting: number): InboundInvalid {
  if (message.kind === 'invalid') return message;
  const sentence = `A message may be nested ${nesting} levels deep (limits.nesting)`;
  const refused = message.kind === 'request' ? invalid(message.id, sentence) : silent(undefined, sentence);
  return { ...refused, limit: 'limits.nesting' };
}

/**
 * Reads a message or batch from JSON that was parsed before. Elements of a batch are read one by one, so an invalid
 * one does not spoil the others; an empty batch is one invalid message.
 */
export function readMessage(value: unknown, limits: MessageLimits = {}): InboundMessage | InboundBatch {
  return readWeighed(value as JsonValue, limits, Infinity); // by contract
}

/** @param length characters of the text; `Infinity` if there is no text */
function readWeighed(
  value: JsonValue,
  { batchMessages = Infinity, heldPerClient = Infinity }: MessageLimits,
  length: number,
): InboundMessage | InboundBatch {
  if (!Array.isArray(value)) return readSingle(value, () => weightOf(length, value, heldPerClient));
  if (value.length === 0) return invalid(undefined, 'A batch must not be empty');
  if (value.length > batchMessages)
    return {
      ...invalid(undefined, `A batch must not hold more than ${batchMessages} messages (limits.batchMessages)`),
      limit: 'limits.batchMessages',
    };
  const messages = value.map((member: JsonValue) => readSingle(member, () => weightOfValue(member, heldPerClient)));
  return { kind: 'batch', messages, weight: weightOf(length, value, heldPerClient) };
}

/**
 * A message with a `method` is meant as a request or notification, and gets an answer that reports what is wrong with it.
 * Without a method, a `result` or an `error` makes it a response: no peer waits for an answer to that, so a malformed one is silent.
 */
function readSingle(value: JsonValue, weigh: () => number): InboundMessage {
  if (!isObject(value)) return invalid(undefined, 'A message must be a JSON object');
  const { id, method, result, error } = value;
  if (method === undefined && (result !== undefined || error !== undefined)) return readResponse(value);
  const readable = isRequestId(id) ? id : undefined;
  if (method !== undefined && (result !== undefined || error !== undefined))
    return invalid(readable, 'A message holds a method, or a result or an error, not both');
  if (value['jsonrpc'] !== '2.0') return invalid(readable, 'jsonrpc must be "2.0"');
  if (typeof method !== 'string') return invalid(readable, 'method must be a string');
  if (id === undefined) return readNotification(method, value);
  if (readable === undefined) return invalid(undefined, wrongId(id));
  if (method === '') return invalid(readable, 'method must name a method');
  return readRequest({ id: readable, method, weigh }, value);
}

function readRequest(
  { id, method, weigh }: { readonly id: RequestId; readonly method: string; readonly weigh: () => number },
  message: JsonObject,
): InboundMessage {
  const params = withoutNothing(message['params']);
  if (params === undefined || isObject(params)) return { kind: 'request', id, method, params, weight: weigh() };
  if (Array.isArray(params)) return invalid(id, 'params must be an object', ERROR_CODES['invalid-params']);
  return invalid(id, 'params must be an object');
}

function readNotification(method: string, message: JsonObject): InboundMessage {
  const params = withoutNothing(message['params']);
  if (params === undefined || isObject(params)) return { kind: 'notification', method, params };
  // A notification is never answered, not even to say that it is malformed.
  return silent(undefined, 'params must be an object');
}

/**
 * An error response without a readable id reports that the peer could not read one of our messages, but not which one.
 * There is no request to match it to, so it is invalid too.
 */
function readResponse(message: JsonObject): InboundMessage {
  const { id, result, error } = message;
  if (!isRequestId(id)) return silent(undefined, 'The id of a response must be a string or an integer');
  if (message['jsonrpc'] !== '2.0') return silent(id, 'jsonrpc must be "2.0"');
  if (result !== undefined) {
    if (error !== undefined) return silent(id, 'A response holds a result or an error, not both');
    return isObject(result) ? { kind: 'response', id, result } : silent(id, 'result must be an object');
  }
  if (!isObject(error)) return silent(id, 'error must be an object');
  const { code, message: text, data } = error;
  if (typeof code !== 'number' || !Number.isInteger(code)) return silent(id, 'error.code must be an integer');
  if (typeof text !== 'string') return silent(id, 'error.message must be a string');
  return { kind: 'response', id, error: data === undefined ? { code, message: text } : { code, message: text, data } };
}

/** An integer beyond 2^53 has lost digits in `JSON.parse`; echoing it would answer a request that no client sent. */
function isRequestId(value: unknown): value is RequestId {
  return isToken(value);
}

function wrongId(id: unknown): string {
  const isLong = typeof id === 'string';
  return isLong ? `id must not be longer than ${LONGEST_TOKEN} characters` : 'id must be a string or an integer';
}

function invalid(
  id: RequestId | undefined,
  message: string,
  code: number = ERROR_CODES['invalid-request'],
): InboundInvalid {
  return { kind: 'invalid', id, silent: false, error: { code, message } };
}

function silent(id: RequestId | undefined, message: string): InboundInvalid {
  return { kind: 'invalid', id, silent: true, error: { code: ERROR_CODES['invalid-request'], message } };
}

/**
 * The parameters of a message without `null` for nothing, which clients in other languages write for a member that they leave out: the
 * specification has no null in these places. The same object if it has none.
 */
function withoutNothing(params: JsonValue | undefined): JsonValue | undefined {
  if (params === null) return undefined;
  if (!isObject(params)) return params;
  const { _meta: meta } = params;
  const written =
    params['arguments'] === null || params['cursor'] === null || meta === null ? without(params, OPTIONAL) : params;
  if (!isObject(meta) || meta['progressToken'] !== null) return written;
  return { ...written, _meta: without(meta, ['progressToken']) };
}

function without(members: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([name, value]) => value !== null || !names.includes(name)));
}

/** A string that is not too long, or an integer; an integer that has lost digits in `JSON.parse` is refused. */
export function isToken(value: unknown): value is string | number {
  return typeof value === 'string' ? value.length <= LONGEST_TOKEN : Number.isSafeInteger(value);
}

/** Whether objects and arrays lie in each other deeper than so many levels. The text must be valid JSON. */
export function isDeeperThan(levels: number, text: string): boolean {
  // Each level has two brackets; and most texts have fewer openings than there may be levels, which is found out fast.
  if (text.length < 2 * levels || openings(text, levels) <= levels) return false;
  return depthExceeds(levels, text);
}

/** The same of a value that was parsed. It may be deeper than any recursion can go. */
export function isValueDeeperThan(levels: number, value: unknown): boolean {
  let layer = [value].filter(isNested);
  for (let depth = 1; layer.length > 0; depth += 1) {
    if (depth > levels) return true;
    layer = layer.flatMap((one) => Object.values(one).filter(isNested));
  }
  return false;
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** How many brackets open, those in strings counted, too; one more than `enough` for more than that. */
function openings(text: string, enough: number): number {
  let count = 0;
  for (const bracket of ['{', '[']) {
    for (let at = text.indexOf(bracket); at >= 0 && count <= enough; at = text.indexOf(bracket, at + 1)) count += 1;
  }
  return count;
}

function depthExceeds(levels: number, text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character === QUOTE) at = endOfString(text, at);
    else if (character === OPEN_BRACE || character === OPEN_BRACKET) {
      depth += 1;
      if (depth > levels) return true;
    } else if (character === CLOSE_BRACE || character === CLOSE_BRACKET) depth -= 1;
  }
  return false;
}

/** The place of the quote that ends the string which begins at a place. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character === BACKSLASH) at += 1;
    else if (character === QUOTE) return at;
  }
  return text.length;
}
