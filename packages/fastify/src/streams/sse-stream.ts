/** Server-sent events on one open response. */
import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import { swallowErrors, type Connections } from './connections';
import { frame, hostHeaders, SSE_HEADERS, type SseEvent } from './sse-event';

/** An open stream; writes have no effect after the client has disconnected. */
export class SseStream {
  readonly #response: ServerResponse;
  /** Pending while the client reads too slowly; all writers wait for the same promise. */
  #room: Promise<void> | undefined;
  /** Resolves that promise. */
  #goOn: (() => void) | undefined;

  /** False after it was ended, or its client has disconnected: `writable` of a response stays true for longer. */
  #isOpen = true;

  /**
   * Takes over the response: headers that plugins have set on the reply, above all CORS headers, are sent with it. Throws for invalid
   * headers: the reply is then unchanged.
   */
  constructor(
    private readonly reply: FastifyReply,
    private readonly connections: Connections,
  ) {
    this.#response = reply.raw;
    this.#response.writeHead(200, { ...hostHeaders(reply), ...SSE_HEADERS });
    reply.hijack();
    swallowErrors(this.#response);
    this.#response.on('drain', () => this.#goOn?.());
    this.onClose(() => {
      this.#isOpen = false;
      this.#goOn?.();
    });
  }

  get isOpen(): boolean {
    return this.#isOpen && !this.#response.destroyed;
  }

  /** Whether everything was sent, including the end. */
  get wasDelivered(): boolean {
    return this.#response.writableFinished;
  }

  /** The bytes that wait for the client to read. */
  get unread(): number {
    return this.#response.writableLength;
  }

  /**
   * Writes an event.
   * @returns a promise if the client reads too slowly; it resolves when there is room again, or the client has disconnected
   */
  send(event: SseEvent): void | Promise<void> {
    if (!this.isOpen) return undefined;
    return this.#write(frame(event)) ? undefined : (this.#room ??= this.#waitForRoom());
  }

  /** Keeps proxies and clients from treating silence as the end. Not sent to a client that reads too slowly. */
  keepAlive(): void {
    if (this.isOpen && !this.#response.writableNeedDrain) this.#write(': keep-alive\n\n');
  }

  /** Sends the headers before the first event. */
  open(): void {
    if (this.isOpen) this.#attempt(() => this.#response.flushHeaders());
  }

  end(): void {
    this.#isOpen = false;
    this.#attempt(() => this.#response.end());
  }

  /** Ends in favour of another connection of the same client: unread events are sent there, and are not stored twice. */
  giveWay(): void {
    if (this.unread > 0) this.destroy();
    else this.end();
  }

  /** Ends a stream whose client may never read the rest. */
  destroy(): void {
    this.#response.destroy();
  }

  /** Calls back once when the response has ended, on either side. */
  onClose(listener: () => void): void {
    this.connections.onEnd(this.reply, listener);
  }

  #write(text: string): boolean {
    return this.#attempt(() => this.#response.write(text)) ?? true;
  }

  /** An error while writing means that the connection broke; it is reported by `close`, as other disconnections. */
  #attempt<T>(write: () => T): T | undefined {
    try {
      return write();
    } catch {
      this.destroy();
      return undefined;
    }
  }

  #waitForRoom(): Promise<void> {
    return new Promise((resolve) => {
      this.#goOn = () => {
        this.#goOn = undefined;
        this.#room = undefined;
        resolve();
      };
    });
  }
}
