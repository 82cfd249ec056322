/**
 * Sessions that any instance can continue. They are owned by no instance: each request reads the record in the store, and saves its
 * changes before it is answered. Streams and running calls belong to one instance.
 */
import {
  RunningCalls,
  andThen,
  askerOf,
  endedCall,
  isPromise,
  unawaited,
  type Instance,
  type Kernel,
  type MaybePromise,
} from '@sigil-mcp/core/adapter';
import type { InboundMessage, InboundNotification, InboundResponse, JsonObject, RequestId } from '@sigil-mcp/protocol';
import { clientNamed, clientOf, type ClientLoads } from '../exchange/client-loads';
import type { HttpCall } from '../call';
import { holding } from '../sessions/holding';
import type { Session } from '../sessions/session';
import { SessionTable, type SessionPolicy } from '../sessions/session-table';
import { EarlyCancellations, cancelledBy, shortened } from './early-cancellations';
import { KeptStreams } from './kept-streams';
import { Peers, type PeerEvents } from './peers';
import { Pulse } from './pulse';
import { readRecord } from './session-record';
import { SessionRecords } from './session-records';
import { SharedStreams } from './shared-streams';
import type { StoredStream } from './stored-stream';
import { STANDALONE } from './stream-manners';

/** The services of shared sessions. */
export interface SharedSessionsInit {
  readonly instance: Instance;
  readonly kernel: Kernel;
  readonly loads: ClientLoads;
  readonly policy: SessionPolicy;
  /** Identifies the endpoint within the server. */
  readonly endpoint: string;
}

/** Milliseconds for which this process remembers a session without local work. */
const REMEMBERED = 60_000;
/** The longest interval, in milliseconds, for renewing a session with a stream or a running call. */
const LONGEST_PULSE = 20_000;

/** The form of session ids: other values are not looked up. */
const ID = /^[\w-]{32}$/;

/** The messages of a client that instances pass on. */
type Received = InboundResponse | InboundNotification;

/** Manages the state that the sessions of this process share with other instances. */
export class SharedSessions {
  /** The sessions of this process. */
  readonly table: SessionTable;
  readonly #records: SessionRecords;
  readonly #peers: Peers;
  readonly #streams = new WeakMap<Session, SharedStreams>();
  readonly #written = new Set<StoredStream>();
  readonly #kept: KeptStreams;
  readonly #early: EarlyCancellations;
  readonly #pulse: Pulse<Session>;
  readonly #stopMakingUp: () => void;
  #lastStream = 0;

  constructor(private readonly init: SharedSessionsInit) {
    const { instance, policy, endpoint } = init;
    const over = (session: Session): void => this.#forget(session);
    const { idleTime } = policy;
    this.#records = new SessionRecords({
      store: instance.stores.sessions,
      idleTime,
      endpoint,
      over,
      changed: (session, text) => this.#peers.tellChanged(session, text),
      claimed: (session, principal) => this.#give(session, principal),
    });
    this.#early = new EarlyCancellations(policy.clock);
    this.#kept = new KeptStreams(instance.stores.streams, policy.limits, policy.clock);
    this.table = new SessionTable(policy, {
      save: (session) => this.#records.save(session),
      openStreams: (session) => this.#openStreams(session),
      remembered: REMEMBERED,
      idled: (session) => unawaited(this.#idled(session)),
    });
    const events: PeerEvents = {
      find: (id) => this.table.get(id),
      changed: (session, text) => this.#records.hear(session, text),
      ended: over,
      received: (session, message) => this.#receive(session, message),
      early: (session, message) => this.#remember(session, message as unknown as Received),
      taken: (session, stream) => this.#streams.get(session)?.giveWay(stream),
      holds: (session) => this.#streams.get(session)?.holdsStandalone ?? false,
    };
    this.#peers = new Peers(instance, events, policy.clock);
    const interval = Math.max(10, Math.min(idleTime / 3, LONGEST_PULSE));
    const say = (session: Session): Promise<void> => this.#keepAlive(session);
    // After a loss of messages, the store has the changes of other instances.
    this.#stopMakingUp = instance.onLost(() =>
      this.table.busy().forEach((session) => unawaited(this.#keepAlive(session))),
    );
    this.#pulse = new Pulse({ interval, say, inUse: () => this.#inUse(), clock: policy.clock });
  }

  /**
   * Reads the session that a request names. Rejects with `StoreAway`.
   * @returns a function that adds it to the table, if it exists; it is called right before the lookup, because it may evict others
   */
  look(call: HttpCall): MaybePromise<(() => void) | undefined> {
    const id = call.header('mcp-session-id');
    if (id === undefined || !ID.test(id)) return undefined;
    return andThen(this.#records.use(id), (text) =>
      andThen(this.#claim(id, text, call), (claimed) => () => this.#found(id, claimed, call)),
    );
  }

  /** A session without an owner belongs to the first principal that uses it: a client may sign in during a session. */
  #claim(id: string, text: string | undefined, { caller: { principal } }: HttpCall): MaybePromise<string | undefined> {
    const isSomebodys = this.table.get(id)?.principal !== undefined;
    if (text === undefined || principal === undefined || isSomebodys) return text;
    return this.#records.claim(id, text, principal);
  }

  #give(session: Session, principal: string): void {
    this.table.give(session, principal, clientNamed(principal));
    this.init.loads.move(session.running.load, session.countedFor);
  }

  /** Shares a session that was opened here. */
  opened(session: Session): void {
    this.#records.track(session, this.init.instance);
  }

  /** Passes a message of a client on to instances that it may concern. Rejects with `StoreAway`. */
  passOn(session: Session, message: InboundMessage): void | Promise<void> {
    if (message.kind === 'response') {
      const asker = askerOf(message.id);
      if (asker === undefined || asker === this.init.instance.id) return undefined;
      return this.#peers.sendReceived(asker, session, message);
    }
    const id = message.kind === 'notification' ? cancelledBy(message) : undefined;
    if (message.kind !== 'notification' || id === undefined || session.running.has(id)) return undefined;
    const cancellation = shortened(message, id);
    this.#early.add(session.id, id, cancellation);
    return this.#peers.tellReceived(session, cancellation);
  }

  /** Applies cancellations that arrived before their requests. */
  begun(session: Session, ids: readonly RequestId[]): void {
    for (const id of ids) {
      const cancelled = this.#early.take(session.id, id);
      if (cancelled) this.init.kernel.notice(cancelled, session.conversation);
    }
  }

  /** Like `passOn`, for a batch. */
  passOnAll(session: Session, messages: readonly InboundMessage[]): void | Promise<void> {
    const passedOn = messages.map((message) => this.passOn(session, message)).filter(isPromise);
    return passedOn.length === 0 ? undefined : Promise.all(passedOn).then(() => undefined);
  }

  /** Ends a session everywhere. Rejects with `StoreAway`. */
  async end(session: Session): Promise<void> {
    await this.init.instance.stores.sessions.end(session.id);
    this.#forget(session);
    await this.#peers.tellEnded(session);
  }

  /** Resolves when all streams that are being written have ended. */
  async drain(): Promise<void> {
    await Promise.all([...this.#written].map(({ over }) => over));
  }

  /** Ends the local work of all sessions, which continue at other instances. */
  close(reason: Error): void {
    this.#pulse.stop();
    this.#stopMakingUp();
    this.#peers.close();
    this.table.closeAll(reason);
  }

  #found(id: string, text: string | undefined, call: HttpCall): void {
    const { caller } = call;
    const known = this.table.get(id);
    if (text === undefined) {
      if (known && this.#records.isThere(known)) this.#forget(known);
      return;
    }
    if (known) return this.#records.take(known, text);
    const record = readRecord(text);
    const { kernel, loads, endpoint, instance } = this.init;
    if (!record || record.endpoint !== endpoint || record.principal !== caller.principal) return;
    const running = new RunningCalls(loads.of(call));
    const conversation = kernel.conversations.reopen(record.conversation, running);
    if (!conversation) return;
    const countedFor = clientOf(call);
    const session = holding(kernel, conversation, () =>
      this.table.adopt(id, { conversation, running, caller, countedFor }),
    );
    this.#records.track(session, instance, { text, record });
  }

  #openStreams(session: Session): SharedStreams {
    const { instance, kernel, policy } = this.init;
    const streams = new SharedStreams(session, {
      instance,
      listeners: kernel.listeners,
      retryInterval: policy.retryInterval,
      clock: policy.clock,
      opened: (stream) => {
        this.#written.add(stream);
        unawaited(stream.over.then(() => this.#ended(stream)));
      },
      nextStream: () => `${instance.id}x${this.#lastStream++}`,
      recordOf: (of) => this.#records.recordOf(of),
      edit: async (of, edit) => void (await this.#records.edit(of, edit)),
      isHeldBy: (holder, of) => this.#peers.isHeldBy(holder, of),
      takeFrom: (holder, of) => this.#peers.takeFrom(holder, of, STANDALONE),
      tellTaken: (of, stream) => this.#peers.tellTaken(of, stream),
    });
    this.#streams.set(session, streams);
    return streams;
  }

  #ended(stream: StoredStream): void {
    this.#written.delete(stream);
    const { name, characters } = stream;
    if (characters > 0) this.#kept.add(name, characters);
  }

  /** Handles a message that the client has sent to another instance; unless it concerns this one, it has no effect. */
  #receive({ id, conversation }: Session, message: JsonObject): void {
    const received = message as unknown as Received;
    if (received.kind === 'response') conversation.lasting?.acceptResponse(received);
    else if (received.kind === 'notification') {
      const cancelled = cancelledBy(received);
      if (cancelled === undefined || conversation.running.has(cancelled))
        this.init.kernel.notice(received, conversation);
      else this.#early.add(id, cancelled, received);
    }
  }

  #remember(session: string, message: Received): void {
    const cancelled = message.kind === 'notification' ? cancelledBy(message) : undefined;
    if (cancelled !== undefined) this.#early.add(session, cancelled, message as InboundNotification);
  }

  #forget(session: Session): void {
    this.table.close(session, endedCall('SIGIL_SESSION_ENDED'));
  }

  /** Sessions whose clients wait for an answer or hold a stream are in use, even without requests. */
  #inUse(): readonly Session[] {
    for (const stream of this.#written) stream.keep();
    return this.table.present();
  }

  async #keepAlive(session: Session): Promise<void> {
    const text = await this.#records.use(session.id);
    if (text !== undefined) this.#records.take(session, text);
    else if (this.#records.isThere(session)) this.#forget(session);
  }

  /** Its client may have used other instances: then it is in the store, although this instance has not renewed it. */
  async #idled(session: Session): Promise<void> {
    const text = await this.#records.use(session.id);
    if (text === undefined) return this.table.close(session, endedCall('SIGIL_SESSION_IDLE'));
    session.touch();
    this.#records.take(session, text);
  }
}
