/** The streams of a session: those that answer a request, and the one without a request. Any instance can continue them. */
import { andThen, unawaited, type Clock, type Instance, type MaybePromise } from '@sigil-mcp/core/adapter';
import type { StreamPart, StreamStore } from '@sigil-mcp/core/stores';
import type { RequestId } from '@sigil-mcp/protocol';
import { eventId, readEventId, STANDALONE, type EventId } from './event-id';
import type { EventStream } from './event-stream';
import { FollowedStream, readOwner } from './followed-stream';
import { RequestStream, type RequestStreamEvents } from './request-stream';
import type { Resumability } from './resumability';
import { frame } from './sse-event';
import { StandaloneStream, type StandaloneServices } from './standalone-stream';
import type { StreamSession } from './stream-lease';

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

/** The streams that are written by this instance. */
export interface WrittenStreams {
  /** A stream name that is unique among all instances. */
  nextName(): string;
  opened(stream: RequestStream): void;
  over(stream: RequestStream): void;
}

/** Created with the first stream of a session at this instance. */
export class SessionStreams implements RequestStreamEvents {
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
    const stream = new RequestStream({ ...init, events: this });
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

  over(stream: RequestStream): void {
    this.#open.delete(stream);
    this.services.written.over(stream);
  }

  endedElsewhere({ name }: RequestStream, connection: EventStream, place: number): void {
    this.#follow(name.stream, connection, place);
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
