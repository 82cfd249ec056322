/** The ids of events, with which clients resume a stream: they have one format on every server. */
import { createHash } from 'node:crypto';

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
