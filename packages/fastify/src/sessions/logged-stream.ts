/** A stream that outlives its connections: what it sends is logged under an id, and a client that comes back gets the rest. */
import { unawaited } from '@sigil-mcp/core/adapter';
import type { Outlet } from '../streams/outlet';
import type { SseEvent } from '../streams/sse-event';
import type { SseStream } from '../streams/sse-stream';
import type { EventLog, LoggedEvent, LogStream } from './event-log';

/** How a revision's streams behave. */
export interface StreamManners {
  /** Whether the stream opens with an empty event, so that the client has an id to come back with. */
  readonly polling: boolean;
  /** Whether events have ids, so that a client may ask for what it missed. */
  readonly replay: boolean;
  /** Milliseconds after which a client may come back. */
  readonly retryInterval: number;
}

/** What a stream tells its session. */
export interface StreamEvents {
  /** Nothing more will be sent on a stream. */
  ended(stream: LogStream): void;
  /** A stream has ended, and the last connection took all of it. */
  delivered(stream: LogStream): void;
}

/** One stream of a session. */
export class LoggedStream implements Outlet {
  #connection: SseStream | undefined;
  /** Whether events wait that were sent while nobody was connected; they are the last of the log. */
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
   * Uses a connection from now on; the one before ends.
   * @param missed the events that the client asked for again; if left out, those that were never sent to anybody
   */
  connect(connection: SseStream, missed: readonly LoggedEvent[] = this.#waiting()): void {
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

  /** Begins a connection without missed events. With some it must not: its id would take the client past them. */
  #greet(connection: SseStream): void {
    if (this.manners.polling && this.manners.replay && !this.#ended)
      unawaited(connection.send({ id: this.log.mark(this.stream), data: '', ...this.#retry() }));
    else connection.open();
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
    // Nobody could ask for it again.
    if (isConnected && !this.manners.replay) return this.#connection?.send({ data: text });
    const id = this.log.append(this.stream, text);
    if (isConnected) return this.#connection?.send(this.#written({ id, data: text }));
    this.#unsent += 1;
    this.#last = text;
    return undefined;
  }

  /** Sends what is said once however often it happens, such as that a list has changed; not twice in a row while nobody is there. */
  announce(text: string): void | Promise<void> {
    return !this.isConnected && this.#last === text ? undefined : this.send(text);
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.events.ended(this.stream);
    this.hangUp();
  }

  /** The connection ends, the stream does not. Without polling the client would have no id to come back with. */
  release(): void {
    if (this.manners.polling) this.hangUp();
  }

  /** The connection ends, the stream does not. */
  hangUp(): void {
    this.#connection?.end();
  }

  /** A connection that is over is not kept: a session may be idle for long. */
  #disconnect(connection: SseStream): void {
    if (this.#connection !== connection) return;
    this.#connection = undefined;
    if (this.#ended && connection.wasDelivered) this.events.delivered(this.stream);
  }
}
