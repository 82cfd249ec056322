/** A stream that outlives its connections: what it sends is logged under an id, and a client that comes back gets the rest. */
import { unawaited } from '@sigil-mcp/core/adapter';
import type { Outlet } from '../streams/outlet';
import type { SseEvent, SseStream } from '../streams/sse-stream';
import type { EventLog, LoggedEvent } from './event-log';

/** Events that wait for a connection; a client that never opens a stream must not fill the memory. */
const MOST_UNSENT = 100;

/** How a revision's streams behave. */
export interface StreamManners {
  /** Whether the stream opens with an empty event, so that the client has an id to come back with. */
  readonly polling: boolean;
  /** Whether events have ids, so that a client may ask for what it missed. */
  readonly replay: boolean;
  /** Milliseconds after which a client may come back. */
  readonly retryInterval: number;
}

/** One stream of a session. */
export class LoggedStream implements Outlet {
  #connection: SseStream | undefined;
  /** The events that were sent while nobody was connected. */
  #unsent: LoggedEvent[] = [];
  #ended = false;

  constructor(
    readonly key: string,
    private readonly log: EventLog,
    private readonly manners: StreamManners,
  ) {}

  get isConnected(): boolean {
    return this.#connection?.isOpen ?? false;
  }

  get hasEnded(): boolean {
    return this.#ended;
  }

  /**
   * Uses a connection from now on; the one before ends.
   * @param missed the events that the client asked for again; if left out, those that were never sent to anybody
   */
  connect(connection: SseStream, missed: readonly LoggedEvent[] = this.#unsent): void {
    this.#connection?.end();
    this.#connection = connection;
    if (missed.length === 0) this.#greet(connection);
    missed.forEach((event, index) =>
      unawaited(connection.send({ ...this.#written(event), ...(index === 0 && this.#retry()) })),
    );
    this.#unsent = [];
    if (this.#ended) this.#hangUp();
  }

  /** Begins a connection without missed events. With some it must not: its id would take the client past them. */
  #greet(connection: SseStream): void {
    if (this.manners.polling && this.manners.replay && !this.#ended)
      unawaited(connection.send({ id: this.log.mark(this.key), data: '', ...this.#retry() }));
    else connection.open();
  }

  #written({ id, data }: LoggedEvent): SseEvent {
    return this.manners.replay ? { id, data } : { data };
  }

  #retry(): { readonly retry?: number } {
    return this.manners.polling ? { retry: this.manners.retryInterval } : {};
  }

  send(text: string): void | Promise<void> {
    const id = this.log.append(this.key, text);
    if (this.isConnected) return this.#connection?.send(this.#written({ id, data: text }));
    this.#unsent = [...this.#unsent.slice(1 - MOST_UNSENT), { id, data: text }];
    return undefined;
  }

  /** Sends what is said once however often it happens, such as that a list has changed; not twice in a row while nobody is there. */
  announce(text: string): void | Promise<void> {
    return !this.isConnected && this.#unsent.at(-1)?.data === text ? undefined : this.send(text);
  }

  end(): void {
    this.#ended = true;
    this.#hangUp();
  }

  /** The connection ends, the stream does not. Without polling the client would have no id to come back with. */
  release(): void {
    if (this.manners.polling) this.#hangUp();
  }

  #hangUp(): void {
    this.#connection?.end();
    this.#connection = undefined;
  }
}
