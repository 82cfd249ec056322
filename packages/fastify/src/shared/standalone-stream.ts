/**
 * The stream of a session that belongs to no request. All that it says is that something has changed, so that its events are named by
 * where the change stands among those of the server: whoever holds the stream next tells what came after that.
 */
import { readAnnouncement, unawaited, type ChangeListeners, type Instance } from '@sigil-mcp/core/adapter';
import type { ChangeNotification } from '@sigil-mcp/protocol';
import type { Change } from '@sigil-mcp/core/stores';
import { sessionOver } from '../refusals/refusal';
import type { Session } from '../sessions/session';
import type { SseStream } from '../streams/sse-stream';
import type { SessionRecord } from './session-record';
import { standaloneEventId, type StreamManners } from './stream-manners';

/** What such streams work with. */
export interface StandaloneServices {
  readonly instance: Instance;
  readonly listeners: ChangeListeners;
  /** What was last read of a session. */
  readonly recordOf: (session: Session) => SessionRecord;
  /** Changes what stands in the store of a session. Rejects where it is over, or the store is away. */
  readonly edit: (session: Session, edit: (record: SessionRecord) => SessionRecord) => Promise<void>;
  /** Whether an instance holds the stream of a session. */
  readonly isHeldBy: (instance: string, session: Session) => Promise<boolean>;
  /** Tells an instance that the client goes on with the stream here. */
  readonly takeFrom: (instance: string, session: Session) => Promise<void>;
}

/** A change, and where it stands. */
interface Heard {
  readonly change: ChangeNotification;
  readonly position: string | undefined;
}

/** Tries to take a stream that others take at the same time. */
const TRIES = 5;

/**
 * The stream, held or being opened: one for each client that comes for it. Whoever comes next, and the end of the session, puts an end to it,
 * wherever its opening has come to.
 */
interface Hold {
  /** Undefined while the stream is being opened. */
  connection: SseStream | undefined;
  /** What was heard while the stream is being opened; undefined once it is. */
  heard: Heard[] | undefined;
  /** Where the last change stood that this instance had heard when it began to listen. */
  readonly heardUpTo: string | undefined;
  /** Whether the record of the session says that this instance has it, or is about to. */
  isTaken: boolean;
  /** Changes that the client has, and that are yet to be heard here. */
  told: Set<string>;
  stopListening: () => void;
}

/** Held by one instance at a time. */
export class StandaloneStream {
  /** At most one; whatever waits looks whether its own is still the one. */
  #hold: Hold | undefined;
  /** Of the last change that was sent here. */
  #position: string | undefined;

  constructor(
    private readonly session: Session,
    private readonly services: StandaloneServices,
    private readonly manners: StreamManners,
  ) {}

  get isConnected(): boolean {
    return this.#hold !== undefined && (this.#hold.connection?.isOpen ?? true);
  }

  /** Whether it is held here, as other instances have to know: one that still asks them does not hold it. */
  get isHeld(): boolean {
    return this.isConnected && this.#hold?.isTaken === true;
  }

  /** Goes on from where the stream has come to. Returns false where somebody holds it. */
  async connect(connect: () => SseStream): Promise<boolean> {
    if (this.isConnected) return false;
    const hold = this.#begin();
    return this.#opening(hold, async () => {
      const position = await this.#takeFree(hold);
      return position !== undefined && (await this.#open(hold, position, connect));
    });
  }

  /** Goes on after a position that the client has, whoever holds the stream. */
  async takeOver(position: string, connect: () => SseStream): Promise<void> {
    this.giveWay();
    const hold = this.#begin();
    const isOpen = await this.#opening(hold, async () => {
      const holder = await this.#take(hold, () => position);
      if (holder !== undefined) await this.services.takeFrom(holder, this.session);
      return this.#open(hold, position, connect);
    });
    // The client has gone on with another connection meanwhile.
    if (!isOpen) connect().giveWay();
  }

  /** The client holds it elsewhere from now on. */
  giveWay(): void {
    const connection = this.#hold?.connection;
    this.#leave();
    connection?.giveWay();
  }

  /** Its connection ends, or is not opened; whoever comes next goes on from where the stream has come to. */
  hangUp(): void {
    const connection = this.#hold?.connection;
    if (connection) connection.end();
    else this.#leave();
  }

  /** The session is over. */
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

  /** Listens from now on: what is heard before the stream is open waits. */
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

  /** Gives up a hold that does not come to be one. Rejects with 404 where that is because the session is over. */
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

  /** Takes the stream unless somebody else has it; returns where it has come to, undefined where it is not to be had. */
  async #takeFree(hold: Hold): Promise<string | undefined> {
    const { recordOf, isHeldBy, instance } = this.services;
    for (let tries = 0; tries < TRIES && this.#hold === hold; tries++) {
      const { n, holder, position } = recordOf(this.session);
      if (holder !== undefined && holder !== instance.id && (await isHeldBy(holder, this.session))) return undefined;
      const start = position ?? (await instance.stores.bus.position());
      // What has changed since somebody was asked may be that the stream is held: then they are asked again.
      const isFree = (record: SessionRecord): boolean => record.n === n || record.holder === instance.id;
      await this.#take(hold, (record) => (isFree(record) ? (this.#cameTo(record) ?? start) : undefined));
      if (hold.isTaken) return this.#position;
    }
    return undefined;
  }

  /** What was sent here last may not be in the record yet. */
  #cameTo({ holder, position }: SessionRecord): string | undefined {
    return holder === this.services.instance.id ? (this.#position ?? position) : position;
  }

  /**
   * Writes down that this instance has the stream, unless somebody else has come for it here.
   * @param from where it goes on; undefined for a record by which it is not to be had
   * @returns the instance that it was taken from
   */
  async #take(hold: Hold, from: (record: SessionRecord) => string | undefined): Promise<string | undefined> {
    const { edit, instance } = this.services;
    let taken = undefined as { readonly holder: string | undefined; readonly position: string } | undefined;
    // Whoever asks from now on may read it before this instance hears that it is written.
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

  /** Returns false where somebody else has come for it meanwhile, or the session is over. */
  async #open(hold: Hold, position: string, connect: () => SseStream): Promise<boolean> {
    const { bus } = this.services.instance.stores;
    const toldBefore = await this.#unheard(hold.heardUpTo, position);
    const missed = await bus.changesAfter(position);
    // Of a position that is known no more nothing can be told: whoever comes next goes on from here.
    const start = missed ? position : await bus.position();
    if (this.#hold !== hold) return false;
    this.#connect(hold, start, connect());
    this.#tell(hold, missed, toldBefore);
    return true;
  }

  /** The positions after one: this instance may hear later than others of what the client has from them. */
  async #unheard(from: string | undefined, to: string): Promise<readonly string[]> {
    if (from === undefined || from === to) return [];
    const changes = (await this.services.instance.stores.bus.changesAfter(from)) ?? [];
    return changes.map(({ position }) => position);
  }

  #connect(hold: Hold, position: string, connection: SseStream): void {
    hold.connection = connection;
    this.#position = position;
    connection.onClose(() => this.#disconnect(hold));
    const { polling, replay, retryInterval } = this.manners;
    if (polling && replay)
      unawaited(connection.send({ id: standaloneEventId(this.session.id, position), data: '', retry: retryInterval }));
    else connection.open();
  }

  /** What was missed, and then what was heard meanwhile. Where it is not known what was missed, everything may have changed. */
  #tell(hold: Hold, missed: readonly Change[] | undefined, toldBefore: readonly string[]): void {
    const heard = hold.heard ?? [];
    hold.heard = undefined;
    if (!missed) this.services.listeners.tellAll(this.session);
    for (const { change, position } of this.#lastOfEach(missed ?? [])) this.session.hear(change, position);
    hold.told = new Set([...toldBefore, ...(missed ?? []).map(({ position }) => position)]);
    for (const each of heard) this.#hear(hold, each);
  }

  /** What its client may hear of. What has changed several times is told once, where it changed last. */
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

  /** Ends a hold; does nothing where another one has taken its place. */
  #leave(hold = this.#hold): void {
    hold?.stopListening();
    if (this.#hold === hold) this.#hold = undefined;
  }

  /** Whoever comes next goes on from here. */
  #disconnect(hold: Hold): void {
    if (this.#hold !== hold) return;
    this.#leave(hold);
    if (this.session.closedBy) return;
    const { id } = this.services.instance;
    const position = this.#position;
    // Somebody may have come for it here by the time that it is written.
    const letGo = this.services.edit(this.session, (record) =>
      record.holder === id && !this.#hold ? { ...record, holder: undefined, position } : record,
    );
    unawaited(letGo);
  }
}
