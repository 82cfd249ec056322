/**
 * The stream of a session that belongs to no request. All that it says is that something has changed, so that its events are named by
 * where the change stands among those of the server: whoever holds the stream next tells what came after that.
 */
import { readAnnouncement, unawaited, type ChangeListeners, type Instance } from '@sigil-mcp/core/adapter';
import type { ChangeNotification } from '@sigil-mcp/protocol';
import type { Change } from '@sigil-mcp/core/stores';
import type { Session } from '../sessions/session';
import type { SseStream } from '../streams/sse-stream';
import type { SessionRecord } from './session-record';
import { STANDALONE, eventId, type StreamManners } from './stream-manners';

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

/** Held by one instance at a time. */
export class StandaloneStream {
  #connection: SseStream | undefined;
  /** What was heard while the stream is being opened; undefined once it is, or while it is not. */
  #heard: Heard[] | undefined;
  /** Changes that the client has, and that are yet to be heard here. */
  #told = new Set<string>();
  /** Of the last change that was sent. */
  #position: string | undefined;
  #stopListening: (() => void) | undefined;

  constructor(
    private readonly session: Session,
    private readonly services: StandaloneServices,
    private readonly manners: StreamManners,
  ) {}

  get isConnected(): boolean {
    return this.#heard !== undefined || (this.#connection?.isOpen ?? false);
  }

  /** Goes on from where the stream has come to. Returns false where somebody holds it. */
  async connect(connect: () => SseStream): Promise<boolean> {
    if (this.isConnected) return false;
    const { recordOf, isHeldBy, instance } = this.services;
    const { holder, position } = recordOf(this.session);
    this.#heard = [];
    try {
      if (holder !== undefined && holder !== instance.id && (await isHeldBy(holder, this.session))) {
        this.#heard = undefined;
        return false;
      }
      await this.#open(position ?? (await instance.stores.bus.position()), connect);
      return true;
    } catch (error) {
      this.#heard = undefined;
      throw error;
    }
  }

  /** Goes on after a position that the client has, whoever holds the stream. */
  async takeOver(position: string, connect: () => SseStream): Promise<void> {
    this.giveWay();
    const { recordOf, takeFrom, instance } = this.services;
    const { holder } = recordOf(this.session);
    this.#heard = [];
    try {
      if (holder !== undefined && holder !== instance.id) await takeFrom(holder, this.session);
      await this.#open(position, connect);
    } catch (error) {
      this.#heard = undefined;
      throw error;
    }
  }

  /** The client holds it elsewhere from now on. */
  giveWay(): void {
    const connection = this.#connection;
    this.#leave();
    connection?.giveWay();
  }

  /** The session is over. */
  end(): void {
    const connection = this.#connection;
    this.#leave();
    connection?.end();
  }

  push(text: string, position: string | undefined): void | Promise<void> {
    if (!this.#connection?.isOpen) return undefined;
    if (position === undefined || !this.manners.replay) return this.#connection.send({ data: text });
    this.#position = position;
    return this.#connection.send({ id: eventId(STANDALONE, position), data: text });
  }

  async #open(position: string, connect: () => SseStream): Promise<void> {
    const { instance, edit } = this.services;
    const heardUpTo = instance.position;
    const opening = this.#heard;
    this.#listen();
    try {
      await edit(this.session, (record) => ({ ...record, holder: instance.id, position }));
      const missed = await instance.stores.bus.changesAfter(position);
      const toldBefore = await this.#unheard(heardUpTo, position);
      // The client has gone on with another connection meanwhile, or ended the session.
      if (this.#heard !== opening) return connect().giveWay();
      this.#begin(position, connect());
      this.#tell(missed, toldBefore);
    } catch (error) {
      this.#leave();
      throw error;
    }
  }

  /** The positions from one up to another: this instance may hear later than others of what the client has from them. */
  async #unheard(from: string | undefined, to: string): Promise<readonly string[]> {
    if (from === undefined || from === to) return [];
    const changes = (await this.services.instance.stores.bus.changesAfter(from)) ?? [];
    const positions = changes.map(({ position }) => position);
    return positions.slice(0, positions.indexOf(to) + 1);
  }

  #begin(position: string, connection: SseStream): void {
    this.#connection = connection;
    this.#position = position;
    connection.onClose(() => this.#disconnect(connection));
    const { polling, replay, retryInterval } = this.manners;
    if (polling && replay)
      unawaited(connection.send({ id: eventId(STANDALONE, position), data: '', retry: retryInterval }));
    else connection.open();
  }

  /** What was missed, and then what was heard meanwhile. Where it is not known what was missed, everything may have changed. */
  #tell(missed: readonly Change[] | undefined, toldBefore: readonly string[]): void {
    const heard = this.#heard ?? [];
    this.#heard = undefined;
    if (!missed) this.services.listeners.tellAll(this.session);
    for (const { change, position } of this.#lastOfEach(missed ?? [])) this.session.hear(change, position);
    this.#told = new Set([...toldBefore, ...(missed ?? []).map(({ position }) => position)]);
    for (const each of heard) this.#hear(each);
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

  #hear({ change, position }: Heard): void {
    if (position !== undefined && this.#told.delete(position)) return;
    if (this.#heard) this.#heard.push({ change, position });
    else this.session.hear(change, position);
  }

  #listen(): void {
    const { session, services } = this;
    this.#stopListening = services.listeners.add({
      hear: (change, position) => this.#hear({ change, position }),
      subscribed: () => session.subscribed(),
      get caller() {
        return session.caller;
      },
    });
  }

  #leave(): void {
    this.#stopListening?.();
    this.#stopListening = undefined;
    this.#connection = undefined;
    this.#heard = undefined;
    this.#told.clear();
  }

  /** Whoever comes next goes on from here. */
  #disconnect(connection: SseStream): void {
    if (this.#connection !== connection) return;
    this.#leave();
    if (this.session.closedBy) return;
    const { id } = this.services.instance;
    const position = this.#position;
    const letGo = this.services.edit(this.session, (record) =>
      record.holder === id ? { ...record, holder: undefined, position } : record,
    );
    unawaited(letGo);
  }
}
