/** A message as a relay reads it: its ids and its method, and little of its content. */
import { ERROR_CODES, writeError, type RequestId } from '@sigil-mcp/protocol';
import { isObject } from '@sigil-mcp/base';
import type { LooseObject } from '../json-object';

/** A JSON-RPC message of any kind; it has only been checked to be an object. */
export interface MessageShape {
  readonly id?: RequestId | null;
  readonly method?: string;
  readonly params?: LooseObject;
  readonly result?: LooseObject;
  readonly error?: LooseObject;
}

/** A request: it has a method, and an id to be answered under. */
export interface RequestShape extends MessageShape {
  readonly id: RequestId;
  readonly method: string;
}

/** A response: the id of its request, and a result or an error. */
export interface ResponseShape extends MessageShape {
  readonly id: RequestId;
}

/** The messages in a text: one, those of a batch, or none if it is not JSON. */
export function readShapes(text: string): readonly MessageShape[] {
  return membersOf(text).filter((message): message is MessageShape => isObject(message));
}

/**
 * Removes some messages from a text.
 * @returns the removed messages, and the text of the others: undefined if no others remain
 */
export function takeOut(
  text: string,
  isTaken: (message: MessageShape) => boolean,
): { readonly taken: readonly MessageShape[]; readonly rest: string | undefined } {
  const members = membersOf(text);
  const taken = members.filter((member): member is MessageShape => isObject(member) && isTaken(member));
  if (taken.length === 0) return { taken, rest: text };
  const others = members.filter((member) => !taken.some((one) => one === member));
  return { taken, rest: others.length > 0 ? JSON.stringify(others) : undefined };
}

/**
 * Replaces each message of a text.
 * @param rewrite receives a message and its text, and returns that text if nothing changes
 * @returns the texts for a single message, or one batch for a batch
 */
export function rewriteEach(
  text: string,
  rewrite: (message: MessageShape, text: string) => readonly string[],
): readonly string[] {
  const members = membersOf(text);
  const [first] = members;
  if (first === undefined) return [text]; // not JSON, or empty
  if (!text.trimStart().startsWith('[')) return isObject(first) ? rewrite(first, text) : [text];
  const rewritten = members.flatMap((member) => {
    const own = JSON.stringify(member);
    return isObject(member) ? rewrite(member, own) : [own];
  });
  return rewritten.length > 0 ? [`[${rewritten.join(',')}]`] : [];
}

/** Whether a message is a request. */
export function isRequest(message: MessageShape): message is RequestShape {
  return typeof message.method === 'string' && isRequestId(message.id);
}

/** Whether a message answers a request. */
export function isResponse(message: MessageShape): message is ResponseShape {
  const { method, id, result, error } = message;
  return method === undefined && isRequestId(id) && (result !== undefined || error !== undefined);
}

/** The id of the request that a message cancels; undefined if it is not a cancellation. */
export function cancelledId({ method, params }: MessageShape): RequestId | undefined {
  const id = method === 'notifications/cancelled' ? params?.['requestId'] : undefined;
  return isRequestId(id) ? id : undefined;
}

function isRequestId(value: unknown): value is RequestId {
  return typeof value === 'string' || typeof value === 'number';
}

function membersOf(text: string): readonly unknown[] {
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) ? parsed : [parsed];
  } catch {
    return [];
  }
}

/** The answer to a request that did not survive a restart: an internal error, because the client did nothing wrong. @param why a sentence */
export function restartError(id: RequestId, why: string): string {
  return writeError(id, { code: ERROR_CODES['internal-error'], message: `${why} Try again.` });
}
