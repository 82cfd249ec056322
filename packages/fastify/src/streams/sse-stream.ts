/** Server-sent events on one response: one event a message, one `data` line an event. */
import { validateHeaderName, validateHeaderValue, type OutgoingHttpHeaders, type ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import { swallowErrors, type Connections } from './connections';

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

const HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};

/** An open stream; writing to one that the client has left does nothing. */
export class SseStream {
  readonly #response: ServerResponse;
  /** Pending while the client does not keep up; everybody waits for the same. */
  #room: Promise<void> | undefined;
  /** Ends the waiting for room. */
  #goOn: (() => void) | undefined;

  /** False once it was ended, or its client is gone: `writable` of a response stays true for longer. */
  #isOpen = true;
  /** What was said so far on a stream that goes out whole; undefined for one that is sent as it comes, and once it went out. */
  #whole: string | undefined;
  /** Whether it went out whole, and the system has taken all of it. */
  #isSent = false;
  /** Who wants to know when a stream is over that has yet to go out. */
  #listeners: (() => void)[] = [];
  readonly #hostHeaders: OutgoingHttpHeaders | undefined;

  /**
   * Takes the response over: what plugins have set on the reply so far, CORS headers above all, goes out with it. Throws for headers
   * of theirs that no wire can carry: the reply is then as it was before.
   * @param isWhole whether it is held back until it ends, because that will be at once: its head and all that it says are one write
   */
  constructor(
    private readonly reply: FastifyReply,
    private readonly connections: Connections,
    isWhole = false,
  ) {
    this.#response = reply.raw;
    this.#hostHeaders = headersOf(reply);
    if (isWhole) this.#whole = '';
    else this.#response.writeHead(200, { ...this.#hostHeaders, ...HEADERS });
    reply.hijack();
    if (isWhole) return;
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
    return this.#isSent || this.#response.writableFinished;
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
    if (this.#whole !== undefined) {
      this.#whole += frame(event);
      return undefined;
    }
    return this.#write(frame(event)) ? undefined : (this.#room ??= this.#waitForRoom());
  }

  /** Keeps proxies and clients from taking silence for the end. Not sent to a client that does not keep up anyway. */
  keepAlive(): void {
    if (this.isOpen && this.#whole === undefined && !this.#response.writableNeedDrain) this.#write(': keep-alive\n\n');
  }

  /** Sends the head though there is nothing to say yet. */
  open(): void {
    if (this.isOpen && this.#whole === undefined) this.#attempt(() => this.#response.flushHeaders());
  }

  end(): void {
    this.#isOpen = false;
    if (this.#whole === undefined) this.#attempt(() => this.#response.end());
    else this.#endWhole(this.#whole);
  }

  #endWhole(text: string): void {
    const response = this.#response;
    this.#whole = undefined;
    this.#attempt(() => response.writeHead(200, this.#headOf(text)).end(text));
    // What the system has taken is sent: nobody has to wait for that. (`writableFinished` comes a turn later on Node 24.)
    this.#isSent = response.socket?.destroyed === false && response.writableLength === 0;
    if (!this.#isSent) swallowErrors(response);
    for (const listener of this.#listeners.splice(0)) {
      if (this.#isSent) listener();
      else this.onClose(listener);
    }
  }

  #headOf(text: string): OutgoingHttpHeaders {
    const length = Buffer.byteLength(text);
    if (this.#hostHeaders) return { ...this.#hostHeaders, ...HEADERS, 'content-length': length };
    return {
      'content-type': HEADERS['content-type'],
      'cache-control': HEADERS['cache-control'],
      'x-accel-buffering': HEADERS['x-accel-buffering'],
      'content-length': length,
    };
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
    if (this.#whole === undefined) this.connections.onEnd(this.reply, listener);
    else this.#listeners.push(listener);
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

/** What the host has set so far; undefined where it has set nothing. Throws for what no wire can carry. */
function headersOf(reply: FastifyReply): OutgoingHttpHeaders | undefined {
  // Fastify's type has a key for every header that there is, most of them undefined.
  const set = Object.entries(reply.getHeaders()).filter(([, value]) => value !== undefined);
  if (set.length === 0) return undefined;
  for (const [name, value] of set) {
    validateHeaderName(name);
    validateHeaderValue(name, String(value));
  }
  return Object.fromEntries(set);
}

function frame({ id, event, data, retry }: SseEvent): string {
  return (
    (retry === undefined ? '' : `retry: ${retry}\n`) +
    (event === undefined ? '' : `event: ${event}\n`) +
    (id === undefined ? '' : `id: ${id}\n`) +
    `data: ${data}\n\n`
  );
}
