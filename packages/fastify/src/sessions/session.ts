/** One client of a handshake revision, from `initialize` to DELETE or to the end of its patience. */
import type { Caller } from '@sigil-mcp/core';
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
import { EventLog, streamOf } from './event-log';
import type { EventStore } from './event-store';
import { LoggedStream } from './logged-stream';

/** The stream that belongs to no request. */
const STANDALONE = 'session';
/** Milliseconds for which the events of a stream are kept after it was delivered: what was sent last may yet be lost. */
const KEPT_AFTER_DELIVERY = 10_000;

/** What a session is opened with. */
export interface SessionInit {
  readonly id: string;
  readonly conversation: Conversation;
  readonly running: RunningCalls;
  /** Who opens it; nobody else may use it. */
  readonly caller: Caller;
  /** Milliseconds after which a client whose stream was closed may come back. */
  readonly retryInterval: number;
  /** Where the events of all sessions are counted. */
  readonly store: EventStore;
}

/** A session, made by the session table. What one that is idle does not need is not there. */
export class Session implements ChangeListener, Connection {
  readonly id: string;
  readonly conversation: Conversation;
  readonly running: RunningCalls;
  /** Of whoever opened it; undefined where nobody was authenticated. */
  readonly principal: string | undefined;
  readonly #retryInterval: number;
  readonly #store: EventStore;
  #log: EventLog | undefined;
  #feed: ChangeFeed | undefined;
  #streams: Map<string, LoggedStream> | undefined;
  /** Streams that were delivered to their end, and when. */
  #delivered: Map<string, number> | undefined;
  #nextStream = 0;
  /** Requests that are being answered. */
  #busy = 0;
  /** Those of them whose client has not left. */
  #waiting = 0;
  #lastUsed = Date.now();
  #closedBy: Error | undefined;
  #stopListening: (() => void) | undefined;
  #caller: Caller;

  constructor({ id, conversation, running, caller, retryInterval, store }: SessionInit) {
    this.id = id;
    this.conversation = conversation;
    this.running = running;
    this.principal = caller.principal;
    this.#caller = caller;
    this.#retryInterval = retryInterval;
    this.#store = store;
  }

  get held(): Conversation {
    return this.conversation;
  }

  /** The principal, with the rights of the token that came last. */
  get caller(): Caller {
    return this.#caller;
  }

  /** Takes the rights of a later request, which may be fewer. */
  renew(caller: Caller): void {
    this.#caller = caller;
  }

  /** Whether a request is answered or a stream is open. */
  get isBusy(): boolean {
    return this.#busy > 0 || this.#isConnected;
  }

  get #isConnected(): boolean {
    return [...(this.#streams?.values() ?? [])].some(({ isConnected }) => isConnected);
  }

  /** Milliseconds since its client was last there; 0 while it waits for an answer or has a stream open. */
  idleSince(now: number): number {
    return this.#waiting > 0 || this.#isConnected ? 0 : now - this.#lastUsed;
  }

  /** Forgets the events of streams that were delivered so long ago that nobody comes back for them. */
  forgetDelivered(now: number): void {
    for (const [key, at] of this.#delivered ?? []) {
      if (now - at < KEPT_AFTER_DELIVERY) return;
      this.#delivered?.delete(key);
      this.#log?.release(key);
    }
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

  /** A request is being answered until `done` is called, and its client waits for that until `left` or `done` is. */
  use(): { readonly done: () => void; readonly left: () => void } {
    this.#busy++;
    this.#waiting++;
    let isWaiting = true;
    const left = (): void => {
      if (!isWaiting) return;
      isWaiting = false;
      this.#waiting--;
      this.touch();
    };
    const done = (): void => {
      this.#busy--;
      left();
      this.touch();
    };
    return { done, left };
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
   * @returns `unknown` for an id that this session never gave out, `gone` where what followed is not kept any more
   */
  resume(lastEventId: string, connect: () => SseStream): 'resumed' | 'unknown' | 'gone' {
    const replay = this.#log?.after(lastEventId) ?? 'unknown';
    if (replay === 'gone') return this.#hasOpened(streamOf(lastEventId)) ? 'gone' : 'unknown';
    if (replay === 'unknown') return replay;
    const stream = this.#streams?.get(replay.stream) ?? this.#endedStream(replay.stream);
    stream.connect(this.#watch(connect()), replay.events);
    return 'resumed';
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
    this.#log?.end();
    this.#log = undefined;
  }

  /** A client is idle from the moment its stream breaks, not from its last request. */
  #watch(connection: SseStream): SseStream {
    connection.onClose(() => this.touch());
    return connection;
  }

  #standalone(): LoggedStream {
    return this.#streams?.get(STANDALONE) ?? this.#addStream(STANDALONE);
  }

  #hasOpened(key: string): boolean {
    const [, number] = /^r(0|[1-9]\d*)$/.exec(key) ?? [];
    return key === STANDALONE || (number !== undefined && Number(number) < this.#nextStream);
  }

  #endedStream(key: string): LoggedStream {
    const stream = this.#createStream(key);
    stream.end();
    return stream;
  }

  #addStream(key: string): LoggedStream {
    const stream = this.#createStream(key);
    (this.#streams ??= new Map<string, LoggedStream>()).set(key, stream);
    return stream;
  }

  #createStream(key: string): LoggedStream {
    const { polling, replay } = this.conversation.revision.http;
    const log = (this.#log ??= new EventLog(this.#store));
    const events = {
      ended: () => {
        this.#streams?.delete(key);
        log.close(key);
      },
      delivered: () => void (this.#delivered ??= new Map<string, number>()).set(key, Date.now()),
    };
    return new LoggedStream(key, log, { polling, replay, retryInterval: this.#retryInterval }, events);
  }
}
