/** The bodies of requests of Node. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Clock } from '@sigil-mcp/core';
import { refusal } from '../call';

/** A request as frameworks on Node change it: Connect and Express cut the path, and parsers of bodies leave their result on it. */
export type NodeMessage = IncomingMessage & { readonly originalUrl?: string; readonly body?: unknown };

/** Milliseconds for the rest of a refused body. */
const REST = 10_000;

/** The body that a parser of the app has read, as bytes again; undefined if nothing has read it. */
export function parsedBody(message: NodeMessage): Buffer | undefined {
  const { body, method } = message;
  // Parsers leave an empty object on requests without a body.
  if (method !== 'POST' || !message.readableEnded || body === undefined) return undefined;
  if (body instanceof Uint8Array) return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

/** The headers of a request whose body is written again: its length and its form on the wire were those of the original. */
export function headersFor(body: Buffer, headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const { 'transfer-encoding': _transfer, 'content-encoding': _content, ...others } = headers;
  return { ...others, 'content-length': String(body.length) };
}

/** The pieces of a body that nothing has read; undefined without one. */
export function bodyOf(message: NodeMessage): AsyncIterable<Uint8Array> | undefined {
  const { headers } = message;
  const isAnnounced = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
  return isAnnounced || !message.httpVersion.startsWith('1.') ? piecesOf(message) : undefined;
}

/** A whole body as pieces. */
export async function* onePiece(body: Buffer): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(body);
}

async function* piecesOf(message: IncomingMessage): AsyncGenerator<Uint8Array> {
  if (message.readableEnded && Number(message.headers['content-length'] ?? 1) > 0)
    throw refusal(500, 'The body was read before the handler, and request.body does not have it.');
  try {
    // The end of this loop must not close the connection: the answer to a refused body is still to be sent on it.
    yield* message.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>;
  } catch {
    throw refusal(400, 'The request could not be read.');
  }
}

/**
 * Reads and drops the rest of a body: if the connection were closed while its client still writes, the client could not read the
 * answer. After some time the connection is closed.
 */
export function dropRest(message: IncomingMessage, clock: Clock): void {
  if (message.readableEnded) return;
  message.resume();
  if (message.complete) return;
  const timer = clock.after(REST, () => message.socket.destroy()).unref();
  message.once('close', () => timer.close());
}
