/** The open event streams of an endpoint: kept alive while they are silent, ended when the endpoint closes. */
import { settleWithin, type Clock, type Timer } from '@sigil-mcp/core/adapter';
import type { FastifyReply } from 'fastify';
import type { KnownEndpointLimits } from '../options/endpoint-limits';
import { busy, closing } from '../refusals/refusal';
import type { Connections } from './connections';
import { SseStream } from './sse-stream';

/** What streams are opened with. */
export interface SseStreamsInit {
  /** Milliseconds between comments. */
  readonly keepAliveInterval: number;
  readonly connections: Connections;
  readonly limits: Pick<KnownEndpointLimits, 'streams' | 'streamsPerClient'>;
  readonly clock: Clock;
}

/** Opens streams and forgets those that are over. */
export class SseStreams {
  readonly #open = new Set<SseStream>();
  /** How many each client has. */
  readonly #ofClients = new Map<string, number>();
  /** Those that answer nothing, and wait for what may come. */
  readonly #waiting = new Set<SseStream>();
  #isEnding = false;
  readonly #timer: Timer;

  constructor(private readonly init: SseStreamsInit) {
    const { clock, keepAliveInterval } = init;
    this.#timer = clock.every(keepAliveInterval, () => this.#keepAlive()).unref();
  }

  get size(): number {
    return this.#open.size;
  }

  /** Refuses with 503 another stream that lasts, where there are too many, or too many of this client. */
  checkRoom(client: string): void {
    const { streams, streamsPerClient } = this.init.limits;
    if (this.#open.size >= streams) throw busy(`There are ${streams} open streams (limits.streams).`);
    if ((this.#ofClients.get(client) ?? 0) >= streamsPerClient)
      throw busy(`You have ${streamsPerClient} open streams (limits.streamsPerClient).`);
  }

  /**
   * Turns a response into a stream.
   * @param client whom it is counted for
   */
  open(reply: FastifyReply, client: string): SseStream {
    const stream = new SseStream(reply, this.init.connections);
    this.#open.add(stream);
    this.#count(client, 1);
    stream.onClose(() => {
      if (this.#open.delete(stream)) this.#count(client, -1);
    });
    return stream;
  }

  #count(client: string, change: 1 | -1): void {
    const count = (this.#ofClients.get(client) ?? 0) + change;
    if (count > 0) this.#ofClients.set(client, count);
    else this.#ofClients.delete(client);
  }

  /** Refuses with 503 a stream that answers nothing once such streams are ended: its client is to open it elsewhere. */
  checkWaiting(): void {
    if (this.#isEnding) throw closing();
  }

  /** As `open`, for one that answers nothing and lasts for as long as its client likes. */
  openWaiting(reply: FastifyReply, client: string): SseStream {
    const stream = this.open(reply, client);
    this.#waiting.add(stream);
    stream.onClose(() => this.#waiting.delete(stream));
    return stream;
  }

  /**
   * Ends the streams that answer nothing. Their connections were not told that they end, so that their clients may send something on
   * them: there has to be time for that.
   */
  endWaiting(): void {
    this.#isEnding = true;
    for (const stream of [...this.#waiting]) stream.end();
  }

  /**
   * Ends all streams.
   * @param patience milliseconds that clients have to read the end; the connections of those who do not are dropped
   */
  async closeAll(patience: number): Promise<void> {
    this.#timer.close();
    const closed = [...this.#open].map((stream) => new Promise<void>((resolve) => stream.onClose(resolve)));
    for (const stream of this.#open) stream.end();
    await settleWithin(patience, Promise.all(closed));
    for (const stream of this.#open) stream.destroy();
  }

  #keepAlive(): void {
    for (const stream of this.#open) stream.keepAlive();
  }
}
