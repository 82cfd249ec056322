/** A message as somebody in the middle reads it: where it belongs, and little of what it is about. */
import type { RequestId } from '@sigil-mcp/protocol';

/** Any JSON object. */
export type Members = Readonly<Record<string, unknown>>;

/** A JSON-RPC message of any kind; nothing about it has been checked but that it is an object. */
export interface MessageShape {
  readonly id?: RequestId | null;
  readonly method?: string;
  readonly params?: Members;
  readonly result?: Members;
  readonly error?: Members;
}

/** A request: it has a method, and an id to be answered under. */
export interface RequestShape extends MessageShape {
  readonly id: RequestId;
  readonly method: string;
}

/** The messages of a text: one, those of a batch, or none if it is no JSON. */
export function readShapes(text: string): readonly MessageShape[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return [];
  }
  const list: readonly unknown[] = Array.isArray(parsed) ? parsed : [parsed];
  return list.filter((message): message is MessageShape => isMembers(message));
}

/** Whether a message is a request. */
export function isRequest(message: MessageShape): message is RequestShape {
  return typeof message.method === 'string' && (typeof message.id === 'string' || typeof message.id === 'number');
}

/** Whether a message answers a request. */
export function isResponse({ method, id, result, error }: MessageShape): boolean {
  return method === undefined && id !== undefined && id !== null && (result !== undefined || error !== undefined);
}

/** Whether a value is a JSON object. */
export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
