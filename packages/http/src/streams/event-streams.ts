/**
 * The open event streams of an endpoint: kept alive while they are silent, ended when the endpoint closes, and seen by observers of the server.
 */
import {
  settleWithin,
  type Clock,
  type Observers,
  type Timer,
  type ObservedStream,
  type StreamEndReason,
} from '@sigil-mcp/core/adapter';
import { Budget, type Account, readAddress } from '@sigil-mcp/core/internal';
import { busy, clientOf, closing, withoutToken, type HttpCall } from '../call';
import type { ResolvedEndpointLimits } from '../options/endpoint-options';
import type { EventWriter, EventSource } from '../port';
import { EventStream } from './event-stream';

/** The options of streams. */
export interface EventStreamsInit {
  /** Milliseconds between comments. */
  readonly keepAliveInterval: number;
  readonly limits: Pick<ResolvedEndpointLimits, 'streams' | 'streamsPerClient'>;
  readonly clock: Clock;
  readonly account: Account;
  /** Undefined if nobody watches. */
  readonly observers: Observers | undefined;
}

/** Opens streams, and tracks the open ones. */
export class EventStreams {
  readonly #open = new Set<EventStream>();
  /** The number of streams of each client. */
  readonly #ofClients = new Budget<string>();
  /** Streams without a request, which wait for notifications. */
  readonly #waiting = new Set<EventStream>();
  #isEnding = false;
  readonly #timer: Timer;

  constructor(private readonly init: EventStreamsInit) {
    const { clock, keepAliveInterval } = init;
    this.#timer = clock.every(keepAliveInterval, () => this.#keepAlive()).unref();
  }

  get size(): number {
    return this.#open.size;
  }

  /** Refuses another lasting stream with 503 if there are too many, in total or for this client. */
  checkRoom(client: string): void {
    const { streams, streamsPerClient } = this.init.limits;
    if (this.#open.size >= streams) throw busy(`There are ${streams} open streams (limits.streams).`, 'limits.streams');
    if (this.#ofClients.of(client) >= streamsPerClient)
      throw busy(`You have ${streamsPerClient} open streams (limits.streamsPerClient).`, 'limits.streamsPerClient');
  }

  /** Opens a stream for the response to a request. */
  open(asked: AskedStream): EventStream {
    const { call } = asked;
    const stream = new EventStream(call.request);
    this.#open.add(stream);
    const giveBack = this.#ofClients.take(clientOf(call, this.init.account));
    stream.onClose(() => {
      this.#open.delete(stream);
      giveBack();
    });
    const { observers } = this.init;
    if (observers) observeStream(stream, asked, observers);
    return stream;
  }

  /** Refuses a stream without a request with 503 after such streams were ended: its client should open it at another instance. */
  checkWaiting(): void {
    if (this.#isEnding) throw closing();
  }

  /** Like `open`, for a stream without a request, which lasts until its client closes it. */
  openWaiting(asked: AskedStream): EventStream {
    const stream = this.open(asked);
    this.#waiting.add(stream);
    stream.onClose(() => this.#waiting.delete(stream));
    return stream;
  }

  /**
   * Ends the streams without a request. Their responses did not announce that the connections will close, so their clients may send
   * another request on them: leave time for that.
   */
  endWaiting(): void {
    this.#isEnding = true;
    for (const stream of [...this.#waiting]) stream.end('shutdown');
  }

  /**
   * Ends all streams.
   * @param patience milliseconds for clients to read the end; other connections are closed then
   */
  async closeAll(patience: number): Promise<void> {
    this.#timer.close();
    const closed = [...this.#open].map((stream) => new Promise<void>((resolve) => stream.onClose(resolve)));
    for (const stream of this.#open) stream.end('shutdown');
    await settleWithin(patience, Promise.all(closed));
    for (const stream of this.#open) stream.destroy('shutdown');
  }

  #keepAlive(): void {
    for (const stream of this.#open) stream.keepAlive();
  }
}

/** Opens something for which room was reserved: if that throws, the room is released. */
export function orGiveBack<T>(giveBack: () => void, open: () => T): T {
  try {
    return open();
  } catch (error) {
    giveBack();
    throw error;
  }
}

/** The request that a stream answers. */
export interface AskedStream extends Pick<ObservedStream, 'kind'> {
  readonly call: HttpCall;
}

/** Reports a stream, and its end. */
function observeStream(stream: EventStream, asked: AskedStream, observers: Observers): void {
  const ended = report(asked, observers);
  stream.onClose(() => ended(stream.endReason));
}

/** A complete event stream with a single answer: its head and its events are sent together, and nothing is held. */
export class WholeStream implements EventSource {
  /** Reports the end; undefined if nobody watches. */
  readonly #ended: ((reason: StreamEndReason) => void) | undefined;

  /** @param whole its events, serialized */
  constructor(
    readonly whole: string,
    private readonly call: HttpCall,
    observers: Observers | undefined,
  ) {
    this.#ended = observers && report({ call, kind: 'post' }, observers);
  }

  /** All was sent with the head. */
  open(writer: EventWriter): void {
    const ended = this.#ended;
    if (!ended) return;
    const isHandedOver = writer.isOpen && writer.unread === 0;
    const end = (): void => ended(isHandedOver || writer.wasDelivered ? 'answered' : 'client-gone');
    if (isHandedOver) end();
    else this.call.request.onClosed(end);
  }

  discard(): void {
    this.#ended?.('failed');
  }
}

/** Returns what reports the end. */
function report({ call, kind }: AskedStream, observers: Observers): (reason: StreamEndReason) => void {
  const { caller, request } = call;
  const stream: ObservedStream = {
    kind,
    caller,
    headers: withoutToken(request.headers),
    address: readAddress(request.address),
  };
  const ended = observers.stream(stream);
  return (reason) => {
    const limit = call.abortedBy;
    ended({ reason: limit === undefined ? reason : 'limit', limit });
  };
}
