/**
 * The streams of a session: those that answer a request, and the one without a request. Any instance can continue them: it sends the stored events,
 * and then new ones.
 */
import type { Clock, Instance, MaybePromise } from '@sigil-mcp/core/adapter';
import { andThen, unawaited } from '@sigil-mcp/core/internal';
import type { StreamPart, StreamStore, StreamName } from '@sigil-mcp/core/stores';
import type { RequestId } from '@sigil-mcp/protocol';
import {
  eventId,
  frame,
  readEventId,
  STANDALONE,
  type EventId,
  type EventStream,
  type Resumability,
} from './event-stream';
import { readOwner, RequestStream, writeLost, type StreamOwner, type WrittenStreams } from './request-stream';
import { StandaloneStream, type StandaloneServices, type StreamSession } from './standalone-stream';

/** The number of events that are read before a connection is opened for them. */
const FIRST = 100;

/** The result of resuming a stream: `unknown` for an id that its session cannot have assigned, `gone` if later events are no longer stored. */
export type ResumeOutcome = 'resumed' | 'unknown' | 'gone';

/**
 * Opens the connection of a GET.
 * @param isWaiting whether it waits for what other instances could send as well, so that it ends as soon as this one closes
 */
export type Connect = (isWaiting: boolean) => EventStream;

/** What the streams of all sessions work with. */
export interface SessionStreamServices extends StandaloneServices {
  readonly instance: Instance;
  readonly store: StreamStore;
  readonly clock: Clock;
  readonly written: WrittenStreams;
}

/** Created with the first stream of a session at this instance. */
export class SessionStreams {
  readonly #open = new Set<RequestStream | FollowedStream>();
  readonly #standalone: StandaloneStream;

  constructor(
    private readonly session: StreamSession,
    private readonly services: SessionStreamServices,
    private readonly resumability: Resumability,
  ) {
    this.#standalone = new StandaloneStream(session, services, resumability);
  }

  /** Whether the client has a connection to any of them. */
  get isConnected(): boolean {
    if (this.#standalone.isConnected) return true;
    for (const { isConnected } of this.#open) if (isConnected) return true;
    return false;
  }

  /** Whether the client has resumed a stream of a request here. */
  get hasResumed(): boolean {
    for (const stream of this.#open) if (stream instanceof FollowedStream && stream.isConnected) return true;
    return false;
  }

  /**
   * Opens the stream of a message, which is stored until it has ended.
   * @param ids of the requests that it answers
   */
  open(connection: EventStream, ids: readonly RequestId[]): RequestStream {
    const { instance, written, store, clock } = this.services;
    const name = { session: this.session.id, stream: written.nextName() };
    const init = { name, ids, connection, store, clock, instance: instance.id, resumability: this.resumability };
    const stream = new RequestStream({
      ...init,
      over: (ended, rest) => {
        this.#open.delete(ended);
        written.over(ended);
        if (rest) this.#follow(name.stream, rest.connection, rest.place);
      },
    });
    this.#open.add(stream);
    written.opened(stream);
    return stream;
  }

  /**
   * Writes a stream with a single message, which the client can resume if its connection breaks meanwhile. Returns the text of its
   * events; undefined if the message has to be stored before it is sent.
   */
  writeWhole(text: string): string | undefined {
    const { written, store } = this.services;
    if (!store.addWhole) return undefined;
    const stream = written.nextName();
    store.addWhole({ session: this.session.id, stream }, text);
    const { polling, retryInterval } = this.resumability;
    const greeting = polling ? frame({ id: eventId(stream, 0), data: '', retry: retryInterval }) : '';
    return greeting + frame({ id: eventId(stream, 1), data: text });
  }

  /** Opens the stream for messages without a request, in place of the connection that holds it. */
  connectStandalone(connect: Connect): Promise<void> {
    return this.#standalone.connect(undefined, () => connect(true));
  }

  /** Resumes a stream after an event that the client has. */
  resume(lastEventId: string, connect: Connect): MaybePromise<ResumeOutcome> {
    const at = readEventId(this.session.id, lastEventId);
    if (!at) return 'unknown';
    if (at.kind === 'request') return this.#resumeRequest(at, connect);
    return this.#standalone.connect(at.position, () => connect(true)).then(() => 'resumed');
  }

  /** The client has resumed a stream at another instance, which sends all messages from now on. */
  giveWay(stream: string): void {
    if (stream === STANDALONE) this.#standalone.giveWay();
    for (const open of this.#open) if (open.name.stream === stream) open.giveWay();
  }

  /**
   * Sends a message without a request, if their stream is held here.
   * @param position of the change that it reports
   */
  push(text: string, position: string | undefined): MaybePromise<void> {
    return this.#standalone.push(text, position);
  }

  /** Ends the connection of the stream without a request; its client may reconnect. */
  hangUp(): void {
    this.#standalone.hangUp();
  }

  /** Ends the stream without a request. The others end with their exchanges, which still have to report their outcome. */
  close(): void {
    this.#standalone.end();
    for (const stream of this.#open) if (stream instanceof RequestStream) stream.sessionOver();
  }

  #resumeRequest(
    { stream, place }: Extract<EventId, { kind: 'request' }>,
    connect: Connect,
  ): MaybePromise<ResumeOutcome> {
    const { instance, store, leases } = this.services;
    return andThen(store.read({ session: this.session.id, stream }, place, FIRST), (part) => {
      if (!part || part.hasGap) return 'gone';
      this.giveWay(stream);
      const owner = readOwner(part.owner).instance;
      // The owner of a stream that has ended sends nothing any more.
      return andThen(leases.tellTaken(this.session, stream, part.isOver ? '' : owner), () => {
        // A call that runs here is answered on it, which no other instance could do.
        const isWaiting = !part.isOver && owner !== instance.id;
        this.#follow(stream, connect(isWaiting), place, part);
        return 'resumed';
      });
    });
  }

  #follow(stream: string, connection: EventStream, place: number, part?: StreamPart): void {
    const { instance, store, clock } = this.services;
    const name = { session: this.session.id, stream };
    const { resumability } = this;
    const followed = new FollowedStream({ name, connection, store, instance, resumability, clock }, place);
    this.#open.add(followed);
    unawaited(followed.run(part).finally(() => this.#open.delete(followed)));
  }
}

/** The number of events that are read at once. */
const BATCH = 100;
/** Milliseconds after which the owner of a silent stream is checked. */
const LOOK = 2000;

/** The options of a followed stream. */
export interface FollowedStreamInit {
  readonly name: StreamName;
  readonly connection: EventStream;
  readonly store: StreamStore;
  /** This process, and its way to the owner of the stream. */
  readonly instance: Pick<Instance, 'id' | 'stores'>;
  readonly resumability: Resumability;
  readonly clock: Clock;
}

/** A resumed stream, which any instance may write: follows it from a position, until it has ended or its client has disconnected. */
export class FollowedStream {
  readonly name: StreamName;
  #isFirst = true;
  #wake: () => void = () => undefined;
  #isWoken = false;
  /** The time of the last event, or of the last check of the owner. */
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly init: FollowedStreamInit,
    private place: number,
  ) {
    this.name = init.name;
    init.connection.onClose(() => this.#wakeUp());
  }

  get isConnected(): boolean {
    return this.init.connection.isOpen;
  }

  /** The client has resumed the stream on another connection. */
  giveWay(): void {
    this.init.connection.giveWay();
  }

  /**
   * Sends the part that was read already, at once: what has ended is then a whole response, which is counted as one. Continues from there.
   * Resolves at the end; never rejects.
   */
  run(part: StreamPart | undefined): Promise<void> {
    if (part) for (const room of this.#sendAll(part)) unawaited(room);
    if (!part?.isOver) return this.#follow();
    this.init.connection.end('answered');
    return Promise.resolve();
  }

  async #follow(): Promise<void> {
    const { store, connection } = this.init;
    let stop: (() => void) | undefined;
    try {
      while (connection.isOpen) {
        const part = await this.#read();
        // A client that reads too slowly reconnects for events that are no longer stored, and receives an error: no event is lost silently.
        if (!part || part.hasGap) return connection.end('failed');
        for (const room of this.#sendAll(part)) if (room) await room;
        if (part.isOver) return connection.end('answered');
        if (part.events.length === BATCH) continue;
        stop ??= await store.follow(this.name, () => this.#wakeUp());
        if (part.events.length === 0) await this.#wait(part.owner);
      }
    } catch {
      // The store is unreachable: when the client reconnects, it continues after the last event that it has.
      connection.end('failed');
    } finally {
      stop?.();
    }
  }

  /** Sends events one by one. Yields, after each, a promise if the client reads too slowly. */
  *#sendAll({ events, last }: StreamPart): Generator<MaybePromise<void>> {
    const { connection, resumability, clock } = this.init;
    for (const { place, data } of events) {
      const retry = this.#isFirst && resumability.polling ? { retry: resumability.retryInterval } : {};
      this.#isFirst = false;
      yield connection.send({ id: eventId(this.name.stream, place), data, ...retry });
    }
    this.#isFirst = false;
    if (events.length > 0) this.#lookedAt = clock.elapsed();
    this.place = last;
  }

  #read(): Promise<StreamPart | undefined> {
    return Promise.resolve(this.init.store.read(this.name, this.place, BATCH));
  }

  /** Waits for events. A dead owner will not send any: then the stream ends with an error for each of its requests. */
  async #wait(owner: string): Promise<void> {
    if (this.init.clock.elapsed() - this.#lookedAt >= LOOK) {
      this.#lookedAt = this.init.clock.elapsed();
      await this.#endOrphan(readOwner(owner));
    }
    await new Promise<void>((resolve) => {
      const timer = this.init.clock.after(LOOK, resolve).unref();
      this.#wake = () => {
        timer.close();
        resolve();
      };
      if (this.#isWoken || !this.init.connection.isOpen) this.#wake();
    });
    this.#isWoken = false;
  }

  #wakeUp(): void {
    this.#isWoken = true;
    this.#wake();
  }

  async #endOrphan({ instance, ids }: StreamOwner): Promise<void> {
    const { instance: own, store } = this.init;
    if (instance === own.id || (await own.stores.bus.isAlive(instance))) return;
    await store.end(this.name, writeLost(ids));
  }
}
