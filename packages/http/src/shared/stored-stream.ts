/**
 * The stream of a message that is answered here, stored so that any instance can continue it. Messages are stored
 * before they are sent, so clients never have an event that the store does not have.
 */
import { unawaited, type Clock } from '@sigil-mcp/core/adapter';
import { STREAM_LIMITS, type StreamName, type StreamStore } from '@sigil-mcp/core/stores';
import type { Outlet } from '../streams/outlet';
import type { EventStream } from '../streams/event-stream';
import { eventId, type StreamManners } from './stream-manners';

/** Milliseconds between attempts while the store is unreachable. */
const PAUSE = 250;
/** Milliseconds of attempts after which a connected client receives the rest without the store. */
const PATIENCE = 10_000;
/** Milliseconds of attempts for a client that may reconnect. */
const LONG_PATIENCE = 300_000;

/** The options of a stored stream. */
export interface StoredStreamInit {
  readonly name: StreamName;
  /** The owner, for other instances. */
  readonly owner: string;
  readonly connection: EventStream;
  readonly store: StreamStore;
  readonly manners: StreamManners;
  readonly clock: Clock;
  /** Another instance has ended the stream: the connection continues with the stored events after a position. */
  readonly lost: (connection: EventStream, place: number) => void;
  /** The error in place of an answer that could not be stored. */
  readonly lostAnswer: string;
}

/** Written only by the instance that answers. */
export class StoredStream implements Outlet {
  #connection: EventStream | undefined;
  /** Messages to write. */
  #waiting: string[] = [];
  /** The position of the last stored event. */
  #place = 0;
  /** `broken`: the store has failed, and the connection receives messages directly. */
  #state: 'new' | 'open' | 'broken' | 'over' = 'new';
  #isEnding = false;
  #writing: Promise<void> | undefined;
  /** The approximate lengths of the stored events. */
  readonly #lengths: number[] = [];
  /** Whether the store has the stream. */
  #isKnown = false;
  #finishOver: () => void = () => undefined;
  /** Resolves when nothing more will be written. */
  readonly over = new Promise<void>((resolve) => (this.#finishOver = resolve));

  readonly name: StreamName;

  constructor(private readonly init: StoredStreamInit) {
    this.name = init.name;
    const { connection, manners } = init;
    this.#connection = connection;
    connection.onClose(() => {
      if (this.#connection === connection) this.#connection = undefined;
    });
    if (manners.polling) unawaited(this.#write());
  }

  /** Whether the client has the connection of its message. */
  get isConnected(): boolean {
    return this.#connection?.isOpen ?? false;
  }

  /** The characters in the store. */
  get characters(): number {
    return this.#lengths.reduce((sum, length) => sum + length, 0);
  }

  send(text: string): Promise<void> {
    this.#waiting.push(text);
    return this.#write();
  }

  end(): void {
    this.#isEnding = true;
    unawaited(this.#write());
  }

  /** Ends the connection after the client has an id to reconnect with. */
  release(): void {
    if (this.init.manners.polling) unawaited(this.#write().then(() => this.#connection?.end()));
  }

  /** Renews the stream in the store: it may be silent for longer than streams are stored. */
  keep(): void {
    const { store, name, owner } = this.init;
    if (this.#state === 'open') unawaited(Promise.resolve(store.open(name, owner)));
  }

  /** The client has resumed the stream on another connection. */
  giveWay(): void {
    this.#connection?.giveWay();
    this.#connection = undefined;
  }

  /** One write at a time: messages that are sent meanwhile are written together. */
  #write(): Promise<void> {
    return (this.#writing ??= this.#writeAll().finally(() => (this.#writing = undefined)));
  }

  async #writeAll(): Promise<void> {
    // Messages of the same turn are written together.
    await Promise.resolve();
    if (this.#state === 'new' && !(await this.#begin())) return this.#lose();
    while (this.#state !== 'over' && (this.#waiting.length > 0 || this.#isEnding)) {
      const events = this.#waiting.splice(0);
      const isLast = this.#isEnding;
      if (this.#state !== 'broken' && !(await this.#store(events, isLast))) {
        if (await this.#isEndedElsewhere()) return this.#lose();
        this.#state = 'broken';
      }
      await this.#deliver(events);
      if (isLast && this.#waiting.length === 0) this.#finish();
    }
  }

  /** Opens the stream in the store, and sends an id to reconnect with afterwards. */
  async #begin(): Promise<boolean> {
    const { store, name, owner, manners } = this.init;
    const isOpen = await this.#try(() => store.open(name, owner));
    if (!isOpen) return false;
    if (this.#state === 'new') this.#state = 'open';
    this.#isKnown = this.#state === 'open';
    if (manners.polling && this.#state === 'open')
      await this.#connection?.send({ id: eventId(name.stream, 0), data: '', retry: manners.retryInterval });
    return true;
  }

  /** Returns false if another instance has ended the stream. */
  #store(events: readonly string[], isLast: boolean): Promise<boolean> {
    return this.#try(() => this.init.store.append(this.init.name, this.#place, events, isLast));
  }

  /** Repeats a write until it succeeds, or the store has been unreachable for too long. */
  async #try(write: () => boolean | Promise<boolean>): Promise<boolean> {
    const { clock } = this.init;
    const began = clock.elapsed();
    for (;;) {
      try {
        return await write();
      } catch {
        if (clock.elapsed() - began >= (this.isConnected ? PATIENCE : LONG_PATIENCE)) {
          this.#state = 'broken';
          return true;
        }
        await new Promise<void>((resolve) => void clock.after(PAUSE, resolve).unref());
      }
    }
  }

  /** False if the store has lost the stream, for example because it was emptied: a connected client then receives the rest. */
  async #isEndedElsewhere(): Promise<boolean> {
    try {
      return (await this.init.store.read(this.init.name, 0, 1)) !== undefined;
    } catch {
      return false;
    }
  }

  async #deliver(events: readonly string[]): Promise<void> {
    for (const data of events) {
      this.#place += 1;
      const id = this.#state === 'broken' ? {} : { id: eventId(this.init.name.stream, this.#place) };
      if (this.#state !== 'broken') this.#count(data.length);
      await this.#connection?.send({ ...id, data });
    }
  }

  #count(length: number): void {
    this.#lengths.push(length);
    if (this.#lengths.length > STREAM_LIMITS.events) this.#lengths.shift();
  }

  #lose(): void {
    const connection = this.#connection;
    this.#connection = undefined;
    this.#state = 'over';
    this.#finishOver();
    if (connection?.isOpen) this.init.lost(connection, this.#place);
  }

  #finish(): void {
    const { store, name, lostAnswer } = this.init;
    // A client that reconnects must not wait for an answer that was never stored.
    if (this.#state === 'broken' && this.#isKnown) unawaited(Promise.resolve(store.end(name, lostAnswer)));
    this.#state = 'over';
    this.#connection?.end();
    this.#connection = undefined;
    this.#finishOver();
  }
}
