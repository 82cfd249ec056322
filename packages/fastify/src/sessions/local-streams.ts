/** The streams of a session whose client comes back to this process: what they have sent is logged here. */
import type { Revision } from '@sigil-mcp/protocol';
import type { SseStream } from '../streams/sse-stream';
import { EventLog, streamOf, type LogStream } from './event-log';
import type { EventStore } from './event-store';
import { LoggedStream, type StreamEvents, type StreamManners } from './logged-stream';
import type { Resumption, SessionStreams } from './session-streams';

/** The stream that belongs to no request. */
const STANDALONE = 'session';
/** Milliseconds for which the events of a stream are kept after it was delivered: what was sent last may yet be lost. */
const KEPT_AFTER_DELIVERY = 10_000;

/** What streams are opened with. */
export interface LocalStreamsInit {
  readonly revision: Revision;
  /** Milliseconds after which a client whose stream was closed may come back. */
  readonly retryInterval: number;
  /** Where the events of all sessions are counted. */
  readonly store: EventStore;
}

/** Made with the first stream of a session. */
export class LocalStreams implements SessionStreams {
  readonly #log: EventLog;
  readonly #streams = new Map<string, LoggedStream>();
  /** Streams that were delivered to their end, in the order in which they were that first. */
  #delivered: LogStream[] = [];
  #nextStream = 0;
  readonly #manners: StreamManners;
  readonly #hears: StreamEvents = {
    ended: (stream) => {
      this.#streams.delete(stream.name);
      this.#log.close(stream);
    },
    delivered: (stream) => {
      if (stream.deliveredAt === undefined) this.#delivered.push(stream);
      stream.deliveredAt = Date.now();
    },
  };

  constructor({ revision, retryInterval, store }: LocalStreamsInit) {
    this.#log = new EventLog(store);
    const { polling, replay } = revision.http;
    this.#manners = { polling, replay, retryInterval };
  }

  get isConnected(): boolean {
    return [...this.#streams.values()].some(({ isConnected }) => isConnected);
  }

  open(connection: SseStream): LoggedStream {
    const stream = this.#addStream(`r${this.#nextStream++}`);
    stream.connect(connection);
    return stream;
  }

  connectStandalone(connect: () => SseStream): boolean {
    const stream = this.#standalone();
    if (stream.isConnected) return false;
    stream.connect(connect());
    return true;
  }

  resume(lastEventId: string, connect: () => SseStream): Resumption {
    const replay = this.#log.after(lastEventId);
    if (replay === 'gone') return this.#hasOpened(streamOf(lastEventId)) ? 'gone' : 'unknown';
    if (replay === 'unknown') return replay;
    const stream = this.#streams.get(replay.stream.name) ?? this.#endedStream(replay.stream);
    stream.connect(connect(), replay.events);
    return 'resumed';
  }

  /** On exactly one stream; without a connection it waits in the log. */
  push(text: string): void | Promise<void> {
    return this.#standalone().announce(text);
  }

  forgetDelivered(now: number): void {
    const kept = this.#delivered.findIndex(({ deliveredAt = now }) => now - deliveredAt < KEPT_AFTER_DELIVERY);
    const old = this.#delivered.splice(0, kept < 0 ? this.#delivered.length : kept);
    for (const stream of old) this.#log.release(stream);
  }

  close(): void {
    this.#streams.get(STANDALONE)?.end();
    this.#streams.clear();
    this.#log.end();
  }

  #standalone(): LoggedStream {
    return this.#streams.get(STANDALONE) ?? this.#addStream(STANDALONE);
  }

  #hasOpened(key: string): boolean {
    const [, number] = /^r(0|[1-9]\d*)$/.exec(key) ?? [];
    return key === STANDALONE || (number !== undefined && Number(number) < this.#nextStream);
  }

  #endedStream(ended: LogStream): LoggedStream {
    const stream = this.#createStream(ended);
    stream.end();
    return stream;
  }

  /** It is kept until it has ended; from then on the log alone knows of it. */
  #addStream(key: string): LoggedStream {
    const stream = this.#createStream(this.#log.open(key));
    this.#streams.set(key, stream);
    return stream;
  }

  #createStream(stream: LogStream): LoggedStream {
    return new LoggedStream(stream, this.#log, this.#manners, this.#hears);
  }
}
