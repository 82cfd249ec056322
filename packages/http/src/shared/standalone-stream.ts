/**
 * The stream of a session without a request. It only reports changes, so its event ids are positions among the changes of the
 * server: the next holder of the stream reports all later changes.
 */
import { readAnnouncement, unawaited, type ChangeListeners, type Instance } from '@sigil-mcp/core/adapter';
import type { ChangeNotification } from '@sigil-mcp/protocol';
import type { Change } from '@sigil-mcp/core/stores';
import { sessionOver } from '../refusals/refusal';
import type { Session } from '../sessions/session';
import type { EventStream } from '../streams/event-stream';
import type { SessionRecord } from './session-record';
import { standaloneEventId, type StreamManners } from './stream-manners';

/** The services of such streams. */
export interface StandaloneServices {
  readonly instance: Instance;
  readonly listeners: ChangeListeners;
  /** The latest known record of a session. */
  readonly recordOf: (session: Session) => SessionRecord;
  /** Changes the record of a session in the store. Rejects if the session has ended, or the store is unreachable. */
  readonly edit: (session: Session, edit: (record: SessionRecord) => SessionRecord) => Promise<void>;
  /** Whether an instance holds the stream of a session. */
  readonly isHeldBy: (instance: string, session: Session) => Promise<boolean>;
  /** Notifies an instance that the client has resumed the stream here. */
  readonly takeFrom: (instance: string, session: Session) => Promise<void>;
}

/** A change, and its position. */
interface Heard {
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
  heard: Heard[] | undefined;
  /** The position of the last change that this instance had received when it began to listen. */
  readonly heardUpTo: string | undefined;
  /** Whether the record of the session names this instance as the holder, or is about to. */
  isTaken: boolean;
  /** Positions of changes that the client has, and that this instance has not received yet. */
  told: Set<string>;
  stopListening: () => void;
}

/** Held by one instance at a time. */
export class StandaloneStream {
  /** At most one; asynchronous steps check whether their own hold is still the current one. */
  #hold: Hold | undefined;
  /** The position of the last change that was sent here. */
  #position: string | undefined;

  constructor(
    private readonly session: Session,
    private readonly services: StandaloneServices,
    private readonly manners: StreamManners,
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
      if (holder !== undefined) await this.services.takeFrom(holder, this.session);
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

  /** Ends the connection, or its opening; the next connection continues at the last position. */
  hangUp(): void {
    const connection = this.#hold?.connection;
    if (connection) connection.end();
    else this.#leave();
  }

  /** Ends the stream with its session. */
  end(): void {
    const connection = this.#hold?.connection;
    this.#leave();
    connection?.end();
  }

  push(text: string, position: string | undefined): void | Promise<void> {
    const connection = this.#hold?.connection;
    if (!connection?.isOpen) return undefined;
    if (position === undefined || !this.manners.replay) return connection.send({ data: text });
    this.#position = position;
    return connection.send({ id: standaloneEventId(this.session.id, position), data: text });
  }

  /** Listens from now on; changes before the stream is open are queued. */
  #begin(): Hold {
    const { session, services } = this;
    const hold: Hold = {
      connection: undefined,
      heard: [],
      heardUpTo: services.instance.position,
      isTaken: false,
      told: new Set(),
      stopListening: services.listeners.add({
        hear: (change, position) => this.#hear(hold, { change, position }),
        subscribed: () => session.subscribed(),
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
      if (!isOpen && this.session.closedBy) throw sessionOver();
      if (!isOpen) this.#leave(hold);
      return isOpen;
    } catch (error) {
      this.#leave(hold);
      throw error;
    }
  }

  /** Takes the stream unless another connection holds it; returns its position, or undefined if it is held. */
  async #takeFree(hold: Hold): Promise<string | undefined> {
    const { recordOf, isHeldBy, instance } = this.services;
    for (let tries = 0; tries < TRIES && this.#hold === hold; tries++) {
      const { n, holder, position } = recordOf(this.session);
      if (holder !== undefined && holder !== instance.id && (await isHeldBy(holder, this.session))) return undefined;
      const start = position ?? (await instance.stores.bus.position());
      // If the record has changed since the holder was asked, the stream may be held now, and the new holder is asked.
      const isFree = (record: SessionRecord): boolean => record.n === n || record.holder === instance.id;
      await this.#take(hold, (record) => (isFree(record) ? (this.#cameTo(record) ?? start) : undefined));
      if (hold.isTaken) return this.#position;
    }
    return undefined;
  }

  /** The last position that was sent here, which may not be in the record yet. */
  #cameTo({ holder, position }: SessionRecord): string | undefined {
    return holder === this.services.instance.id ? (this.#position ?? position) : position;
  }

  /**
   * Records this instance as the holder, unless the hold has been replaced here.
   * @param from the position to continue at; undefined if the stream cannot be taken with this record
   * @returns the previous holder
   */
  async #take(hold: Hold, from: (record: SessionRecord) => string | undefined): Promise<string | undefined> {
    const { edit, instance } = this.services;
    let taken = undefined as { readonly holder: string | undefined; readonly position: string } | undefined;
    // Other instances may read the new record and ask before the write returns here.
    hold.isTaken = true;
    await edit(this.session, (record) => {
      const position = this.#hold === hold ? from(record) : undefined;
      taken = position === undefined ? undefined : { holder: record.holder, position };
      return taken ? { ...record, holder: instance.id, position } : record;
    });
    hold.isTaken = taken !== undefined && this.#hold === hold;
    if (hold.isTaken) this.#position = taken?.position;
    return taken?.holder === instance.id ? undefined : taken?.holder;
  }

  /** Returns false if the hold has been replaced meanwhile, or the session has ended. */
  async #open(hold: Hold, position: string, connect: () => EventStream): Promise<boolean> {
    const { bus } = this.services.instance.stores;
    const toldBefore = await this.#unheard(hold.heardUpTo, position);
    const missed = await bus.changesAfter(position);
    // If a position is no longer known, its changes are lost: the next connection continues at the current one.
    const start = missed ? position : await bus.position();
    if (this.#hold !== hold) return false;
    this.#connect(hold, start, connect());
    this.#tell(hold, missed, toldBefore);
    return true;
  }

  /** The positions after one: the client may have received changes from other instances before this one. */
  async #unheard(from: string | undefined, to: string): Promise<readonly string[]> {
    if (from === undefined || from === to) return [];
    const changes = (await this.services.instance.stores.bus.changesAfter(from)) ?? [];
    return changes.map(({ position }) => position);
  }

  #connect(hold: Hold, position: string, connection: EventStream): void {
    hold.connection = connection;
    this.#position = position;
    connection.onClose(() => this.#disconnect(hold));
    const { polling, replay, retryInterval } = this.manners;
    if (polling && replay)
      unawaited(connection.send({ id: standaloneEventId(this.session.id, position), data: '', retry: retryInterval }));
  }

  /** Sends missed changes, then queued ones. If the missed changes are unknown, all lists are reported as changed. */
  #tell(hold: Hold, missed: readonly Change[] | undefined, toldBefore: readonly string[]): void {
    const heard = hold.heard ?? [];
    hold.heard = undefined;
    if (!missed) this.services.listeners.tellAll(this.session);
    for (const { change, position } of this.#lastOfEach(missed ?? [])) this.session.hear(change, position);
    hold.told = new Set([...toldBefore, ...(missed ?? []).map(({ position }) => position)]);
    for (const each of heard) this.#hear(hold, each);
  }

  /** The changes for this client. Of several changes of one subject, only the last one is sent. */
  #lastOfEach(changes: readonly Change[]): Heard[] {
    const last = new Map<string, Heard>();
    for (const { text, position } of changes) {
      const announced = readAnnouncement(text);
      if (!announced || !this.services.listeners.audienceOf(announced)(this.session.caller)) continue;
      const { change } = announced;
      const key = 'uri' in change ? change.uri : change.method;
      last.delete(key);
      last.set(key, { change, position });
    }
    return [...last.values()];
  }

  #hear(hold: Hold, { change, position }: Heard): void {
    if (position !== undefined && hold.told.delete(position)) return;
    if (hold.heard) hold.heard.push({ change, position });
    else this.session.hear(change, position);
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
    if (this.session.closedBy) return;
    const { id } = this.services.instance;
    const position = this.#position;
    // A new connection may have been opened here before the write.
    const letGo = this.services.edit(this.session, (record) =>
      record.holder === id && !this.#hold ? { ...record, holder: undefined, position } : record,
    );
    unawaited(letGo);
  }
}
