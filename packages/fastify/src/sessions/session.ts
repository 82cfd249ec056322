/** One client of a handshake revision, from `initialize` to DELETE or to the end of its patience. */
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
import type { SseStream } from '../streams/sse-stream';
import type { WholeAnswer } from '../streams/whole-answer';
import type { Resumption, SessionStreams } from './session-streams';

/** What a session is opened with. */
export interface SessionInit {
  readonly id: string;
  readonly conversation: Conversation;
  readonly running: RunningCalls;
  /** Who opens it; nobody else may use it. */
  readonly caller: Caller;
  /** Whom it is counted for. */
  readonly countedFor: string;
  /** Makes its streams, with the first of them. */
  readonly openStreams: (session: Session) => SessionStreams;
  /** Writes down what outlasts this process; undefined where nothing does. */
  readonly save?: ((session: Session) => void | Promise<void>) | undefined;
  readonly clock: Clock;
}

/** A session, made by the session table. What one that is idle does not need is not there. */
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
  /** Those of them whose client has not left. */
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

  /** Of whoever opened it, or was the first to use it with a name; undefined while it belongs to nobody. */
  get principal(): string | undefined {
    return this.#principal;
  }

  /** Whom it is counted for. */
  get countedFor(): string {
    return this.#countedFor;
  }

  /**
   * Belongs to a principal from now on. Whoever had it until then was nobody, and gets nothing more of it than the answers that it waits for:
   * the stream of the session ends.
   */
  belongTo(principal: string, countedFor: string): void {
    this.#principal = principal;
    this.#countedFor = countedFor;
    this.#streams?.hangUp();
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
    return this.#streams?.isConnected ?? false;
  }

  /** Whether its client is there: it waits for an answer, or has a stream open. */
  get isPresent(): boolean {
    return this.#waiting > 0 || this.#isConnected;
  }

  /** Milliseconds since its client was last there; 0 while it is. */
  get idleSince(): number {
    return this.isPresent ? 0 : this.#clock.elapsed() - this.#lastUsed;
  }

  /** Forgets the events of streams that were delivered so long ago that nobody comes back for them. */
  forgetDelivered(): void {
    this.#streams?.forgetDelivered();
  }

  /** Tells its client what changes from now on, as far as it wants to know. */
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

  /** Counts as a use: its client was heard of. */
  touch(): void {
    this.#lastUsed = this.#clock.elapsed();
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

  /** Whether what requests change of it has to be saved before they are answered. */
  get isSaved(): boolean {
    return this.#save !== undefined;
  }

  /** Writes down what has changed, for all instances of the server; at once where nothing has. */
  save(): void | Promise<void> {
    return this.#save?.(this);
  }

  /** Opens a stream for the requests of one message. Once the session is over nobody can come back to it. */
  openStream(connection: SseStream, ids: readonly RequestId[] = []): Outlet {
    return this.#closedBy ? new PlainOutlet(connection) : this.#open().open(this.#watch(connection), ids);
  }

  /** Writes a stream that says one thing and is over; undefined where it has to be opened for that. */
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
   * Opens the stream for what belongs to no request. Refuses with 404 once the session is over.
   * @returns false if there is one already
   */
  connectStandalone(connect: () => SseStream): boolean | Promise<boolean> {
    return this.#open().connectStandalone(() => this.#watch(connect()));
  }

  /** Goes on with a stream after an event that the client has. Refuses with 404 once the session is over. */
  resume(lastEventId: string, connect: () => SseStream): Resumption | Promise<Resumption> {
    const resumed = this.#open().resume(lastEventId, () => this.#watch(connect()));
    return isPromise(resumed) ? resumed.finally(this.use().done) : resumed;
  }

  /** Sends what belongs to no request, on exactly one stream; does nothing once the session is over. */
  push(text: string, position?: string): void | Promise<void> {
    return this.#closedBy ? undefined : this.#open().push(text, position);
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
    this.#streams?.close();
    this.#streams = undefined;
  }

  /** A client is idle from the moment its stream breaks, not from its last request. */
  #watch(connection: SseStream): SseStream {
    connection.onClose(() => this.touch());
    return connection;
  }

  #open(): SessionStreams {
    if (this.#closedBy) throw sessionOver();
    return (this.#streams ??= this.#openStreams(this));
  }
}
