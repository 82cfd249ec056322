/** How the streams of a revision behave, and how their events are named. */
import { createHash } from 'node:crypto';

/** The stream that belongs to no request. */
export const STANDALONE = 'session';

/** How a revision's streams behave. */
export interface StreamManners {
  /** Whether a stream opens with an empty event, so that the client has an id to come back with. */
  readonly polling: boolean;
  /** Whether events have ids, so that a client may ask for what it missed. */
  readonly replay: boolean;
  /** Milliseconds after which a client may come back. */
  readonly retryInterval: number;
}

/** The id of an event: its stream, and its place there. */
export function eventId(stream: string, place: number | string): string {
  return `${stream}-${place}`;
}

/**
 * The id of an event of the stream that belongs to no request: the position of a change, which says nothing of the session, with a digest of
 * both, so that no position passes for one that this session was given.
 */
export function standaloneEventId(session: string, position: string): string {
  return eventId(STANDALONE, `${position}-${digestOf(session, position)}`);
}

/** What the id of an event says. */
export type EventPlace =
  | { readonly kind: 'request'; readonly stream: string; readonly place: number }
  | { readonly kind: 'standalone'; readonly position: string };

/** Reads the id of an event of a session; undefined for one that nobody can have given out. */
export function readEventId(session: string, id: string): EventPlace | undefined {
  const [, position, digest] = /^session-([\w-]{1,64})-([\da-f]{12})$/.exec(id) ?? [];
  if (position !== undefined)
    return digest === digestOf(session, position) ? { kind: 'standalone', position } : undefined;
  const [, stream, digits] = /^([\da-f]{16}x\d{1,15})-(0|[1-9]\d{0,14})$/.exec(id) ?? [];
  return stream === undefined ? undefined : { kind: 'request', stream, place: Number(digits) };
}

function digestOf(session: string, position: string): string {
  return createHash('sha256').update(`${session} ${position}`).digest('hex').slice(0, 12);
}
