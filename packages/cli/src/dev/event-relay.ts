/** Passes the events of a stream on, one by one, so that each can be inspected. */
import type { IncomingMessage } from 'node:http';
import { createParser } from 'eventsource-parser';

/** One event of an event stream, or a line between two events. */
export interface RelayedEvent {
  readonly id?: string | undefined;
  /** The type of the event. */
  readonly event?: string | undefined;
  /** Undefined for a line between two events. */
  readonly data?: string | undefined;
  /** The line: a comment, or the time after which to reconnect. */
  readonly line?: string;
}

/** Text that arrives in pieces -> events. */
export class EventReader {
  #completed: RelayedEvent[] = [];
  readonly #parser = createParser({
    onEvent: (event) => this.#completed.push(event),
    onComment: (comment) => this.#completed.push({ line: `: ${comment}` }),
    onRetry: (milliseconds) => this.#completed.push({ line: `retry: ${milliseconds}` }),
  });

  /** The events that a piece completes. */
  read(piece: string): RelayedEvent[] {
    this.#parser.feed(piece);
    return this.#completed.splice(0);
  }
}

/** Whether a response is a stream of events. */
export function isEventStream({ headers }: IncomingMessage): boolean {
  return /^text\/event-stream/.test(headers['content-type'] ?? '');
}

/** An event as text. */
export function writeEvent({ id, event, data, line }: RelayedEvent): string {
  const lines = [
    ...(line === undefined ? [] : [line]),
    ...(event === undefined ? [] : [`event: ${event}`]),
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...(data === undefined ? [] : data.split('\n').map((text) => `data: ${text}`)),
  ];
  return `${lines.join('\n')}\n\n`;
}

/** A message as the text of an event. */
export function messageEvent(data: string): string {
  return writeEvent({ event: 'message', data });
}
