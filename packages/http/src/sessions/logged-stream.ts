/** A stream that outlives its connections: its events are stored with ids, and a client that reconnects receives the rest. */
import { unawaited } from '@sigil-mcp/core/adapter';
import type { Outlet } from '../streams/outlet';
import type { SseEvent } from '../streams/sse-event';
import type { EventStream } from '../streams/event-stream';
import type { EventLog, LoggedEvent, LogStream } from './event-log';

/** The stream features of a revision. */
export interface StreamManners {
  /** Whether the stream opens with an empty event, so that the client has an id to reconnect with. */
  readonly polling: boolean;
  /** Whether events have ids, so that a client may ask for what it missed. */
  readonly replay: boolean;
  /** Milliseconds after which a client should reconnect. */
  readonly retryInterval: number;
}

/** Callbacks of a stream to its session. */
export interface StreamEvents {
  /** A stream will send nothing more. */
  ended(stream: LogStream): void;
  /** A stream has ended, and its last connection received all of it. */
  delivered(stream: LogStream): void;
}

/** One stream of a session. */
export class LoggedStream implements Outlet {
  #connection: EventStream | undefined;
  /** The number of events that were sent without a connection; they are the last ones of the log. */
  #unsent = 0;
  #last: string | undefined;
  #ended = false;

  constructor(
    readonly stream: LogStream,
    private readonly log: EventLog,
    private readonly manners: StreamManners,
    private readonly events: StreamEvents,
  ) {}

  get isConnected(): boolean {
    return this.#connection?.isOpen ?? false;
  }

  /**
   * Uses a new connection; the previous one ends.
   * @param missed the events that the client requested again; if left out, those that were never sent
   */
  connect(connection: EventStream, missed: readonly LoggedEvent[] = this.#waiting()): void {
    this.#connection?.giveWay();
    this.#connection = connection;
    connection.onClose(() => this.#disconnect(connection));
    if (missed.length === 0) this.#greet(connection);
    missed.forEach((event, index) =>
      unawaited(connection.send({ ...this.#written(event), ...(index === 0 && this.#retry()) })),
    );
    this.#unsent = 0;
    this.#last = undefined;
    if (this.#ended) this.hangUp();
  }

  /** Begins a connection without missed events. With missed events it must not: its id would skip them. */
  #greet(connection: EventStream): void {
    if (this.manners.polling && this.manners.replay && !this.#ended)
      unawaited(connection.send({ id: this.log.mark(this.stream), data: '', ...this.#retry() }));
  }

  #waiting(): readonly LoggedEvent[] {
    return this.#unsent === 0 ? [] : this.log.since(this.stream).slice(-this.#unsent);
  }

  #written({ id, data }: LoggedEvent): SseEvent {
    return this.manners.replay ? { id, data } : { data };
  }

  #retry(): { readonly retry?: number } {
    return this.manners.polling ? { retry: this.manners.retryInterval } : {};
  }

  send(text: string): void | Promise<void> {
    const { isConnected } = this;
    // The client cannot request it again.
    if (isConnected && !this.manners.replay) return this.#connection?.send({ data: text });
    const id = this.log.append(this.stream, text);
    if (isConnected) return this.#connection?.send(this.#written({ id, data: text }));
    this.#unsent += 1;
    this.#last = text;
    return undefined;
  }

  /** Sends a message that is sent only once even if its cause repeats, such as a changed list; not twice in a row without a connection. */
  announce(text: string): void | Promise<void> {
    return !this.isConnected && this.#last === text ? undefined : this.send(text);
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.events.ended(this.stream);
    this.hangUp();
  }

  /** Ends the connection, not the stream. Without polling the client would have no id to reconnect with. */
  release(): void {
    if (this.manners.polling) this.hangUp();
  }

  /** Ends the connection, not the stream. */
  hangUp(): void {
    this.#connection?.end();
  }

  /** A closed connection is not kept: a session may be idle for long. */
  #disconnect(connection: EventStream): void {
    if (this.#connection !== connection) return;
    this.#connection = undefined;
    if (this.#ended && connection.wasDelivered) this.events.delivered(this.stream);
  }
}
