/** The stream of events to one open page: what happened so far, and what happens, as fast as the page reads. */
import type { ServerResponse } from 'node:http';
import type { Clock, Timer } from '@sigil-mcp/base';
import { SAFE_HEADERS } from './page-files';
import type { TrafficRecord } from './traffic-record';

/** Milliseconds in which messages are gathered into one event. */
const GATHERED = 30;
/** Bytes of the messages in one event. */
const MOST_BYTES = 512 * 1024;
/** Milliseconds between two signs of life. */
const ALIVE = 15_000;
/** Bytes that may wait for a page that does not read: beyond that it has to open another stream, which begins where this one ended. */
const MOST_UNREAD = 16 * 1024 * 1024;

/** One event, by its name. */
export type SendEvent = (name: string, data: unknown) => void;

/** One stream. */
export class PageStream {
  #seq: number;
  #timer: Timer | undefined;
  #isBlocked = false;
  readonly #alive: Timer;
  readonly #forget: () => void;

  /** @param after the number of the last message that the page has */
  constructor(
    private readonly response: ServerResponse,
    private readonly record: TrafficRecord,
    private readonly clock: Clock,
    after: number,
  ) {
    this.#seq = after > record.last ? 0 : after;
    response.writeHead(200, { ...SAFE_HEADERS, 'content-type': 'text/event-stream' });
    response.on('drain', () => {
      this.#isBlocked = false;
      this.#schedule();
    });
    this.#forget = record.listen(() => this.#schedule());
    this.#alive = clock.every(ALIVE, () => response.write(': alive\n\n')).unref();
    response.on('close', () => this.close());
    this.#schedule();
  }

  /** Sends one event. */
  readonly send: SendEvent = (name, data) => {
    if (this.response.writableEnded) return;
    if (this.response.writableLength > MOST_UNREAD) return void this.response.destroy();
    // JSON has no line ends of its own.
    if (!this.response.write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`)) this.#isBlocked = true;
  };

  /** Ends the stream. */
  close(): void {
    this.#forget();
    this.#alive.close();
    this.#timer?.close();
    this.response.end();
  }

  #schedule(): void {
    if (this.#timer || this.#isBlocked) return;
    this.#timer = this.clock.after(GATHERED, () => {
      this.#timer = undefined;
      this.#flush();
    });
  }

  /** Sends what the page has not seen; a page that reads slowly gets the next part when it has read this one. */
  #flush(): void {
    const { entries, lost, last } = this.record.after(this.#seq, MOST_BYTES);
    if (entries.length === 0 && lost === 0) return;
    this.#seq = last;
    this.send('traffic', { entries, lost });
    if (!this.#isBlocked && this.#seq < this.record.last) this.#schedule();
  }
}
