/** Serializes server-sent events: one event for each message, one `data` line for each event. */

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
