/** How the streams of a revision behave, and how their events are named. */

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

/** What the id of an event says. */
export type EventPlace =
  | { readonly kind: 'request'; readonly stream: string; readonly place: number }
  | { readonly kind: 'standalone'; readonly position: string };

/** Reads the id of an event; undefined for one that nobody can have given out. */
export function readEventId(id: string): EventPlace | undefined {
  if (id.startsWith(`${STANDALONE}-`)) return { kind: 'standalone', position: id.slice(STANDALONE.length + 1) };
  const [, stream, digits] = /^([\da-f]{16}x\d{1,15})-(0|[1-9]\d{0,14})$/.exec(id) ?? [];
  return stream === undefined ? undefined : { kind: 'request', stream, place: Number(digits) };
}
