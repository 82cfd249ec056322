/**
 * From messages to text, each on one line without line breaks. Ids keep their JSON type: `1` and `"1"` are different.
 * All of these throw what `JSON.stringify` throws for values that are not JSON: cycles, BigInt, nesting beyond the
 * stack.
 */
import type { ErrorObject, JsonObject, JsonRpcNotification, JsonRpcRequest, RequestId } from './message';

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
