/**
 * The streams of messages that are answered here, stored so that any instance can continue them. Messages are stored before they are sent, so
 * clients never have an event that the store does not have.
 */
import type { Clock, MaybePromise } from '@sigil-mcp/core/adapter';
import { andThen, isObject, isPromise, unawaited } from '@sigil-mcp/core/internal';
import type { StreamName, StreamStore } from '@sigil-mcp/core/stores';
import { ERROR_CODES, writeError, type RequestId } from '@sigil-mcp/protocol';
import { eventId, type EventStream, type Outlet, type Resumability } from './event-stream';

/** Milliseconds between attempts while the store is unreachable. */
const PAUSE = 250;
/** Milliseconds of attempts after which a connected client receives the rest without the store. */
const PATIENCE = 10_000;
/** Milliseconds of attempts for a client that may reconnect. */
const LONG_PATIENCE = 300_000;
/**
 * Characters that may be on their way to the store before the call that sends them has to wait: messages that come meanwhile are written
 * together, and a call does not wait for the store after each of them.
 */
const AHEAD = 16_384;

/** The options of such a stream. */
export interface RequestStreamInit {
  readonly name: StreamName;
  /** The instance that answers. */
  readonly instance: string;
  /** The ids of the requests that are answered. */
  readonly ids: readonly RequestId[];
  readonly connection: EventStream;
  readonly store: StreamStore;
  readonly resumability: Resumability;
  readonly clock: Clock;
  /**
   * Called when nothing more will be written.
   * @param rest if another instance has ended the stream: the connection, which continues with the stored events after a place
   */
  readonly over: (stream: RequestStream, rest?: { readonly connection: EventStream; readonly place: number }) => void;
}

/** Written only by the instance that answers. */
export class RequestStream implements Outlet {
  readonly name: StreamName;
  #connection: EventStream | undefined;
  /** Messages to write. */
  #waiting: string[] = [];
  /** Characters of the messages that are not stored yet. */
  #unwritten = 0;
  /** The place of the last stored event. */
  #place = 0;
  /** `unstored`: the store has failed, and the connection receives messages directly. */
  #state: 'new' | 'open' | 'unstored' | 'over' = 'new';
  #isEnding = false;
  #isSessionOver = false;
  /** Messages that are sent meanwhile are written together. */
  #writing: Promise<void> | undefined;
  /** Pending while the client reads too slowly. */
  #room: MaybePromise<void> = undefined;
  /** Whether the store has the stream. */
  #isKnown = false;

  constructor(private readonly init: RequestStreamInit) {
    this.name = init.name;
    const { connection, resumability } = init;
    this.#connection = connection;
    connection.onClose(() => {
      if (this.#connection === connection) this.#connection = undefined;
    });
    if (resumability.polling) unawaited(this.#write());
  }

  /** Whether the client has the connection of its message. */
  get isConnected(): boolean {
    return this.#connection?.isOpen ?? false;
  }

  /** The characters of messages that the store does not have yet. */
  get unwritten(): number {
    return this.#unwritten;
  }

  send(text: string): MaybePromise<void> {
    this.#add(text);
    const written = this.#write();
    if (isPromise(written) && this.#unwritten > AHEAD) return written.then(() => this.#room);
    return this.#room;
  }

  end(texts: readonly string[]): void {
    for (const text of texts) this.#add(text);
    this.#isEnding = true;
    unawaited(this.#write());
  }

  /** Ends the connection after the client has an id to reconnect with. */
  release(): void {
    if (this.init.resumability.polling) unawaited(andThen(this.#write(), () => this.#connection?.end('released')));
  }

  /** Renews the stream in the store: it may be silent for longer than streams are stored. */
  keep(): void {
    if (this.#state === 'open' && !this.#isSessionOver) unawaited(this.#open());
  }

  /** The session has ended, and its streams in the store with it: only the connection still receives the rest. */
  sessionOver(): void {
    this.#isSessionOver = true;
  }

  /** The client has resumed the stream on another connection. */
  giveWay(): void {
    this.#connection?.giveWay();
    this.#connection = undefined;
  }

  /** Nobody receives what is sent after another instance has ended the stream. */
  #add(text: string): void {
    if (this.#state === 'over') return;
    this.#waiting.push(text);
    this.#unwritten += text.length;
  }

  /** Writes everything that waits. Resolves when it was passed to the connection; never rejects. */
  #write(): MaybePromise<void> {
    if (this.#writing) return this.#writing;
    const written = this.#state === 'new' ? this.#begin() : this.#writeWaiting();
    if (!isPromise(written)) return undefined;
    return (this.#writing = written.finally(() => (this.#writing = undefined)));
  }

  #writeWaiting(): MaybePromise<void> {
    if (this.#state === 'over' || (this.#waiting.length === 0 && !this.#isEnding)) return undefined;
    const events = this.#waiting.splice(0);
    const isLast = this.#isEnding;
    return andThen(this.#store(events, isLast), () => this.#stored(events, isLast));
  }

  #stored(events: readonly string[], isLast: boolean): MaybePromise<void> {
    if (this.#state === 'over') return undefined;
    this.#deliver(events);
    if (isLast && this.#waiting.length === 0) return this.#finish();
    return this.#writeWaiting();
  }

  /** Opens the stream in the store, with everything that waits, and sends an id to reconnect with afterwards. */
  #begin(): MaybePromise<void> {
    const opened = this.#try(() => this.#open());
    const early = isPromise(opened) ? this.#storeEarly() : undefined;
    return andThen(opened, (isOpen) => {
      this.#opened(isOpen);
      return early ? early.then((write) => write()) : this.#writeWaiting();
    });
  }

  #opened(isOpen: boolean): void {
    const { name, resumability } = this.init;
    if (!isOpen) return this.#lose();
    if (this.#state !== 'new') return;
    this.#state = 'open';
    this.#isKnown = true;
    if (!resumability.polling) return;
    const retry = resumability.retryInterval;
    this.#room = this.#connection?.send({ id: eventId(name.stream, 0), data: '', retry });
  }

  /**
   * Stores what waits right behind the opening, without waiting for that. If it fails, everything is written again: the store takes no
   * event twice.
   * @returns what to do when the stream is open
   */
  async #storeEarly(): Promise<() => MaybePromise<void>> {
    const again = (): MaybePromise<void> => this.#writeWaiting();
    if (this.#waiting.length === 0) return again;
    const { store, name } = this.init;
    const events = [...this.#waiting];
    const isLast = this.#isEnding;
    try {
      if (!(await store.append(name, 0, events, isLast))) return again;
    } catch {
      return again;
    }
    return () => {
      if (this.#state !== 'open') return again();
      this.#waiting.splice(0, events.length);
      return this.#stored(events, isLast);
    };
  }

  #open(): MaybePromise<boolean> {
    const { store, name, instance, ids } = this.init;
    return store.open(name, writeOwner({ instance, ids }));
  }

  /** Stores events, unless the store has failed for too long. If another instance has ended the stream, it is over here. */
  #store(events: readonly string[], isLast: boolean): MaybePromise<void> {
    if (this.#state === 'unstored') return undefined;
    const { store, name } = this.init;
    const stored = this.#try(() => store.append(name, this.#place, events, isLast));
    return andThen(stored, (isStored) => {
      if (isStored) return undefined;
      return andThen(this.#isEndedElsewhere(), (isEnded) => {
        if (isEnded) this.#lose();
        else this.#state = 'unstored';
      });
    });
  }

  /** Repeats a write until it succeeds, or the store has been unreachable for too long. */
  #try(write: () => MaybePromise<boolean>): MaybePromise<boolean> {
    const began = this.init.clock.elapsed();
    try {
      const written = write();
      return isPromise(written) ? written.catch(() => this.#tryAgain(write, began)) : written;
    } catch {
      return this.#tryAgain(write, began);
    }
  }

  async #tryAgain(write: () => MaybePromise<boolean>, began: number): Promise<boolean> {
    const { clock } = this.init;
    while (clock.elapsed() - began < (this.isConnected ? PATIENCE : LONG_PATIENCE)) {
      await new Promise<void>((resolve) => void clock.after(PAUSE, resolve).unref());
      try {
        return await write();
      } catch {
        // The next attempt may succeed.
      }
    }
    this.#state = 'unstored';
    return true;
  }

  /** False if the store has lost the stream, for example because it was emptied: a connected client then receives the rest. */
  #isEndedElsewhere(): MaybePromise<boolean> {
    try {
      const read = this.init.store.read(this.init.name, 0, 1);
      return isPromise(read)
        ? read.then(
            (part) => part !== undefined,
            () => false,
          )
        : read !== undefined;
    } catch {
      return false;
    }
  }

  #deliver(events: readonly string[]): void {
    for (const data of events) {
      this.#unwritten -= data.length;
      this.#place += 1;
      const id = this.#state === 'unstored' ? {} : { id: eventId(this.init.name.stream, this.#place) };
      this.#room = this.#connection?.send({ ...id, data });
      unawaited(this.#room);
    }
  }

  #lose(): void {
    const connection = this.#connection;
    this.#connection = undefined;
    this.#state = 'over';
    this.#waiting = [];
    this.#unwritten = 0;
    this.init.over(this, connection?.isOpen ? { connection, place: this.#place } : undefined);
  }

  #finish(): void {
    const { store, name, ids, over } = this.init;
    // A client that reconnects must not wait for an answer that was never stored.
    if (this.#state === 'unstored' && this.#isKnown) unawaited(store.end(name, writeLost(ids)));
    this.#state = 'over';
    this.#connection?.end('answered');
    this.#connection = undefined;
    over(this);
  }
}

/** The streams of all sessions that this instance writes: names them, renews the open ones, and waits for their end. */
export class WrittenStreams {
  readonly #open = new Set<RequestStream>();
  #lastName = 0;
  #drained: () => void = () => undefined;

  /** @param instance the id of this instance, so that no other one uses the same names */
  constructor(private readonly instance: string) {}

  /** A stream name that is unique among all instances. */
  nextName(): string {
    return `${this.instance}x${this.#lastName++}`;
  }

  opened(stream: RequestStream): void {
    this.#open.add(stream);
  }

  over(stream: RequestStream): void {
    this.#open.delete(stream);
    if (this.#open.size === 0) this.#drained();
  }

  /** Keeps the open streams in the store: they may be silent for longer than streams are stored. */
  keepAll(): void {
    for (const stream of this.#open) stream.keep();
  }

  /** Resolves when none is open. */
  async drain(): Promise<void> {
    if (this.#open.size > 0) await new Promise<void>((resolve) => (this.#drained = resolve));
  }
}

/** The owner of a stream, from its own record. */
export interface StreamOwner {
  readonly instance: string;
  /** The ids of the requests that it answers there. */
  readonly ids: readonly RequestId[];
}

/** Serializes the owner of a stream for the store. */
export function writeOwner(owner: StreamOwner): string {
  return JSON.stringify(owner);
}

/** Reads the owner of a stream; one that no instance is, if another version has written it, or if the stream has ended. */
export function readOwner(text: string): StreamOwner {
  const owner: unknown = text === '' ? undefined : JSON.parse(text);
  if (!isObject(owner) || typeof owner['instance'] !== 'string' || !Array.isArray(owner['ids']))
    return { instance: '', ids: [] };
  return { instance: owner['instance'], ids: owner['ids'] as RequestId[] };
}

/** The errors in place of answers that an instance cannot give. A batch is answered as one. */
export function writeLost(ids: readonly RequestId[]): string {
  const error = {
    code: ERROR_CODES['internal-error'],
    message:
      'The answer is lost: the server instance that ran this request has ended, or could not store the answer. It is not known whether the request was completed.',
  };
  const [first, ...others] = ids.map((id) => writeError(id, error));
  return others.length === 0 ? (first ?? writeError(undefined, error)) : `[${[first, ...others].join(',')}]`;
}
