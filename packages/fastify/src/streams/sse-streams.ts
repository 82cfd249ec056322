/** The open event streams of an endpoint: kept alive while they are silent, ended when the endpoint closes. */
import { settleWithin, type Clock, type Timer } from '@sigil-mcp/core/adapter';
import type { FastifyReply } from 'fastify';
import type { Connections } from './connections';
import { SseStream } from './sse-stream';

/** Opens streams and forgets those that are over. */
export class SseStreams {
  readonly #open = new Set<SseStream>();
  readonly #timer: Timer;

  /** @param keepAliveInterval milliseconds between comments */
  constructor(
    keepAliveInterval: number,
    private readonly connections: Connections,
    clock: Clock,
  ) {
    this.#timer = clock.every(keepAliveInterval, () => this.#keepAlive()).unref();
  }

  get size(): number {
    return this.#open.size;
  }

  /** Turns a response into a stream. */
  open(reply: FastifyReply): SseStream {
    const stream = new SseStream(reply, this.connections);
    this.#open.add(stream);
    stream.onClose(() => this.#open.delete(stream));
    return stream;
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
