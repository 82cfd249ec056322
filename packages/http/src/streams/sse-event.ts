/**
 * Server-sent events: one event for each message, one `data` line for each event, and the ids with which clients resume a stream, which have one
 * format on every server.
 */
import { createHash } from 'node:crypto';
import type { Revision } from '@sigil-mcp/protocol';

/** One event. */
export interface SseEvent {
  /** The id with which the client can resume after this event; none if left out. */
  readonly id?: string;
  /** Type of the event; `message` for clients if left out. */
  readonly event?: string;
  /** One line: JSON text, or empty for an event that only has an id. */
  readonly data: string;
  /** Milliseconds after which a client should reconnect; the client decides if left out. */
  readonly retry?: number;
}

/** Writes an event. */
export function frame({ id, event, data, retry }: SseEvent): string {
  return (
    (retry === undefined ? '' : `retry: ${retry}\n`) +
    (event === undefined ? '' : `event: ${event}\n`) +
    (id === undefined ? '' : `id: ${id}\n`) +
    `data: ${data}\n\n`
  );
}

/** The stream without a request. */
export const STANDALONE = 'session';

/** The id of an event: its stream, and its place there. */
export function eventId(stream: string, place: number | string): string {
  return `${stream}-${place}`;
}

/**
 * The id of an event on the stream without a request: the position of a change, which is not specific to a session, with a digest of
 * both, so that a session only accepts positions that it has assigned.
 */
export function standaloneEventId(session: string, position: string): string {
  return eventId(STANDALONE, `${position}-${digestOf(session, position)}`);
}

/** The contents of an event id. */
export type EventId =
  | { readonly kind: 'request'; readonly stream: string; readonly place: number }
  | { readonly kind: 'standalone'; readonly position: string };

/** Reads an event id of a session; undefined for an id that cannot have been assigned. */
export function readEventId(session: string, id: string): EventId | undefined {
  const [, position, digest] = /^session-([\w-]{1,64})-([\da-f]{12})$/.exec(id) ?? [];
  if (position !== undefined)
    return digest === digestOf(session, position) ? { kind: 'standalone', position } : undefined;
  const [, stream, digits] = /^([\da-f]{16}x\d{1,15})-(0|[1-9]\d{0,14})$/.exec(id) ?? [];
  return stream === undefined ? undefined : { kind: 'request', stream, place: Number(digits) };
}

function digestOf(session: string, position: string): string {
  return createHash('sha256').update(`${session} ${position}`).digest('hex').slice(0, 12);
}

/** What a stream of a session does for clients that reconnect. */
export interface Resumability {
  /** Whether a stream opens with an empty event, so that the client has an id to reconnect with. */
  readonly polling: boolean;
  /** Whether events have ids, so that a client may ask for what it missed. */
  readonly replay: boolean;
  /** Milliseconds after which a client should reconnect. */
  readonly retryInterval: number;
}

/** @param retryInterval milliseconds after which a client should reconnect */
export function resumabilityOf({ http: { polling, replay } }: Revision, retryInterval: number): Resumability {
  return { polling, replay, retryInterval };
}
