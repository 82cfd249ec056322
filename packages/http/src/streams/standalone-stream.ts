/**
 * The stream of a session without a request, which one instance holds at a time. It only reports changes, so its event ids are positions among the
 * changes of the server: the next holder of the stream reports all later changes.
 */
import type { ChangeListener, MaybePromise, ChangeListeners, Instance } from '@sigil-mcp/core/adapter';
import { subscriptionsOf, unawaited, type MissedChange } from '@sigil-mcp/core/internal';
import type { ChangeNotification } from '@sigil-mcp/protocol';
import { sessionOver } from '../call';
import { standaloneEventId, type EventStream, type Resumability } from './event-stream';

/** A session, as its streams see it. */
export interface StreamSession extends Pick<ChangeListener, 'hear' | 'followSubscriptions' | 'caller'> {
  readonly id: string;
  /** Whether it has ended. */
  readonly isClosed: boolean;
}

/** Which instance holds the stream of a session. It is a part of the record of the session. */
export interface StreamLease {
  /** The number of changes of the record. */
  readonly n: number;
  /** The instance that holds the stream; undefined if none does. */
  readonly holder?: string | undefined;
  /** The position of the stream among the changes of the server; undefined before it is first opened. */
  readonly position?: string | undefined;
}

/** The leases of the streams of all sessions, and the way to the instances that hold them. */
export interface StreamLeases<S extends StreamSession = StreamSession> {
  /** The latest known lease. */
  leaseOf(session: S): StreamLease;
  /**
   * Replaces a lease by what `change` returns; undefined means no change. Rejects if the session has ended, or the store is unreachable.
   */
  changeLease(session: S, change: (lease: StreamLease) => Omit<StreamLease, 'n'> | undefined): Promise<void>;
  /** Notifies an instance that the client has opened or resumed the stream here. */
  takeFrom(instance: string, session: S): Promise<void>;
  /**
   * Notifies the other instances that may send it that the client has resumed a stream of a request here.
   * @param owner the instance that writes it; empty if none does
   */
  tellTaken(session: S, stream: string, owner: string): MaybePromise<void>;
}

/** What such streams work with. */
export interface StandaloneServices {
  readonly instance: Instance;
  readonly listeners: ChangeListeners;
  readonly leases: StreamLeases;
}

/** A change, and its position. */
interface StreamChange {
  readonly change: ChangeNotification;
  readonly position: string | undefined;
}

/**
 * The stream, held or being opened: one for each connection of the client. It ends with the next connection and with the session,
 * even while it is being opened.
 */
interface Hold {
  /** Undefined while the stream is being opened. */
  connection: EventStream | undefined;
  /** The changes that were announced while the stream was being opened; undefined afterwards. */
  queued: StreamChange[] | undefined;
  /** The place of the last change that this instance had received when it began to listen. */
  readonly receivedUpTo: string | undefined;
  /** Places of changes that the client has, and that this instance has not received yet. */
  alreadySent: Set<string>;
  stopListening: () => void;
}

/** What a hold has taken. */
interface StreamHandover {
  /** The instance that held the stream before; undefined if none did. */
  readonly from: string | undefined;
  readonly position: string;
}

/** Held by one instance at a time. */
export class StandaloneStream {
  /** At most one; asynchronous steps check whether their own hold is still the current one. */
  #hold: Hold | undefined;
  /** The position of the last change that was sent here. */
  #position: string | undefined;

  constructor(
    private readonly session: StreamSession,
    private readonly services: StandaloneServices,
    private readonly resumability: Resumability,
  ) {}

  get isConnected(): boolean {
    return this.#hold !== undefined && (this.#hold.connection?.isOpen ?? true);
  }

  /**
   * Continues the stream, even if another connection holds it: only its client knows which of its connections still works.
   * @param from a position of the client; the last one that was sent if undefined
   */
  async connect(from: string | undefined, connect: () => EventStream): Promise<void> {
    this.giveWay();
    const hold = this.#begin();
    const isOpen = await this.#opening(hold, async () => {
      const taken = await this.#take(hold, from);
      if (!taken) return false;
      const { leases, instance } = this.services;
      if (taken.from !== undefined && taken.from !== instance.id) await leases.takeFrom(taken.from, this.session);
      return this.#open(hold, taken.position, connect);
    });
    // The client has opened another connection meanwhile.
    if (!isOpen) connect().giveWay();
  }

  /** The client holds it at another instance from now on. */
  giveWay(): void {
    const connection = this.#hold?.connection;
    this.#leave();
    connection?.giveWay();
  }

  /** The session has another owner: ends the connection, or its opening; the next connection continues at the last position. */
  hangUp(): void {
    const connection = this.#hold?.connection;
    if (connection) connection.end('signed-in');
    else this.#leave();
  }

  /** Ends the stream with its session. */
  end(): void {
    const connection = this.#hold?.connection;
    this.#leave();
    connection?.end('session-ended');
  }

  push(text: string, position: string | undefined): MaybePromise<void> {
    const connection = this.#hold?.connection;
    if (!connection?.isOpen) return undefined;
    if (position === undefined || !this.resumability.replay) return connection.send({ data: text });
    this.#position = position;
    return connection.send({ id: standaloneEventId(this.session.id, position), data: text });
  }

  /** Listens from now on; changes before the stream is open are queued. */
  #begin(): Hold {
    const { session, services } = this;
    const hold: Hold = {
      connection: undefined,
      queued: [],
      receivedUpTo: services.instance.changes.received,
      alreadySent: new Set(),
      stopListening: services.listeners.add({
        hear: (change, position) => this.#receive(hold, { change, position }),
        followSubscriptions: (follower) => session.followSubscriptions(follower),
        get caller() {
          return session.caller;
        },
      }),
    };
    return (this.#hold = hold);
  }

  /** Removes a hold that could not be opened. Rejects with 404 if the reason is the end of the session. */
  async #opening(hold: Hold, open: () => Promise<boolean>): Promise<boolean> {
    try {
      const isOpen = await open();
      if (!isOpen && this.session.isClosed) throw sessionOver();
      if (!isOpen) this.#leave(hold);
      return isOpen;
    } catch (error) {
      this.#leave(hold);
      throw error;
    }
  }

  /**
   * Records this instance as the holder.
   * @returns the previous holder, who has to be told in any case, and the position to continue at; undefined if the hold was replaced before
   */
  async #take(hold: Hold, position: string | undefined): Promise<StreamHandover | undefined> {
    const { leases, instance } = this.services;
    const start = position ?? leases.leaseOf(this.session).position ?? (await instance.changes.position());
    let taken = undefined as StreamHandover | undefined;
    await leases.changeLease(this.session, (lease) => {
      taken =
        this.#hold === hold
          ? { from: lease.holder, position: position ?? this.#lastPosition(lease) ?? start }
          : undefined;
      return taken && { holder: instance.id, position: taken.position };
    });
    if (this.#hold === hold) this.#position = taken?.position;
    return taken;
  }

  /** The last position that was sent here, which may not be in the lease yet. */
  #lastPosition({ holder, position }: StreamLease): string | undefined {
    return holder === this.services.instance.id ? (this.#position ?? position) : position;
  }

  /** Returns false if the hold has been replaced meanwhile, or the session has ended. */
  async #open(hold: Hold, position: string, connect: () => EventStream): Promise<boolean> {
    const { changes } = this.services.instance;
    const sentBefore = await changes.placesBetween(hold.receivedUpTo, position);
    const missed = await changes.after(position, subscriptionsOf(this.session));
    // If a position is no longer known, its changes are lost: the next connection continues at the current one.
    const start = missed ? position : await changes.position();
    if (this.#hold !== hold) return false;
    this.#connect(hold, start, connect());
    this.#send(hold, missed, sentBefore);
    return true;
  }

  #connect(hold: Hold, position: string, connection: EventStream): void {
    hold.connection = connection;
    this.#position = position;
    connection.onClose(() => this.#disconnect(hold));
    const { polling, replay, retryInterval } = this.resumability;
    if (polling && replay)
      unawaited(connection.send({ id: standaloneEventId(this.session.id, position), data: '', retry: retryInterval }));
  }

  /** Sends missed changes, then queued ones. If the missed changes are unknown, all lists are reported as changed. */
  #send(hold: Hold, missed: readonly MissedChange[] | undefined, sentBefore: readonly string[]): void {
    const queued = hold.queued ?? [];
    hold.queued = undefined;
    if (!missed) this.services.listeners.tellAll(this.session);
    for (const { change, position } of this.#lastOfEach(missed ?? [])) this.session.hear(change, position);
    // The client may have received changes from other instances before this one received them.
    const places = (missed ?? []).flatMap((each) => this.#placeOf(each) ?? []);
    hold.alreadySent = new Set([...sentBefore, ...places]);
    for (const each of queued) this.#receive(hold, each);
  }

  /** The changes for this client. Of several changes of one subject, only the last one is sent. */
  #lastOfEach(changes: readonly MissedChange[]): StreamChange[] {
    const last = new Map<string, StreamChange>();
    for (const { change, audience, position } of changes) {
      if (!audience(this.session.caller)) continue;
      const key = 'uri' in change ? change.uri : change.method;
      last.delete(key);
      last.set(key, { change, position });
    }
    return [...last.values()];
  }

  #receive(hold: Hold, { change, position }: StreamChange): void {
    const place = this.#placeOf({ change, position });
    if (place !== undefined && hold.alreadySent.delete(place)) return;
    if (hold.queued) hold.queued.push({ change, position });
    else this.session.hear(change, position);
  }

  /** The place of a change in the bus; undefined for a change that has none. */
  #placeOf({ change, position }: StreamChange): string | undefined {
    return position === undefined ? undefined : this.services.instance.changes.placeOf(change, position);
  }

  /** Ends a hold; does nothing if it has been replaced. */
  #leave(hold = this.#hold): void {
    hold?.stopListening();
    if (this.#hold === hold) this.#hold = undefined;
  }

  /** Stores the position for the next connection. */
  #disconnect(hold: Hold): void {
    if (this.#hold !== hold) return;
    this.#leave(hold);
    if (this.session.isClosed) return;
    const { id } = this.services.instance;
    const position = this.#position;
    // A new connection may have been opened here before the write.
    const released = this.services.leases.changeLease(this.session, ({ holder }) =>
      holder === id && !this.#hold ? { holder: undefined, position } : undefined,
    );
    unawaited(released);
  }
}
