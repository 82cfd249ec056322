/** The streams of a session whose client reconnects to this process: their events are stored here. */
import type { Clock } from '@sigil-mcp/core/adapter';
import type { Revision } from '@sigil-mcp/protocol';
import { frame } from '../streams/sse-event';
import type { EventStream } from '../streams/event-stream';
import type { WholeAnswer } from '../streams/whole-answer';
import { EventLog, streamOf, type LogStream } from './event-log';
import type { EventStore } from './event-store';
import { LoggedStream, type StreamEvents, type StreamManners } from './logged-stream';
import type { Resumption, SessionStreams } from './session-streams';

/** The stream that belongs to no request. */
const STANDALONE = 'session';
/** Milliseconds for which the events of a delivered stream are stored: the last ones may still be lost. */
const KEPT_AFTER_DELIVERY = 10_000;

/** The options of streams. */
export interface LocalStreamsInit {
  readonly revision: Revision;
  /** Milliseconds after which a client should reconnect to a closed stream. */
  readonly retryInterval: number;
  /** Counts the events of all sessions. */
  readonly store: EventStore;
  readonly clock: Clock;
}

/** Created with the first stream of a session. */
export class LocalStreams implements SessionStreams, StreamEvents {
  readonly #log: EventLog;
  /** Streams that have not ended: only a few, and none in an idle session. */
  #streams: readonly LoggedStream[] = [];
  /** Streams that were delivered completely, in the order of their first delivery. */
  #delivered: LogStream[] = [];
  #nextStream = 0;
  readonly #manners: StreamManners;
  readonly #clock: Clock;

  constructor({ revision, retryInterval, store, clock }: LocalStreamsInit) {
    this.#clock = clock;
    this.#log = new EventLog(store);
    const { polling, replay } = revision.http;
    this.#manners = { polling, replay, retryInterval };
  }

  get isConnected(): boolean {
    return this.#streams.some(({ isConnected }) => isConnected);
  }

  open(connection: EventStream): LoggedStream {
    const stream = this.#addStream(`r${this.#nextStream++}`);
    stream.connect(connection);
    return stream;
  }

  writeWhole(text: string): Required<WholeAnswer> {
    const { polling, retryInterval } = this.#manners;
    const stream = this.#log.begin(`r${this.#nextStream++}`);
    const greeting = polling ? frame({ id: this.#log.mark(stream), data: '', retry: retryInterval }) : '';
    const body = greeting + frame({ id: this.#log.append(stream, text), data: text });
    const over = (wasDelivered: boolean): void => {
      if (wasDelivered) this.delivered(stream);
    };
    return { body, over };
  }

  connectStandalone(connect: () => EventStream): boolean {
    const stream = this.#standalone();
    if (stream.isConnected) return false;
    stream.connect(connect());
    return true;
  }

  resume(lastEventId: string, connect: () => EventStream): Resumption {
    const open = this.#streams.map(({ stream }) => stream);
    const replay = this.#log.after(lastEventId, open);
    if (replay === 'gone') return this.#hasOpened(streamOf(lastEventId)) ? 'gone' : 'unknown';
    if (replay === 'unknown') return replay;
    const stream = this.#streams.find((one) => one.stream === replay.stream) ?? this.#endedStream(replay.stream);
    stream.connect(connect(), replay.events);
    return 'resumed';
  }

  /** A stream that has ended is only kept in the log. */
  ended(stream: LogStream): void {
    this.#streams = this.#streams.filter((one) => one.stream !== stream);
  }

  delivered(stream: LogStream): void {
    if (stream.deliveredAt === undefined) this.#delivered.push(stream);
    stream.deliveredAt = this.#clock.elapsed();
  }

  /** Sends on exactly one stream; without a connection the message waits in the log. */
  push(text: string): void | Promise<void> {
    return this.#standalone().announce(text);
  }

  hangUp(): void {
    this.#find(STANDALONE)?.hangUp();
  }

  forgetDelivered(): void {
    const now = this.#clock.elapsed();
    const kept = this.#delivered.findIndex(({ deliveredAt = now }) => now - deliveredAt < KEPT_AFTER_DELIVERY);
    const old = this.#delivered.splice(0, kept < 0 ? this.#delivered.length : kept);
    for (const stream of old) this.#log.release(stream);
  }

  close(): void {
    this.#find(STANDALONE)?.end();
    this.#streams = [];
    this.#log.end();
  }

  #standalone(): LoggedStream {
    return this.#find(STANDALONE) ?? this.#addStream(STANDALONE);
  }

  #find(name: string): LoggedStream | undefined {
    return this.#streams.find(({ stream }) => stream.name === name);
  }

  /** Whether a stream was opened that the log has forgotten. The stream without a request ends with its session. */
  #hasOpened(key: string): boolean {
    const [, number] = /^r(0|[1-9]\d*)$/.exec(key) ?? [];
    return number !== undefined && Number(number) < this.#nextStream;
  }

  #endedStream(ended: LogStream): LoggedStream {
    const stream = this.#createStream(ended);
    stream.end();
    return stream;
  }

  #addStream(name: string): LoggedStream {
    const stream = this.#createStream(this.#log.begin(name));
    this.#streams = [...this.#streams, stream];
    return stream;
  }

  #createStream(stream: LogStream): LoggedStream {
    return new LoggedStream(stream, this.#log, this.#manners, this);
  }
}
