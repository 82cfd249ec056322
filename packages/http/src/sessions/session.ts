/** One client of a handshake revision, from `initialize` to DELETE or to its idle time. */
import type { Caller } from '@sigil-mcp/core';
import type { Clock, MessageSource, Conversation, MaybePromise } from '@sigil-mcp/core/adapter';
import {
  ChangeFeed,
  isPromise,
  type ConversationChange,
  type FollowSubscription,
  type RunningCalls,
} from '@sigil-mcp/core/internal';
import { writeNotification, type ChangeNotification, type RequestId } from '@sigil-mcp/protocol';
import { sessionOver } from '../call';
import { frame, PlainOutlet, type EventStream, type Outlet } from '../streams/event-stream';
import type { Connect, ResumeOutcome, SessionStreams } from '../streams/session-streams';
import type { StreamSession } from '../streams/standalone-stream';
import type { JointSaves, SessionRecord } from './session-record';

/** The owner of sessions, who knows what outlasts this process. */
export interface SessionOwner {
  /** Creates the streams of a session, with the first of them. */
  openStreams(session: Session): SessionStreams;
  /** Saves the changes of a session; returns at once without changes. */
  save(session: Session): MaybePromise<void>;
  /** Milliseconds of presence after which a client that leaves is reported with `left`. */
  readonly renewalDelay: number;
  /** Work for a session has begun: a request that takes time is being answered. */
  began(session: Session): void;
  /** No request of a session is being answered any more. */
  done(session: Session): void;
  /** The client of a session has left, a while after its last request, and its idle time begins. */
  left(session: Session): void;
  /** A session that is not in use here was closed: it is over, was idle, or has made room for another one. */
  released(session: Session): void;
  /** A session was idle here although work is running for it: its client may use other instances. */
  idled(session: Session): void;
}

/** The data of a new session. */
export interface NewSession {
  readonly conversation: Conversation;
  readonly running: RunningCalls;
  /** The caller that opens it; no other principal may use it. */
  readonly caller: Caller;
  /** The client that it is counted for. */
  readonly countedFor: string;
}

/** A session, created by the session table. Parts that an idle session does not need are created on demand. */
export class Session implements StreamSession, MessageSource {
  readonly conversation: Conversation;
  readonly running: RunningCalls;
  /** Its record; undefined until it is tracked. */
  local: LocalRecord | undefined = undefined;
  #principal: string | undefined;
  #countedFor: string;
  #streams: SessionStreams | undefined;
  #feed: ChangeFeed | undefined;
  /** Requests that are being answered. */
  #busy = 0;
  /** Those of them whose client is still connected. */
  #waiting = 0;
  #lastUsed: number;
  /** When the store was last told that it is in use. */
  #renewed: number;
  #closedBy: (() => Error) | undefined;
  #caller: Caller;

  constructor(
    readonly id: string,
    { conversation, running, caller, countedFor }: NewSession,
    private readonly owner: SessionOwner,
    private readonly clock: Clock,
  ) {
    this.conversation = conversation;
    this.running = running;
    this.#principal = caller.principal;
    this.#countedFor = countedFor;
    this.#caller = caller;
    this.#lastUsed = this.#renewed = clock.elapsed();
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

  /** Whether other instances have to notify this one of what happens to it, apart from its stream without a request. */
  get hasWork(): boolean {
    return this.#busy > 0 || (this.#streams?.hasResumed ?? false);
  }

  get #isConnected(): boolean {
    return this.#streams?.isConnected ?? false;
  }

  /** Whether its client waits for an answer, or has a stream open. */
  get isPresent(): boolean {
    return this.#waiting > 0 || this.#isConnected;
  }

  /** Milliseconds since its client was last present; 0 while it is. */
  get idleFor(): number {
    return this.isPresent ? 0 : this.clock.elapsed() - this.#lastUsed;
  }

  hear(change: ChangeNotification, position?: string): void {
    (this.#feed ??= new ChangeFeed((next, at) => this.#notify(next, at))).tell(change, position);
  }

  followSubscriptions(follower: FollowSubscription): () => void {
    return this.conversation.lasting?.followSubscriptions(follower) ?? (() => undefined);
  }

  #notify(change: ChangeNotification, position: string | undefined): MaybePromise<void> {
    const written = this.conversation.lasting?.writeChange(change);
    return written && this.push(writeNotification(written), position);
  }

  /** Its client has sent a request, of which the store was told. */
  used(): void {
    this.#lastUsed = this.#renewed = this.clock.elapsed();
  }

  /** Counts as a use by its client. */
  touch(): void {
    this.#lastUsed = this.clock.elapsed();
  }

  /** Marks a request as being answered until `done` is called; its client waits until `left` or `done` is called. */
  use(): { readonly done: () => void; readonly left: () => void } {
    if (this.#busy++ === 0) this.owner.began(this);
    this.#waiting++;
    let isWaiting = true;
    const left = (): void => {
      if (!isWaiting) return;
      isWaiting = false;
      this.#waiting--;
      this.#leave();
    };
    const done = (): void => {
      if (--this.#busy === 0) this.owner.done(this);
      if (isWaiting) left();
      else this.touch();
    };
    return { done, left };
  }

  /** Saves the changes for all instances of the server; returns at once without changes. */
  save(): MaybePromise<void> {
    return this.local?.isSaved ? undefined : this.owner.save(this);
  }

  /** Opens a stream for the requests of one message. After the session has ended, clients cannot resume it. */
  openStream(connection: EventStream, ids: readonly RequestId[] = []): Outlet {
    return this.#closedBy ? new PlainOutlet(connection) : this.#open().open(this.#watch(connection), ids);
  }

  /** Writes a stream with a single message; undefined if the stream has to be opened for that. */
  writeWhole(text: string): string | undefined {
    return this.#closedBy ? frame({ data: text }) : this.#open().writeWhole(text);
  }

  /** Opens the stream for messages without a request, in place of an earlier one. Refuses with 404 after the session has ended. */
  connectStandalone(connect: Connect): Promise<void> {
    return this.#open().connectStandalone((isWaiting) => this.#watch(connect(isWaiting)));
  }

  /** Resumes a stream after an event that the client has. Refuses with 404 after the session has ended. */
  resume(lastEventId: string, connect: Connect): MaybePromise<ResumeOutcome> {
    const resumed = this.#open().resume(lastEventId, (isWaiting) => this.#watch(connect(isWaiting)));
    return isPromise(resumed) ? resumed.finally(this.use().done) : resumed;
  }

  /** Sends a message without a request, on exactly one stream; does nothing after the session has ended. */
  push(text: string, position?: string): MaybePromise<void> {
    return this.#closedBy ? undefined : this.#open().push(text, position);
  }

  /** Whether the session has ended. */
  get isClosed(): boolean {
    return this.#closedBy !== undefined;
  }

  /** The reason why the session has ended; undefined before that. */
  get closedBy(): Error | undefined {
    return this.#closedBy?.();
  }

  /** The client has opened or resumed a stream at another instance. */
  giveWay(stream: string): void {
    this.#streams?.giveWay(stream);
  }

  /**
   * Ends the stream without a request and cancels running calls, which ends the others.
   * @param reason makes the reason, the same one each time
   */
  close(reason: () => Error): void {
    this.#closedBy = reason;
    this.running.cancelAll(reason);
    this.#streams?.close();
    this.#streams = undefined;
  }

  /** A client is idle from the moment its stream breaks, not from its last request. */
  #watch(connection: EventStream): EventStream {
    connection.onClose(() => this.#leave());
    return connection;
  }

  #open(): SessionStreams {
    if (this.#closedBy) throw sessionOver();
    return (this.#streams ??= this.owner.openStreams(this));
  }

  #leave(): void {
    const now = this.clock.elapsed();
    this.#lastUsed = now;
    if (now - this.#renewed <= this.owner.renewalDelay || this.#closedBy || this.isPresent) return;
    this.#renewed = now;
    this.owner.left(this);
  }
}

/** The record of a session, and what is not stored of it yet. */
export class LocalRecord {
  /** Changes by requests that are not stored yet; undefined without changes. */
  changes: ConversationChange[] | undefined = undefined;
  /** Saves them; made with the first of them. */
  saves: JointSaves<ConversationChange> | undefined = undefined;
  /** The number of changes by other instances since a read of the record began; undefined without a read. */
  changesDuringRead: number | undefined = undefined;

  /** @param text in the store; undefined for a session that is not stored yet */
  constructor(
    public record: SessionRecord,
    public text: string | undefined,
  ) {}

  /** Whether the store has everything. */
  get isSaved(): boolean {
    return this.text !== undefined && !this.changes && !this.saves?.isWriting;
  }

  /** Takes the changes. */
  takeChanges(): readonly ConversationChange[] {
    const changes = this.changes ?? [];
    this.changes = undefined;
    return changes;
  }
}
