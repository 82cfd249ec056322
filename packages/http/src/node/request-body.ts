/** The bodies of requests of Node. */
import type { IncomingMessage } from 'node:http';
import type { Clock } from '@sigil-mcp/core';
import { refusal } from '../refusals/refusal';

/** A request as frameworks on Node change it: Connect and Express cut the path, and parsers of bodies leave their result on it. */
export type NodeMessage = IncomingMessage & { readonly originalUrl?: string; readonly body?: unknown };

/** Milliseconds for the rest of a refused body. */
const REST = 10_000;

/** The pieces of a body; undefined without one. What a parser of the app has read is written again as JSON. */
export function bodyOf(message: NodeMessage): AsyncIterable<Uint8Array> | undefined {
  const { body, headers } = message;
  if (body !== undefined && message.readableEnded) return onePiece(body);
  const isAnnounced = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
  return isAnnounced || !message.httpVersion.startsWith('1.') ? piecesOf(message) : undefined;
}

async function* onePiece(body: unknown): AsyncGenerator<Uint8Array> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  yield await Promise.resolve(body instanceof Uint8Array ? body : Buffer.from(text));
}

async function* piecesOf(message: IncomingMessage): AsyncGenerator<Uint8Array> {
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
