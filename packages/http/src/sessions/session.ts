/** One client of a handshake revision, from `initialize` to DELETE or to its idle time. */
import type { Caller } from '@sigil-mcp/core';
import {
  ChangeFeed,
  isPromise,
  type ChangeListener,
  type ChangeListeners,
  type Clock,
  type Connection,
  type Conversation,
  type RunningCalls,
} from '@sigil-mcp/core/adapter';
import { writeNotification, type ChangeNotification, type RequestId } from '@sigil-mcp/protocol';
import { sessionOver } from '../refusals/refusal';
import { PlainOutlet, type Outlet } from '../streams/outlet';
import { frame } from '../streams/sse-event';
import type { EventStream } from '../streams/event-stream';
import type { WholeAnswer } from '../streams/whole-answer';
import type { Resumption, SessionStreams } from './session-streams';

/** The data of a new session. */
export interface SessionInit {
  readonly id: string;
  readonly conversation: Conversation;
  readonly running: RunningCalls;
  /** The owner; no other caller may use it. */
  readonly caller: Caller;
  /** The client that it is counted for. */
  readonly countedFor: string;
  /** Creates its streams, with the first of them. */
  readonly openStreams: (session: Session) => SessionStreams;
  /** Saves the state that outlasts this process; undefined for a single instance. */
  readonly save?: ((session: Session) => void | Promise<void>) | undefined;
  readonly clock: Clock;
}

/** A session, created by the session table. Parts that an idle session does not need are created on demand. */
export class Session implements ChangeListener, Connection {
  readonly id: string;
  readonly conversation: Conversation;
  readonly running: RunningCalls;
  #principal: string | undefined;
  #countedFor: string;
  readonly #openStreams: SessionInit['openStreams'];
  readonly #save: SessionInit['save'];
  #streams: SessionStreams | undefined;
  #feed: ChangeFeed | undefined;
  /** Requests that are being answered. */
  #busy = 0;
  /** Those of them whose client is still connected. */
  #waiting = 0;
  #lastUsed: number;
  readonly #clock: Clock;
  #closedBy: Error | undefined;
  #stopListening: (() => void) | undefined;
  #caller: Caller;

  constructor({ id, conversation, running, caller, countedFor, openStreams, save, clock }: SessionInit) {
    this.id = id;
    this.conversation = conversation;
    this.running = running;
    this.#principal = caller.principal;
    this.#countedFor = countedFor;
    this.#caller = caller;
    this.#openStreams = openStreams;
    this.#save = save;
    this.#clock = clock;
    this.#lastUsed = clock.elapsed();
  }

  get held(): Conversation {
    return this.conversation;
  }

  /** The principal that opened it, or that was the first to use it with a token; undefined while it has no owner. */
  get principal(): string | undefined {
    return this.#principal;
  }

  /** The client that it is counted for. */
  get countedFor(): string {
    return this.#countedFor;
  }

  /**
   * Sets the owner. The anonymous client that had it so far receives only the answers that it waits for:
   * the stream of the session ends.
   */
  belongTo(principal: string, countedFor: string): void {
    this.#principal = principal;
    this.#countedFor = countedFor;
    this.#streams?.hangUp();
  }

  /** The principal, with the rights of the latest token. */
  get caller(): Caller {
    return this.#caller;
  }

  /** Sets the rights of a later request, which may be fewer. */
  renew(caller: Caller): void {
    this.#caller = caller;
  }

  /** Whether a request is being answered or a stream is open. */
  get isBusy(): boolean {
    return this.#busy > 0 || this.#isConnected;
  }

  get #isConnected(): boolean {
    return this.#streams?.isConnected ?? false;
  }

  /** Whether its client waits for an answer, or has a stream open. */
  get isPresent(): boolean {
    return this.#waiting > 0 || this.#isConnected;
  }

  /** Milliseconds since its client was last present; 0 while it is. */
  get idleSince(): number {
    return this.isPresent ? 0 : this.#clock.elapsed() - this.#lastUsed;
  }

  /** Drops the events of streams that were delivered so long ago that their clients will not reconnect. */
  forgetDelivered(): void {
    this.#streams?.forgetDelivered();
  }

  /** Notifies its client of changes from now on, if it subscribes to them. */
  follow(listeners: ChangeListeners): void {
    this.#stopListening = listeners.add(this);
  }

  hear(change: ChangeNotification, position?: string): void {
    (this.#feed ??= new ChangeFeed((next, at) => this.#tell(next, at))).tell(change, position);
  }

  subscribed(): readonly string[] {
    return this.conversation.lasting?.record.subscribed ?? [];
  }

  #tell(change: ChangeNotification, position: string | undefined): void | Promise<void> {
    const written = this.conversation.lasting?.writeChange(change);
    return written && this.push(writeNotification(written), position);
  }

  /** Counts as a use by its client. */
  touch(): void {
    this.#lastUsed = this.#clock.elapsed();
  }

  /** Marks a request as being answered until `done` is called; its client waits until `left` or `done` is called. */
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

  /** Whether changes by requests have to be saved before the answer. */
  get isSaved(): boolean {
    return this.#save !== undefined;
  }

  /** Saves the changes for all instances of the server; returns at once without changes. */
  save(): void | Promise<void> {
    return this.#save?.(this);
  }

  /** Opens a stream for the requests of one message. After the session has ended, clients cannot resume it. */
  openStream(connection: EventStream, ids: readonly RequestId[] = []): Outlet {
    return this.#closedBy ? new PlainOutlet(connection) : this.#open().open(this.#watch(connection), ids);
  }

  /** Writes a stream with a single message; undefined if the stream has to be opened for that. */
  writeWhole(text: string): WholeAnswer | undefined {
    if (this.#closedBy) return { body: frame({ data: text }) };
    const answer = this.#open().writeWhole?.(text);
    if (!answer) return undefined;
    const over = (wasDelivered: boolean): void => {
      this.touch();
      answer.over(wasDelivered);
    };
    return { body: answer.body, over };
  }

  /**
   * Opens the stream for messages without a request. Refuses with 404 after the session has ended.
   * @returns false if there is one already
   */
  connectStandalone(connect: () => EventStream): boolean | Promise<boolean> {
    return this.#open().connectStandalone(() => this.#watch(connect()));
  }

  /** Resumes a stream after an event that the client has. Refuses with 404 after the session has ended. */
  resume(lastEventId: string, connect: () => EventStream): Resumption | Promise<Resumption> {
    const resumed = this.#open().resume(lastEventId, () => this.#watch(connect()));
    return isPromise(resumed) ? resumed.finally(this.use().done) : resumed;
  }

  /** Sends a message without a request, on exactly one stream; does nothing after the session has ended. */
  push(text: string, position?: string): void | Promise<void> {
    return this.#closedBy ? undefined : this.#open().push(text, position);
  }

  /** The reason why the session has ended; undefined before that. */
  get closedBy(): Error | undefined {
    return this.#closedBy;
  }

  /** Ends the stream without a request and cancels running calls, which ends the others. */
  close(reason: Error): void {
    this.#closedBy = reason;
    this.#stopListening?.();
    this.running.cancelAll(reason);
    this.#streams?.close();
    this.#streams = undefined;
  }

  /** A client is idle from the moment its stream breaks, not from its last request. */
  #watch(connection: EventStream): EventStream {
    connection.onClose(() => this.touch());
    return connection;
  }

  #open(): SessionStreams {
    if (this.#closedBy) throw sessionOver();
    return (this.#streams ??= this.#openStreams(this));
  }
}
