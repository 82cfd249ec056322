/**
 * The sessions of an endpoint. They are owned by no instance of the server: each request reads the record in the store, and saves its
 * changes before it is answered. Streams and running calls belong to one instance. A server that is alone has the store in memory.
 */
import type { Clock, Conversation, Instance, Kernel, MaybePromise } from '@sigil-mcp/core/adapter';
import {
  DROPPED,
  RunningCalls,
  andThen,
  clockOutside,
  isObject,
  isPromise,
  lateReason,
  unawaited,
  type Account,
} from '@sigil-mcp/core/internal';
import type { SessionState, SessionStore, StreamStore } from '@sigil-mcp/core/stores';
import type { JsonObject } from '@sigil-mcp/protocol';
import type { Challenges } from '../authorization';
import { clientOf, type HttpCall } from '../call';
import type { ResolvedEndpointLimits } from '../options/endpoint-options';
import { boundedStreams } from '../streams/bounded-streams';
import { orGiveBack } from '../streams/event-streams';
import { resumabilityOf } from '../streams/event-stream';
import { SessionStreams, type SessionStreamServices } from '../streams/session-streams';
import { WrittenStreams } from '../streams/request-stream';
import { ClientMessages, Peers, textOf } from './session-messages';
import { Pulse } from './pulse';
import type { NewSession, Session, SessionOwner } from './session';
import { readRecord } from './session-record';
import { SessionRecords } from './session-records';
import { SessionWork } from './session-work';
import { SessionTable } from './session-table';

/** The options and services of sessions. */
export interface SessionsInit {
  readonly instance: Instance;
  readonly kernel: Kernel;
  readonly clock: Clock;
  /** Milliseconds without a request or an open stream after which a session ends. */
  readonly idleTime: number;
  /** Milliseconds after which a client should reconnect to a closed stream. */
  readonly retryInterval: number;
  readonly limits: ResolvedEndpointLimits;
  /** Identifies the endpoint within the server. */
  readonly endpoint: string;
  /** For callers without a token; none are made without authentication. */
  readonly challenges?: Challenges | undefined;
}

/** Milliseconds for which this process remembers a session without local work, if the store keeps it for other processes anyway. */
const REMEMBERED = 60_000;
/** The longest interval, in milliseconds, for renewing a session with a stream or a running call. */
const LONGEST_PULSE = 20_000;

/** The form of session ids: other values are not looked up. */
const ID = /^[\w-]{32}$/;

/** Opens, finds and ends sessions. */
export class Sessions implements SessionOwner {
  readonly messages: ClientMessages;
  readonly renewalDelay: number;
  /** The sessions that this process works for, or has worked for lately. */
  readonly table: SessionTable;
  readonly #store: SessionStore;
  readonly #records: SessionRecords;
  readonly #peers: Peers;
  readonly #work: SessionWork | undefined;
  readonly #written: WrittenStreams;
  readonly #streams: SessionStreamServices;
  readonly #pulse: Pulse<Session>;
  /** Each ends something that was begun. */
  readonly #stops: readonly (() => void)[];

  constructor(private readonly init: SessionsInit) {
    const { instance, kernel, clock, idleTime, limits, endpoint } = init;
    const { sessions: store, streams } = instance.stores;
    this.#store = store;
    const rememberedFor = store.release ? idleTime : Math.min(idleTime, REMEMBERED);
    const table = new SessionTable({ idleTime, rememberedFor, limits, clock }, this);
    const peers = new Peers(instance, clock);
    const work =
      store.workers &&
      new SessionWork({
        workers: store.workers,
        instance: instance.id,
        find: (id) => table.get(id),
        joined: (session, state) => this.#joined(session, state),
        clock: clockOutside(clock),
      });
    this.table = table;
    this.#peers = peers;
    this.#work = work;
    this.#records = new SessionRecords({ store, idleTime, endpoint, table, peers, work });
    this.messages = new ClientMessages({ instance: instance.id, kernel, peers, clock });
    this.#written = new WrittenStreams(instance.id);
    this.#streams = {
      instance,
      listeners: kernel.context.listeners,
      leases: this.#records,
      store: boundedStreams(streams, limits, clock),
      written: this.#written,
      clock,
    };
    this.#stops = [...this.#listen(), countEvents(streams, kernel.context.account)];
    const interval = Math.max(10, Math.min(idleTime / 3, LONGEST_PULSE));
    this.renewalDelay = interval / 10;
    this.#pulse = new Pulse({ interval, inUse: () => this.#inUse(), renew: (session) => this.#renew(session), clock });
  }

  /**
   * Reads the session that a request names, and adds it to the table if it exists. Rejects with `StoreAway`.
   * @returns if the store has to be waited for, what adds it; it is called right before the lookup, because it may evict others
   */
  read(call: HttpCall): MaybePromise<(() => void) | undefined> {
    const id = call.header('mcp-session-id');
    if (id === undefined || !ID.test(id)) return undefined;
    const read = this.#records.use(id);
    const { principal } = call.caller;
    // A session without an owner belongs to the first principal that uses it: a client may sign in during a session.
    const claimed = principal === undefined ? read : andThen(read, (text) => this.#claim(id, text, principal));
    if (isPromise(claimed)) return claimed.then((text) => () => this.#add(id, text, call));
    this.#add(id, claimed, call);
    return undefined;
  }

  /**
   * Opens a session, which its first `save` stores.
   * @throws Refusal with 503 if there are too many, and all are busy; Denial if there is no room for its conversation
   */
  open(session: NewSession): Session {
    const opened = this.#held(session.conversation, () => this.table.open(session));
    this.#records.track(opened, this.init.instance);
    return opened;
  }

  /** Closes a session that was not stored, because its handshake failed. */
  giveUp(session: Session): void {
    this.table.close(session, lateReason('SIGIL_HANDSHAKE_FAILED'));
  }

  /** Ends a session everywhere. Rejects with `StoreAway`. */
  end(session: Session): MaybePromise<void> {
    const lease = this.#records.leaseOf(session);
    return andThen(this.#store.end(session.id), () => {
      this.#ended(session);
      return this.#peers.tellEnded(session, lease);
    });
  }

  /** Resolves when all streams that are being written have ended. */
  drain(): Promise<void> {
    return this.#written.drain();
  }

  /** Ends the local work of all sessions, which continue at other instances. */
  close(reason: Error): void {
    this.#pulse.stop();
    this.#work?.close();
    for (const stop of this.#stops) stop();
    this.table.closeAll(() => reason);
  }

  openStreams(session: Session): SessionStreams {
    const { revision } = session.conversation;
    return new SessionStreams(session, this.#streams, resumabilityOf(revision, this.init.retryInterval));
  }

  save(session: Session): MaybePromise<void> {
    return this.#records.save(session);
  }

  began(session: Session): void {
    this.#work?.began(session);
  }

  done(session: Session): void {
    this.#work?.done(session);
  }

  /** The store counts the idle time of a session from its last renewal. */
  left(session: Session): void {
    unawaited(this.#renew(session));
  }

  released(session: Session): void {
    this.#store.release?.(session.id);
  }

  /** Its client may have used other instances: then it is in the store, although this instance has not renewed it. */
  idled(session: Session): void {
    const read = andThen(this.#records.use(session.id), (text) => {
      if (text === undefined) return this.table.end(session, lateReason('SIGIL_SESSION_IDLE'));
      session.touch();
      this.#records.take(session, text);
    });
    unawaited(read);
  }

  /** Listens to the other instances. Each function that it returns ends that. */
  #listen(): readonly (() => void)[] {
    const { instance } = this.init;
    return [
      this.#on('session-changed', (session, { text }) =>
        this.#records.receive(session, typeof text === 'string' ? text : undefined),
      ),
      this.#on('session-ended', (session) => this.#ended(session)),
      this.#on('stream-taken', (session, { stream }) => session.giveWay(textOf(stream))),
      instance.onMessage('session-received', (message) => this.#receive(message)),
      // After a loss of messages, the store has the changes of other instances.
      instance.onLost(() => this.table.busy().forEach((session) => unawaited(this.#renew(session)))),
    ];
  }

  /** Handles the messages of other instances, not those of this one. */
  #on(kind: string, handle: (session: Session, message: JsonObject) => void): () => void {
    const { instance } = this.init;
    return instance.onMessage(kind, (message) => {
      const session = message['from'] === instance.id ? undefined : this.table.get(textOf(message['session']));
      if (session) handle(session, message);
    });
  }

  /** The client has sent a message for work at this instance: an answer to a question, or a cancellation. */
  #receive({ session: id, message, from }: JsonObject): void {
    if (from === this.init.instance.id || !isObject(message)) return;
    const session = this.table.get(textOf(id));
    if (session) this.messages.receive(session, message);
    else this.messages.receiveEarly(textOf(id), message);
  }

  /** Closes a session that is over in the store. */
  #ended(session: Session): void {
    this.table.end(session, lateReason('SIGIL_SESSION_ENDED'));
  }

  /** Counts a conversation among the load of its client before its session is opened, until that ends: without room it is not opened. */
  #held(conversation: Conversation, open: () => Session): Session {
    return orGiveBack(this.init.kernel.hold(conversation), open);
  }

  #claim(id: string, text: string | undefined, principal: string): MaybePromise<string | undefined> {
    const isOwned = this.table.get(id)?.principal !== undefined;
    return text === undefined || isOwned ? text : this.#records.claim(id, text, principal);
  }

  #add(id: string, text: string | undefined, call: HttpCall): void {
    const known = this.table.get(id);
    if (text === undefined) {
      if (known && this.#records.isStored(known)) this.#ended(known);
      return;
    }
    const { caller } = call;
    if (known) this.#records.take(known, text);
    const record = known ? undefined : readRecord(text);
    const { kernel, endpoint, instance, challenges } = this.init;
    if (record && record.endpoint !== endpoint) return;
    challenges?.checkOwner(caller, (known ?? record)?.principal);
    if (record?.principal !== caller.principal || !record) return;
    const running = new RunningCalls(kernel.context.account.loadOf(clientOf(call, kernel.context.account)));
    const conversation = kernel.conversations.reopen(record.conversation, running);
    if (!conversation) return;
    const countedFor = clientOf(call, kernel.context.account);
    const session = this.#held(conversation, () => this.table.adopt(id, { conversation, running, caller, countedFor }));
    this.#records.track(session, instance, { text, record });
  }

  /** Sessions whose clients wait for an answer or hold a stream are in use, even without requests. */
  #inUse(): readonly Session[] {
    this.#written.keepAll();
    return this.table.present();
  }

  #renew(session: Session): MaybePromise<void> {
    return andThen(this.#records.use(session.id), (text) => this.#takeRecord(session, text));
  }

  #takeRecord(session: Session, text: string | undefined): void {
    if (text !== undefined) this.#records.take(session, text);
    else if (this.#records.isStored(session)) this.#ended(session);
  }

  /** Other instances notify this one from now on: applies what they did before. */
  #joined(session: Session, { record, notes }: SessionState): void {
    if (this.table.get(session.id) !== session) return;
    const wasIdle = record === undefined && session.idleFor >= this.init.idleTime;
    if (wasIdle) return this.table.end(session, lateReason('SIGIL_SESSION_IDLE'));
    this.#takeRecord(session, record);
    for (const note of notes) this.messages.receive(session, JSON.parse(note) as JsonObject);
  }
}

/** Counts the events of a store that keeps them in this process, and drops them if there is no room. @returns what ends it */
function countEvents(store: StreamStore, account: Account): () => void {
  const held = (): number => store.held ?? 0;
  const ends = [
    account.meter('events', held),
    account.keep({
      order: DROPPED.events,
      // Who has read them is not known: they are of all clients.
      droppable: (client) => (client === undefined ? held() : 0),
      drop: (bytes, client) => client === undefined && store.shrink?.(bytes),
    }),
  ];
  return () => ends.forEach((end) => end());
}
