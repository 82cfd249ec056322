/**
 * The stream of a message that is answered here, kept where any instance can go on with it. What is said is written to the store
 * first, and then sent: so nobody ever has an event that the store does not know.
 */
import { unawaited, type Clock } from '@sigil-mcp/core/adapter';
import { STREAM_LIMITS, type StreamName, type StreamStore } from '@sigil-mcp/core/stores';
import type { Outlet } from '../streams/outlet';
import type { SseStream } from '../streams/sse-stream';
import { eventId, type StreamManners } from './stream-manners';

/** Milliseconds between tries while the store is away. */
const PAUSE = 250;
/** Milliseconds of trying, after which whoever has a connection gets the rest without the store. */
const PATIENCE = 10_000;
/** Milliseconds of trying for those who may come back. */
const LONG_PATIENCE = 300_000;

/** What a stream is written with. */
export interface StoredStreamInit {
  readonly name: StreamName;
  /** All that others have to know of it. */
  readonly owner: string;
  readonly connection: SseStream;
  readonly store: StreamStore;
  readonly manners: StreamManners;
  readonly clock: Clock;
  /** Somebody else has ended the stream: the connection goes on with what stands there after a place. */
  readonly lost: (connection: SseStream, place: number) => void;
  /** What stands for an answer that could not be written. */
  readonly lostAnswer: string;
}

/** Written by the instance that answers, and by no other. */
export class StoredStream implements Outlet {
  #connection: SseStream | undefined;
  /** What is to be written. */
  #waiting: string[] = [];
  /** The place of the last event that stands in the store. */
  #place = 0;
  /** `broken`: the store has let us down, and the connection gets what it would have got. */
  #state: 'new' | 'open' | 'broken' | 'over' = 'new';
  #isEnding = false;
  #writing: Promise<void> | undefined;
  /** Lengths of the events that the store keeps, about. */
  readonly #lengths: number[] = [];
  /** Whether the store knows of the stream. */
  #isKnown = false;
  #finishOver: () => void = () => undefined;
  /** Resolves when nothing more is written. */
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
    else connection.open();
  }

  /** Whether the client has the connection that its message came by. */
  get isConnected(): boolean {
    return this.#connection?.isOpen ?? false;
  }

  /** Characters that the store keeps of it. */
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

  /** The connection ends once the client has what it comes back with. */
  release(): void {
    if (this.init.manners.polling) unawaited(this.#write().then(() => this.#connection?.end()));
  }

  /** Nothing may be said for longer than streams are kept. */
  keep(): void {
    const { store, name, owner } = this.init;
    if (this.#state === 'open') unawaited(Promise.resolve(store.open(name, owner)));
  }

  /** The client goes on elsewhere. */
  giveWay(): void {
    this.#connection?.giveWay();
    this.#connection = undefined;
  }

  /** One at a time: what is said meanwhile is written together. */
  #write(): Promise<void> {
    return (this.#writing ??= this.#writeAll().finally(() => (this.#writing = undefined)));
  }

  async #writeAll(): Promise<void> {
    // What is said in the same turn goes together.
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

  /** An id to come back with is given out once the store knows the stream. */
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

  /** Returns false where somebody else has ended the stream. */
  #store(events: readonly string[], isLast: boolean): Promise<boolean> {
    return this.#try(() => this.init.store.append(this.init.name, this.#place, events, isLast));
  }

  /** Tries until the store does it, or has been away for too long. */
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

  /** What the store has forgotten, as one that was emptied, nobody else has ended: whoever is connected gets the rest. */
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
    // Nobody who comes back is to wait for what was never written.
    if (this.#state === 'broken' && this.#isKnown) unawaited(Promise.resolve(store.end(name, lostAnswer)));
    this.#state = 'over';
    this.#connection?.end();
    this.#connection = undefined;
    this.#finishOver();
  }
}
