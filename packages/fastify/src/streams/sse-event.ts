/** Server-sent events as they are written: one event a message, one `data` line an event. */
import { validateHeaderName, validateHeaderValue, type OutgoingHttpHeaders } from 'node:http';
import type { FastifyReply } from 'fastify';

/** One event. */
export interface SseEvent {
  /** Names the event, so that the client can come back for what follows it; none if left out. */
  readonly id?: string;
  /** Type of the event; `message` for clients if left out. */
  readonly event?: string;
  /** One line: JSON text, or nothing for an event that only carries an id. */
  readonly data: string;
  /** Milliseconds after which a client may come back; as the client likes if left out. */
  readonly retry?: number;
}

/** The head of every event stream. */
export const SSE_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};

/** Writes an event. */
export function frame({ id, event, data, retry }: SseEvent): string {
  return (
    (retry === undefined ? '' : `retry: ${retry}\n`) +
    (event === undefined ? '' : `event: ${event}\n`) +
    (id === undefined ? '' : `id: ${id}\n`) +
    `data: ${data}\n\n`
  );
}

/** What the host has set on a reply so far; undefined where it has set nothing. Throws for what no wire can carry. */
export function hostHeaders(reply: FastifyReply): OutgoingHttpHeaders | undefined {
  // Fastify's type has a key for every header that there is, most of them undefined.
  const set = Object.entries(reply.getHeaders()).filter(([, value]) => value !== undefined);
  if (set.length === 0) return undefined;
  for (const [name, value] of set) {
    validateHeaderName(name);
    validateHeaderValue(name, String(value));
  }
  return Object.fromEntries(set);
}
