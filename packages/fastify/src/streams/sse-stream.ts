/** Server-sent events on one response: one event a message, one `data` line an event. */
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';

/** One event. */
export interface SseEvent {
  /** Names the event, so that the client can come back for what follows it; none if left out. */
  readonly id?: string;
  /** Type of the event; `message` for clients if left out. */
  readonly event?: string;
  /** One line: JSON text, or nothing for an event that only carries an id. */
  readonly data: string;
  /** Milliseconds after which a client may come back; as the client likes if left out. */
  readonly retry?: number;
}

/** An open stream; writing to one that the client has left does nothing. */
export class SseStream {
  readonly #response: ServerResponse;
  /** Pending while the client does not keep up; everybody waits for the same. */
  #room: Promise<void> | undefined;

  /** Takes the response over: what plugins have set on the reply so far, CORS headers above all, goes out with it. */
  constructor(reply: FastifyReply, headers: Readonly<Record<string, string>> = {}) {
    reply.hijack();
    this.#response = reply.raw;
    this.#response.writeHead(200, {
      ...headersOf(reply),
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      ...headers,
    });
  }

  get isOpen(): boolean {
    return this.#response.writable && !this.#response.destroyed;
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
    return this.#response.write(frame(event)) ? undefined : (this.#room ??= this.#drained());
  }

  /** Keeps proxies and clients from taking silence for the end. Not sent to a client that does not keep up anyway. */
  keepAlive(): void {
    if (this.isOpen && !this.#response.writableNeedDrain) this.#response.write(': keep-alive\n\n');
  }

  /** Sends the head though there is nothing to say yet. */
  open(): void {
    if (this.isOpen) this.#response.flushHeaders();
  }

  end(): void {
    this.#response.end();
  }

  /** Ends a stream whose client may never read what is left. */
  destroy(): void {
    this.#response.destroy();
  }

  /** Calls back once when the response is over, whoever ended it. */
  onClose(listener: () => void): void {
    this.#response.once('close', listener);
  }

  async #drained(): Promise<void> {
    await new Promise<void>((resolve) => {
      const done = (): void => {
        this.#response.off('drain', done);
        this.#response.off('close', done);
        this.#room = undefined;
        resolve();
      };
      this.#response.on('drain', done);
      this.#response.on('close', done);
    });
  }
}

/** Fastify's type has a key for every header that there is, most of them undefined. */
function headersOf(reply: FastifyReply): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(reply.getHeaders()).filter(([, value]) => value !== undefined));
}

function frame({ id, event, data, retry }: SseEvent): string {
  return (
    (retry === undefined ? '' : `retry: ${retry}\n`) +
    (event === undefined ? '' : `event: ${event}\n`) +
    (id === undefined ? '' : `id: ${id}\n`) +
    `data: ${data}\n\n`
  );
}
