/** The streams of a session that any instance can continue. */
import { unawaited, type Clock } from '@sigil-mcp/core/adapter';
import type { StreamPart } from '@sigil-mcp/core/stores';
import type { RequestId } from '@sigil-mcp/protocol';
import type { Session } from '../sessions/session';
import type { Resumption, SessionStreams } from '../sessions/session-streams';
import type { EventStream } from '../streams/event-stream';
import { FollowedStream, writeLost, writeOwner, type FollowedStreamInit } from './followed-stream';
import { StandaloneStream, type StandaloneServices } from './standalone-stream';
import { StoredStream } from './stored-stream';
import { STANDALONE, readEventId, type StreamManners } from './stream-manners';

/** The number of events that are read before a connection is opened for them. */
const FIRST = 100;

/** The services of the streams of all sessions. */
export interface SharedStreamServices extends StandaloneServices {
  /** Milliseconds after which a client should reconnect to a closed stream. */
  readonly retryInterval: number;
  readonly clock: Clock;
  /** Creates a stream name that is unique among all instances. */
  readonly nextStream: () => string;
  /** Called with each stream that is written here. */
  readonly opened: (stream: StoredStream) => void;
  /** Notifies the other instances that the client has resumed a stream here. */
  readonly tellTaken: (session: Session, stream: string) => Promise<void>;
}

/** Created with the first local stream of a session. */
export class SharedStreams implements SessionStreams {
  readonly #open = new Set<StoredStream | FollowedStream>();
  readonly #manners: StreamManners;
  readonly #standalone: StandaloneStream;

  constructor(
    private readonly session: Session,
    private readonly services: SharedStreamServices,
  ) {
    const { polling, replay } = session.conversation.revision.http;
    this.#manners = { polling, replay, retryInterval: services.retryInterval };
    this.#standalone = new StandaloneStream(session, services, this.#manners);
  }

  get isConnected(): boolean {
    return this.#standalone.isConnected || [...this.#open].some(({ isConnected }) => isConnected);
  }

  /** Whether the stream without a request is held here. */
  get holdsStandalone(): boolean {
    return this.#standalone.isHeld;
  }

  open(connection: EventStream, ids: readonly RequestId[]): StoredStream {
    const { instance, nextStream, clock } = this.services;
    const name = { session: this.session.id, stream: nextStream() };
    const stream = new StoredStream({
      name,
      owner: writeOwner({ instance: instance.id, ids }),
      connection,
      store: instance.stores.streams,
      manners: this.#manners,
      clock,
      lost: (left, place) => this.#follow(new FollowedStream(this.#followed(name.stream, left), place)),
      lostAnswer: writeLost(ids),
    });
    this.#open.add(stream);
    unawaited(stream.over.then(() => this.#open.delete(stream)));
    this.services.opened(stream);
    return stream;
  }

  connectStandalone(connect: () => EventStream): Promise<boolean> {
    return this.#standalone.connect(connect);
  }

  async resume(lastEventId: string, connect: () => EventStream): Promise<Resumption> {
    const at = readEventId(this.session.id, lastEventId);
    if (!at) return 'unknown';
    if (at.kind === 'standalone') {
      await this.#standalone.takeOver(at.position, connect);
      return 'resumed';
    }
    const { streams } = this.services.instance.stores;
    const part = await streams.read({ session: this.session.id, stream: at.stream }, at.place, FIRST);
    if (!part || part.hasGap) return 'gone';
    this.giveWay(at.stream);
    await this.services.tellTaken(this.session, at.stream);
    this.#follow(new FollowedStream(this.#followed(at.stream, connect()), at.place), part);
    return 'resumed';
  }

  /** The client has resumed a stream at another instance, which sends all messages from now on. */
  giveWay(stream: string): void {
    if (stream === STANDALONE) this.#standalone.giveWay();
    for (const open of this.#open) if (open.name.stream === stream) open.giveWay();
  }

  /** Messages without a request are only sent if their stream is held here. */
  push(text: string, position: string | undefined): void | Promise<void> {
    return this.#standalone.push(text, position);
  }

  hangUp(): void {
    this.#standalone.hangUp();
  }

  /** The store deletes them automatically. */
  forgetDelivered(): void {}

  close(): void {
    this.#standalone.end();
  }

  #followed(stream: string, connection: EventStream): FollowedStreamInit {
    const { instance, clock } = this.services;
    const { id, stores } = instance;
    const name = { session: this.session.id, stream };
    return { name, connection, store: stores.streams, bus: stores.bus, instance: id, manners: this.#manners, clock };
  }

  #follow(stream: FollowedStream, part?: StreamPart): void {
    this.#open.add(stream);
    unawaited(stream.run(part).finally(() => this.#open.delete(stream)));
  }
}
