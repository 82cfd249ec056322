/**
 * JSON-RPC 2.0 messages as the Model Context Protocol uses them: named parameters only, ids that are strings or
 * numbers.
 * @see https://www.jsonrpc.org/specification
 */
import type { JsonObject, JsonValue } from '@sigil-mcp/base';

export type { JsonObject, JsonValue } from '@sigil-mcp/base';

/** Identifies a request until it is answered. `1` and `"1"` are different ids. */
export type RequestId = string | number;

/** A call that expects exactly one response. */
export interface JsonRpcRequest {
  readonly jsonrpc: '2.0';
  readonly id: RequestId;
  readonly method: string;
  readonly params?: JsonObject;
}

/** A message that is never answered. */
export interface JsonRpcNotification {
  readonly jsonrpc: '2.0';
  readonly method: string;
  readonly params?: JsonObject;
}

/** A successful answer. */
export interface JsonRpcResult {
  readonly jsonrpc: '2.0';
  readonly id: RequestId;
  readonly result: JsonObject;
}

/** What went wrong, as it travels. */
export interface ErrorObject {
  readonly code: number;
  readonly message: string;
  readonly data?: JsonValue;
}

/** A failed answer; `id` is null or absent only where the id of the request could not be read. */
export interface JsonRpcFailure {
  readonly jsonrpc: '2.0';
  readonly id?: RequestId | null;
  readonly error: ErrorObject;
}

/** Everything that travels, except a batch. */
export type JsonRpcMessage = JsonRpcRequest | JsonRpcNotification | JsonRpcResult | JsonRpcFailure;

/** A request as it was read. */
export interface InboundRequest {
  readonly kind: 'request';
  readonly id: RequestId;
  readonly method: string;
  readonly params: JsonObject | undefined;
  /** Bytes that it costs to hold it, rather too many than too few. */
  readonly weight: number;
}

/** A notification as it was read. */
export interface InboundNotification {
  readonly kind: 'notification';
  readonly method: string;
  readonly params: JsonObject | undefined;
}

/** An answer of the peer to a request of ours; it holds a result or an error, never both. */
export interface InboundResponse {
  readonly kind: 'response';
  readonly id: RequestId;
  readonly result?: JsonObject;
  readonly error?: ErrorObject;
}

/** JSON that is no JSON-RPC message, or no JSON at all. `id` is set where it could be read. */
export interface InboundInvalid {
  readonly kind: 'invalid';
  readonly id: RequestId | undefined;
  /** True where the sender cannot expect an answer, because what it sent looks like a response. */
  readonly silent: boolean;
  readonly error: ErrorObject;
  /** The limit that it exceeds, such as `limits.nesting`; undefined for any other reason. */
  readonly limit?: string;
}

/** One message of the peer. */
export type InboundMessage = InboundRequest | InboundNotification | InboundResponse | InboundInvalid;

/** A JSON array with at least one element; only some revisions have it. */
export interface InboundBatch {
  readonly kind: 'batch';
  readonly messages: readonly InboundMessage[];
  /** Bytes that it costs to hold all of them, rather too many than too few. */
  readonly weight: number;
}

// From messages to text, each on one line without line breaks. Ids keep their JSON type: `1` and `"1"` are different.
// All of these throw what `JSON.stringify` throws for values that are not JSON: cycles, BigInt, nesting beyond the
// stack.

const WITH_ID = '{"jsonrpc":"2.0","id":';
const RESULT = ',"result":';
const ERROR = ',"error":';
const ERROR_WITHOUT_ID = '{"jsonrpc":"2.0","error":';

/**
 * A noun of the model as the JSON that it is by construction; interfaces merely lack the index signature that would
 * let the compiler see it.
 */
export function asJsonObject(noun: object): JsonObject {
  return noun as JsonObject; // the one place where a noun becomes JSON
}

/** A response around a result that is JSON text already, such as a cached list. */
export function writeResponse(id: RequestId, resultText: string): string {
  return WITH_ID + writeId(id) + RESULT + resultText + '}';
}

/** A successful response. */
export function writeResult(id: RequestId, result: JsonObject): string {
  return writeResponse(id, JSON.stringify(result));
}

/**
 * A failed response.
 * @param id null or undefined where the id of the request could not be read: written as null, or left out
 */
export function writeError(id: RequestId | null | undefined, error: ErrorObject): string {
  const text = JSON.stringify(error);
  if (id === undefined) return ERROR_WITHOUT_ID + text + '}';
  return WITH_ID + (id === null ? 'null' : writeId(id)) + ERROR + text + '}';
}

/** A notification. */
export function writeNotification(notification: JsonRpcNotification): string {
  return JSON.stringify(notification);
}

/** A request of our own. */
export function writeRequest(request: JsonRpcRequest): string {
  return JSON.stringify(request);
}

/** A batch of messages that are text already; only for revisions that have batches, and never empty. */
export function writeBatch(texts: readonly string[]): string {
  return `[${texts.join(',')}]`;
}

function writeId(id: RequestId): string {
  return typeof id === 'number' ? String(id) : JSON.stringify(id);
}

// The memory that a held message costs a process. Parsed values cost up to 28 times their text (an empty array is two characters and 56
// bytes), so a limit in characters does not limit memory. `npm run limits` measures these numbers against the heap of V8.

/** Bytes for each character of a text that is too short to be looked at: what the worst text of all costs. */
const WORST = 28;
/** Characters up to which a text is not looked at: looking would cost more than it finds. */
const SHORT = 1024;

const STRING = 24;
const CHARACTER = 2;
const FRACTION = 16;
const ARRAY = 48;
const ITEM = 8;
const OBJECT = 56;
const MEMBER = 16;
/** A name that the message has not used before: the text itself, and the shape of the object that has it. */
const NEW_NAME = 72;

/**
 * The bytes of heap that a message costs once it is parsed, rather too many than too few.
 * @param length characters of its text
 * @param value what was parsed
 * @param most bytes; once there are more, the rest is not looked at
 */
export function weightOf(length: number, value: unknown, most = Infinity): number {
  return length <= SHORT ? length * WORST : weightOfValue(value, most);
}

/** The bytes of heap that a JSON value costs, rather too many than too few. It may be deeper than any recursion can go. */
export function weightOfValue(value: unknown, most = Infinity): number {
  const scale = new Scale();
  scale.put(value);
  while (scale.pending.length > 0 && scale.weight <= most) {
    const one = scale.pending.pop();
    if (Array.isArray(one)) scale.putItems(one);
    else scale.putMembers(one as Readonly<Record<string, unknown>>);
  }
  return scale.weight;
}

/** Adds up values; arrays and objects wait to be looked into. */
class Scale {
  weight = 0;
  readonly pending: object[] = [];
  #names: Set<string> | undefined;

  put(value: unknown): void {
    if (typeof value === 'string') this.weight += STRING + value.length * CHARACTER;
    else if (typeof value === 'number') this.weight += Number.isInteger(value) ? 0 : FRACTION;
    else if (typeof value === 'object' && value !== null) this.pending.push(value);
  }

  putItems(items: readonly unknown[]): void {
    this.weight += ARRAY + items.length * ITEM;
    for (const item of items) this.put(item);
  }

  putMembers(object: Readonly<Record<string, unknown>>): void {
    this.weight += OBJECT;
    const names = (this.#names ??= new Set());
    for (const name in object) {
      this.weight += MEMBER;
      if (!names.has(name)) {
        names.add(name);
        this.weight += NEW_NAME + name.length * CHARACTER;
      }
      this.put(object[name]);
    }
  }
}
