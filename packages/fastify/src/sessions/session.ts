/** One client of a handshake revision, from `initialize` to DELETE or to the end of its patience. */
import {
  ChangeFeed,
  type ChangeListener,
  type ChangeListeners,
  type Connection,
  type Conversation,
  type RunningCalls,
} from '@sigil-mcp/core/adapter';
import { writeNotification, type ChangeNotification } from '@sigil-mcp/protocol';
import type { SseStream } from '../streams/sse-stream';
import { EventLog } from './event-log';
import { LoggedStream } from './logged-stream';

/** The stream that belongs to no request. */
const STANDALONE = 'session';

/** What a session is opened with. */
export interface SessionInit {
  readonly id: string;
  readonly conversation: Conversation;
  readonly running: RunningCalls;
  /** Id of the user who opened it; nobody else may use it. */
  readonly principal: string | undefined;
  /** Milliseconds after which a client whose stream was closed may come back. */
  readonly retryInterval: number;
}

/** A session, made by the session table. What one that is idle does not need is not there. */
export class Session implements ChangeListener, Connection {
  readonly id: string;
  readonly conversation: Conversation;
  readonly running: RunningCalls;
  readonly principal: string | undefined;
  readonly #retryInterval: number;
  #log: EventLog | undefined;
  #feed: ChangeFeed | undefined;
  #streams: Map<string, LoggedStream> | undefined;
  #nextStream = 0;
  #busy = 0;
  #lastUsed = Date.now();
  #closedBy: Error | undefined;
  #stopListening: (() => void) | undefined;

  constructor({ id, conversation, running, principal, retryInterval }: SessionInit) {
    this.id = id;
    this.conversation = conversation;
    this.running = running;
    this.principal = principal;
    this.#retryInterval = retryInterval;
  }

  get held(): Conversation {
    return this.conversation;
  }

  /** Milliseconds since it was last used; 0 while a request is answered or a stream is open. */
  idleSince(now: number): number {
    const isOpen = this.#busy > 0 || [...(this.#streams?.values() ?? [])].some(({ isConnected }) => isConnected);
    return isOpen ? 0 : now - this.#lastUsed;
  }

  /** Tells its client what changes from now on, as far as it wants to know. */
  follow(listeners: ChangeListeners): void {
    this.#stopListening = listeners.add(this);
  }

  hear(change: ChangeNotification): void {
    (this.#feed ??= new ChangeFeed((next) => this.#tell(next))).tell(change);
  }

  #tell(change: ChangeNotification): void | Promise<void> {
    const written = this.conversation.lasting?.writeChange(change);
    return written && this.push(writeNotification(written));
  }

  /** Counts as a use: its client was heard of. */
  touch(): void {
    this.#lastUsed = Date.now();
  }

  /** Keeps the session alive until the returned function is called. */
  use(): () => void {
    this.#busy++;
    return () => {
      this.#busy--;
      this.touch();
    };
  }

  /** Opens a stream for one request. It is kept until it has ended; from then on the log alone knows of it. */
  openStream(connection: SseStream): LoggedStream {
    const stream = this.#addStream(`r${this.#nextStream++}`);
    stream.connect(this.#watch(connection));
    return stream;
  }

  /**
   * Opens the stream for what belongs to no request.
   * @returns false if there is one already
   */
  connectStandalone(connect: () => SseStream): boolean {
    const stream = this.#standalone();
    if (stream.isConnected) return false;
    stream.connect(this.#watch(connect()));
    return true;
  }

  /**
   * Goes on with a stream after an event that the client has.
   * @returns false for an id that this session never gave out, or whose stream is over and forgotten
   */
  resume(lastEventId: string, connect: () => SseStream): boolean {
    const replay = this.#log?.after(lastEventId);
    if (!replay) return false;
    const open = this.#streams?.get(replay.stream);
    if (!open && !replay.isLogged) return false;
    const stream = open ?? this.#endedStream(replay.stream);
    stream.connect(this.#watch(connect()), replay.events);
    return true;
  }

  /** Sends what belongs to no request, on exactly one stream; without a connection it waits in the log. */
  push(text: string): void | Promise<void> {
    return this.#standalone().announce(text);
  }

  /** Why the session is over; undefined as long as it is not. */
  get closedBy(): Error | undefined {
    return this.#closedBy;
  }

  /** Ends the stream that belongs to no request and cancels what runs, which ends the others. */
  close(reason: Error): void {
    this.#closedBy = reason;
    this.#stopListening?.();
    this.running.cancelAll(reason);
    // The other streams end with their exchanges, which have yet to say what became of them.
    this.#streams?.get(STANDALONE)?.end();
    this.#streams = undefined;
  }

  /** A client is idle from the moment its stream breaks, not from its last request. */
  #watch(connection: SseStream): SseStream {
    connection.onClose(() => this.touch());
    return connection;
  }

  #standalone(): LoggedStream {
    return this.#streams?.get(STANDALONE) ?? this.#addStream(STANDALONE);
  }

  #endedStream(key: string): LoggedStream {
    const stream = this.#createStream(key);
    stream.end();
    return stream;
  }

  #addStream(key: string): LoggedStream {
    const streams = (this.#streams ??= new Map<string, LoggedStream>());
    for (const [known, stream] of streams) if (stream.hasEnded) streams.delete(known);
    const stream = this.#createStream(key);
    streams.set(key, stream);
    return stream;
  }

  #createStream(key: string): LoggedStream {
    const { polling, replay } = this.conversation.revision.http;
    return new LoggedStream(key, (this.#log ??= new EventLog()), {
      polling,
      replay,
      retryInterval: this.#retryInterval,
    });
  }
}
