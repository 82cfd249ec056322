/** One connection of a client over HTTP: requests go out as bytes, and each response belongs to the next of them. */
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { HttpFault } from '../traffic/http-fault';
import { ResponseReader, type RawResponse } from './read-responses';

/** What waits for a response. */
export interface Waiting {
  /** Called whenever the response has begun, grown or ended. */
  take(response: RawResponse): void;
}

/** A connection. */
export class HttpConnection {
  readonly #socket: Socket;
  readonly #reader: ResponseReader;
  readonly #waiting: Waiting[] = [];
  #taken = 0;
  /** Whether something was sent after which nobody knows what belongs to what. */
  isPoisoned = false;
  isClosed = false;

  constructor(url: URL) {
    this.#socket = connect({ port: Number(url.port), host: url.hostname });
    this.#reader = new ResponseReader((response) => this.#hand(response));
    this.#socket.on('data', (bytes) => this.#reader.push(bytes));
    this.#socket.on('error', () => undefined);
    this.#socket.on('close', () => {
      this.isClosed = true;
      this.#reader.end();
    });
  }

  /** Whether a request waits for its response. */
  get isBusy(): boolean {
    return this.#waiting.length > 0;
  }

  /** What is wrong with what came. */
  get problem(): string | undefined {
    return this.#reader.problem;
  }

  /** Sends a request, as oddly as it is meant. */
  async send(bytes: Buffer, waiting: Waiting, { splitAt, resetAt, isHalfClosed, deaf }: HttpFault = {}): Promise<void> {
    this.#waiting.push(waiting);
    const cut = resetAt === undefined ? bytes : bytes.subarray(0, resetAt);
    if (splitAt !== undefined && splitAt < cut.length) {
      this.#socket.write(cut.subarray(0, splitAt));
      await delay(2);
      this.#socket.write(cut.subarray(splitAt));
    } else this.#socket.write(cut);
    if (deaf !== undefined) {
      this.#socket.pause();
      setTimeout(() => this.#socket.resume(), deaf);
    }
    if (isHalfClosed) this.#socket.end();
    if (resetAt === undefined) return;
    // Not before the bytes have left.
    await delay(2);
    // Node never frees a handle that is reset while it is being shut down, and then does not exit.
    if (this.#socket.readyState === 'open' && !this.#socket.writableEnded) this.#socket.resetAndDestroy();
    else this.#socket.destroy();
  }

  close(): void {
    this.#socket.destroy();
  }

  #hand(response: RawResponse): void {
    const { responses } = this.#reader;
    const [waiting] = this.#waiting;
    // What comes unasked is the affair of whoever spoiled the connection.
    if (!waiting || responses.indexOf(response) !== this.#taken) return;
    if (response.isComplete) {
      this.#taken++;
      this.#waiting.shift();
    }
    waiting.take(response);
  }
}
