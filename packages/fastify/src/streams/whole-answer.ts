/** An answer that is all that its event stream will ever say: head and events are one write. */
import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyReply } from 'fastify';
import { swallowErrors, type Connections } from './connections';
import { hostHeaders, SSE_HEADERS } from './sse-event';

/** What such a stream says. */
export interface WholeAnswer {
  /** Its events, as they are written. */
  readonly body: string;
  /** Hears that the stream is over, and whether all of it was sent. */
  readonly over?: (wasDelivered: boolean) => void;
}

/**
 * Takes the response over and sends what is written, which is asked for when nothing keeps it from being sent. What plugins have set on the reply so far, CORS headers above all, goes out with it. Throws for
 * headers of theirs that no wire can carry: the reply is then as it was before.
 * @returns false where nothing was written
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
  // What the system has taken is sent: nobody has to wait for that. (`writableFinished` comes a turn later on Node 24.)
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
