/** Server-sent events on one response, while it is open. */
import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import { swallowErrors, type Connections } from './connections';
import { frame, hostHeaders, SSE_HEADERS, type SseEvent } from './sse-event';

/** An open stream; writing to one that the client has left does nothing. */
export class SseStream {
  readonly #response: ServerResponse;
  /** Pending while the client does not keep up; everybody waits for the same. */
  #room: Promise<void> | undefined;
  /** Ends the waiting for room. */
  #goOn: (() => void) | undefined;

  /** False once it was ended, or its client is gone: `writable` of a response stays true for longer. */
  #isOpen = true;

  /**
   * Takes the response over: what plugins have set on the reply so far, CORS headers above all, goes out with it. Throws for headers
   * of theirs that no wire can carry: the reply is then as it was before.
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

  /** Whether everything was sent, up to the end. */
  get wasDelivered(): boolean {
    return this.#response.writableFinished;
  }

  /** Bytes that wait for the client to read what came before them. */
  get unread(): number {
    return this.#response.writableLength;
  }

  /**
   * Writes an event.
   * @returns a promise where the client does not keep up; it resolves when there is room again, or the client is gone
   */
  send(event: SseEvent): void | Promise<void> {
    if (!this.isOpen) return undefined;
    return this.#write(frame(event)) ? undefined : (this.#room ??= this.#waitForRoom());
  }

  /** Keeps proxies and clients from taking silence for the end. Not sent to a client that does not keep up anyway. */
  keepAlive(): void {
    if (this.isOpen && !this.#response.writableNeedDrain) this.#write(': keep-alive\n\n');
  }

  /** Sends the head though there is nothing to say yet. */
  open(): void {
    if (this.isOpen) this.#attempt(() => this.#response.flushHeaders());
  }

  end(): void {
    this.#isOpen = false;
    this.#attempt(() => this.#response.end());
  }

  /** Ends for another connection of the same client: what it has not read is sent there, and is not kept twice. */
  giveWay(): void {
    if (this.unread > 0) this.destroy();
    else this.end();
  }

  /** Ends a stream whose client may never read what is left. */
  destroy(): void {
    this.#response.destroy();
  }

  /** Calls back once when the response is over, whoever ended it. */
  onClose(listener: () => void): void {
    this.connections.onEnd(this.reply, listener);
  }

  #write(text: string): boolean {
    return this.#attempt(() => this.#response.write(text)) ?? true;
  }

  /** A connection that cannot be written to is one that broke, and whoever uses it hears so in the one way that there is. */
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
