/** A complete event stream with a single answer: headers and events are one write. */
import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyReply } from 'fastify';
import { swallowErrors, type Connections } from './connections';
import { hostHeaders, SSE_HEADERS } from './sse-event';

/** The contents of such a stream. */
export interface WholeAnswer {
  /** Its events, serialized. */
  readonly body: string;
  /** Called when the stream has ended, with whether all of it was sent. */
  readonly over?: (wasDelivered: boolean) => void;
}

/**
 * Takes over the response and sends the answer, which is only requested if nothing prevents sending. Headers that plugins have set on the
 * reply, above all CORS headers, are sent with it. Throws for invalid headers: the reply is then unchanged.
 * @returns false if nothing was written
 */
export function sendWhole(
  reply: FastifyReply,
  write: () => WholeAnswer | undefined,
  connections: Connections,
): boolean {
  const host = hostHeaders(reply);
  const answer = write();
  if (!answer) return false;
  send(reply, headOf(host, answer.body), answer, connections);
  return true;
}

function send(
  reply: FastifyReply,
  head: OutgoingHttpHeaders,
  { body, over }: WholeAnswer,
  connections: Connections,
): void {
  const { raw: response } = reply;
  reply.hijack();
  try {
    response.writeHead(200, head).end(body);
  } catch {
    response.destroy();
  }
  // Everything was passed to the system, so there is nothing to wait for. (`writableFinished` becomes true a turn later on Node 24.)
  if (response.socket?.destroyed === false && response.writableLength === 0) return over?.(true);
  swallowErrors(response);
  connections.onEnd(reply, () => over?.(response.writableFinished));
}

function headOf(host: OutgoingHttpHeaders | undefined, body: string): OutgoingHttpHeaders {
  const length = Buffer.byteLength(body);
  if (host) return { ...host, ...SSE_HEADERS, 'content-length': length };
  return {
    'content-type': SSE_HEADERS['content-type'],
    'cache-control': SSE_HEADERS['cache-control'],
    'x-accel-buffering': SSE_HEADERS['x-accel-buffering'],
    'content-length': length,
  };
}
