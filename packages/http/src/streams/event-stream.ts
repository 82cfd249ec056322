/**
 * Server-sent events on one response.
 */
import { createHash } from 'node:crypto';
import type { MaybePromise, StreamEndReason } from '@sigil-mcp/core/adapter';
import { unawaited } from '@sigil-mcp/core/internal';
import type { Revision } from '@sigil-mcp/protocol';
import type { EventSource, EventWriter, HttpRequest } from '../port';

/** Characters before the head was sent from which on senders wait. */
const MOST_EARLY = 64 * 1024;

/** A stream; writes have no effect after the client has disconnected. */
export class EventStream implements EventSource {
  #writer: EventWriter | undefined;
  /** The events before the head was sent. */
  #early = '';
  /** False after it was ended, or its client has disconnected. */
  #isOpen = true;
  #isEnded = false;
  #wasDelivered = false;
  /** Why it was ended on this side; undefined if it was not. */
  #reason: StreamEndReason | undefined;
  #listeners: (() => void)[] | undefined = [];
  /** Pending while the client reads too slowly; all senders wait for the same promise. */
  #room: Promise<void> | undefined;
  /** Resolves that promise. */
  #goOn: (() => void) | undefined;

  constructor(private readonly request: HttpRequest) {}

  get isOpen(): boolean {
    return this.#isOpen && (this.#writer?.isOpen ?? true);
  }

  /** Whether everything was sent, including the end. */
  get wasDelivered(): boolean {
    return this.#wasDelivered || (this.#writer?.wasDelivered ?? false);
  }

  /** The bytes that wait for the client to read. */
  get unread(): number {
    return this.#writer?.unread ?? this.#early.length;
  }

  /** Whether its head was sent, and events go to the client at once. */
  get isSending(): boolean {
    return this.#writer !== undefined;
  }

  /** Whether it was ended on this side. */
  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Why it ended, once it has. */
  get endReason(): StreamEndReason {
    if (this.#reason === undefined) return 'client-gone';
    return this.#reason === 'answered' && !this.wasDelivered ? 'client-gone' : this.#reason;
  }

  get whole(): string | undefined {
    return this.#isEnded ? this.#early : undefined;
  }

  open(writer: EventWriter): void {
    this.#writer = writer;
    if (this.#isEnded) {
      // All was handed to the system: there is nothing to wait for.
      this.#wasDelivered = writer.isOpen && writer.unread === 0;
      if (this.#wasDelivered) return this.#closed();
    } else {
      writer.onDrain(() => this.#goOn?.());
      if (this.#early === '') writer.flush();
      else if (writer.write(this.#early)) this.#goOn?.();
    }
    this.#early = '';
    this.request.onClosed(() => this.#closed());
  }

  discard(): void {
    this.#reason = 'failed';
    this.#closed();
  }

  /**
   * Writes an event.
   * @returns a promise if the client reads too slowly; it resolves when there is room again, or the client has disconnected
   */
  send(event: SseEvent): void | Promise<void> {
    if (!this.isOpen) return undefined;
    const text = frame(event);
    if (!this.#writer) {
      this.#early += text;
      if (this.#early.length > MOST_EARLY) return (this.#room ??= this.#waitForRoom());
    } else if (!this.#writer.write(text)) return (this.#room ??= this.#waitForRoom());
    return undefined;
  }

  /** Keeps proxies and clients from treating silence as the end. Not sent to a client that reads too slowly. */
  keepAlive(): void {
    if (this.isOpen && this.#writer?.unread === 0) this.#writer.write(': keep-alive\n\n');
  }

  /** Ends it; if it has been ended before, the first reason remains. */
  end(reason: StreamEndReason): void {
    this.#reason ??= reason;
    this.#isOpen = false;
    this.#isEnded = true;
    this.#writer?.end();
  }

  /** Ends in favour of another connection of the same client: unread events are sent there, and are not stored twice. */
  giveWay(): void {
    if (this.unread > 0) this.destroy('replaced');
    else this.end('replaced');
  }

  /** Ends a stream whose client may never read the rest. */
  destroy(reason: StreamEndReason): void {
    this.#reason ??= reason;
    this.#isOpen = false;
    if (this.#writer) this.#writer.abort();
    else this.request.abort();
  }

  /** Calls back once when the response has ended, on either side. */
  onClose(listener: () => void): void {
    if (this.#listeners) this.#listeners.push(listener);
    else listener();
  }

  #closed(): void {
    const listeners = this.#listeners ?? [];
    this.#listeners = undefined;
    this.#isOpen = false;
    this.#goOn?.();
    for (const listener of listeners) listener();
  }

  #waitForRoom(): Promise<void> {
    return new Promise((resolve) => {
      this.#goOn = () => {
        this.#goOn = this.#room = undefined;
        resolve();
      };
    });
  }
}

/** Sends the messages of a stream; the last of them come with its end. */
export interface Outlet {
  /** Sends one message. A promise means that the client reads too slowly; it resolves when there is room again. */
  send(text: string): MaybePromise<void>;
  /** Sends the last messages, and ends the stream. */
  end(texts: readonly string[]): void;
  /** Releases the connection while messages may still follow; undefined if a client could not reconnect for them. */
  release?(): void;
}

/** A stream that ends with its connection, for revisions and settings without replay. */
export class PlainOutlet implements Outlet {
  constructor(private readonly stream: EventStream) {}

  send(text: string): MaybePromise<void> {
    return this.stream.send({ data: text });
  }

  end(texts: readonly string[]): void {
    for (const data of texts) unawaited(this.stream.send({ data }));
    this.stream.end('answered');
  }
}

// Server-sent events: one event for each message, one `data` line for each event, and the ids with which clients resume a stream, which have one
// format on every server.

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
