/**
 * The stream of a session without a request. It only reports changes, so its event ids are positions among the changes of the
 * server: the next holder of the stream reports all later changes.
 */
import {
  subscriptionsOf,
  unawaited,
  type ChangeListeners,
  type Instance,
  type MaybePromise,
  type MissedChange,
} from '@sigil-mcp/core/adapter';
import type { ChangeNotification } from '@sigil-mcp/protocol';
import { sessionOver } from '../refusals/refusal';
import { standaloneEventId } from './event-id';
import type { EventStream } from './event-stream';
import type { Resumability } from './resumability';
import type { StreamLease, StreamLeases, StreamSession } from './stream-lease';

/** What such streams work with. */
export interface StandaloneServices {
  readonly instance: Instance;
  readonly listeners: ChangeListeners;
  readonly leases: StreamLeases;
}

/** A change, and its position. */
interface PositionedChange {
  readonly change: ChangeNotification;
  readonly position: string | undefined;
}

/** The number of attempts to take a stream that others take at the same time. */
const TRIES = 5;

/**
 * The stream, held or being opened: one for each connection of the client. It ends with the next connection and with the session,
 * even while it is being opened.
 */
interface Hold {
  /** Undefined while the stream is being opened. */
  connection: EventStream | undefined;
  /** The changes that were announced while the stream was being opened; undefined afterwards. */
  queued: PositionedChange[] | undefined;
  /** The place of the last change that this instance had received when it began to listen. */
  readonly receivedUpTo: string | undefined;
  /** Whether the record of the session names this instance as the holder, or is about to. */
  isTaken: boolean;
  /** Places of changes that the client has, and that this instance has not received yet. */
  alreadySent: Set<string>;
  stopListening: () => void;
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

  /** Whether other instances have to treat it as held here: a hold that is still asking them does not count. */
  get isHeld(): boolean {
    return this.isConnected && this.#hold?.isTaken === true;
  }

  /** Continues the stream at its last position. Returns false if another connection holds it. */
  async connect(connect: () => EventStream): Promise<boolean> {
    if (this.isConnected) return false;
    const hold = this.#begin();
    return this.#opening(hold, async () => {
      const position = await this.#takeFree(hold);
      return position !== undefined && (await this.#open(hold, position, connect));
    });
  }

  /** Continues the stream after a position of the client, even if another connection holds it. */
  async takeOver(position: string, connect: () => EventStream): Promise<void> {
    this.giveWay();
    const hold = this.#begin();
    const isOpen = await this.#opening(hold, async () => {
      const holder = await this.#take(hold, () => position);
      if (holder !== undefined) await this.services.leases.takeFrom(holder, this.session);
      return this.#open(hold, position, connect);
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
      isTaken: false,
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

  /** Takes the stream unless another connection holds it; returns its position, or undefined if it is held. */
  async #takeFree(hold: Hold): Promise<string | undefined> {
    const { leases, instance } = this.services;
    for (let tries = 0; tries < TRIES && this.#hold === hold; tries++) {
      const { n, holder, position } = leases.leaseOf(this.session);
      if (holder !== undefined && holder !== instance.id && (await leases.isHeldBy(holder, this.session)))
        return undefined;
      const start = position ?? (await instance.changes.position());
      // If the record has changed since the holder was asked, the stream may be held now, and the new holder is asked.
      const isFree = (lease: StreamLease): boolean => lease.n === n || lease.holder === instance.id;
      await this.#take(hold, (lease) => (isFree(lease) ? (this.#lastPosition(lease) ?? start) : undefined));
      if (hold.isTaken) return this.#position;
    }
    return undefined;
  }

  /** The last position that was sent here, which may not be in the lease yet. */
  #lastPosition({ holder, position }: StreamLease): string | undefined {
    return holder === this.services.instance.id ? (this.#position ?? position) : position;
  }

  /**
   * Records this instance as the holder, unless the hold has been replaced here.
   * @param from the position to continue at; undefined if the stream cannot be taken with this lease
   * @returns the previous holder
   */
  async #take(hold: Hold, from: (lease: StreamLease) => string | undefined): Promise<string | undefined> {
    const { leases, instance } = this.services;
    let taken = undefined as { readonly holder: string | undefined; readonly position: string } | undefined;
    // Other instances may read the new record and ask before the write returns here.
    hold.isTaken = true;
    await leases.changeLease(this.session, (lease) => {
      const position = this.#hold === hold ? from(lease) : undefined;
      taken = position === undefined ? undefined : { holder: lease.holder, position };
      return taken && { holder: instance.id, position };
    });
    hold.isTaken = taken !== undefined && this.#hold === hold;
    if (hold.isTaken) this.#position = taken?.position;
    return taken?.holder === instance.id ? undefined : taken?.holder;
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
  #lastOfEach(changes: readonly MissedChange[]): PositionedChange[] {
    const last = new Map<string, PositionedChange>();
    for (const { change, audience, position } of changes) {
      if (!audience(this.session.caller)) continue;
      const key = 'uri' in change ? change.uri : change.method;
      last.delete(key);
      last.set(key, { change, position });
    }
    return [...last.values()];
  }

  #receive(hold: Hold, { change, position }: PositionedChange): void {
    const place = this.#placeOf({ change, position });
    if (place !== undefined && hold.alreadySent.delete(place)) return;
    if (hold.queued) hold.queued.push({ change, position });
    else this.session.hear(change, position);
  }

  /** The place of a change in the bus; undefined for a change that has none. */
  #placeOf({ change, position }: PositionedChange): string | undefined {
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
