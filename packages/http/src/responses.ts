/** Responses that many requests get, and the headers of bodies. */
import { writeError } from '@sigil-mcp/protocol';
import type { HttpCall } from './call';
import type { HttpResponse } from './port';
import type { Refusal } from './refusals/refusal';
import { SSE_HEADERS } from './streams/sse-event';
import type { EventStream } from './streams/event-stream';

/** The headers of every body in JSON. */
export const JSON_HEADERS: Readonly<Record<string, string>> = { 'content-type': 'application/json; charset=utf-8' };

type Headers = Readonly<Record<string, string>>;

/** Headers with more of them; the same object if there are no more. */
export function withHeaders(headers: Headers, more: Headers | undefined, most?: Headers): Headers {
  return more || most ? { ...headers, ...more, ...most } : headers;
}

/** Acknowledges a message without an answer: 202. */
export function accepted({ answerHeaders = {} }: HttpCall): HttpResponse {
  return { status: 202, headers: answerHeaders };
}

/** A refusal: its status, its headers, and its error as a JSON-RPC body. */
export function refused({ status, headers, id, error }: Refusal): HttpResponse {
  return { status, headers: withHeaders(JSON_HEADERS, headers), body: writeError(id, error) };
}

/** A stream of its own, as a GET opens it. */
export function streamed(stream: EventStream): HttpResponse {
  return { status: 200, headers: SSE_HEADERS, body: stream };
}

/** A small document in JSON. */
export function document(content: object, headers?: Headers, status = 200): HttpResponse {
  return { status, headers: withHeaders(JSON_HEADERS, headers), body: JSON.stringify(content) };
}
