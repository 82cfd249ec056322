/** An answer on its way from a process through the proxy to a client; it can be cut, or left dead without a word. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ProxyDefect } from './proxy-defect';

/** The header by which clients of these tests see which process has answered. */
export const LANE_HEADER = 'x-lane';

/** Passes what comes, until one side ends. */
export class OpenAnswer {
  readonly isStream: boolean;
  #isDead = false;

  constructor(
    readonly lane: number,
    private readonly coming: IncomingMessage,
    private readonly answer: ServerResponse,
    defect?: ProxyDefect,
  ) {
    this.isStream = coming.headers['content-type']?.startsWith('text/event-stream') ?? false;
    // These are about the connection to the process, not about that of the client.
    const { connection: _connection, 'keep-alive': _keepAlive, ...headers } = coming.headers;
    answer.writeHead(coming.statusCode ?? 502, { ...headers, [LANE_HEADER]: `${lane}` });
    answer.flushHeaders();
    coming.on('data', (chunk: Buffer) => this.#pass(this.isStream && defect ? defect.distort(chunk) : chunk));
    coming.on('end', () => !this.#isDead && answer.end());
    // Broken off: the client sees that, and does not take what came for all there is.
    coming.on('error', () => answer.destroy());
    coming.on('close', () => !coming.complete && !this.#isDead && answer.destroy());
    answer.on('close', () => coming.destroy());
  }

  /** Breaks the connection on both sides. */
  cut(): void {
    this.answer.destroy();
    this.coming.destroy();
  }

  /** Passes nothing any more, and tells neither side, for some milliseconds; then the connection is broken. */
  leave(milliseconds: number): void {
    this.#isDead = true;
    setTimeout(() => this.cut(), milliseconds).unref();
  }

  /** Calls back when it is over. */
  onEnd(ended: () => void): void {
    this.answer.once('close', ended);
  }

  #pass(chunk: Buffer | string): void {
    // What a dead connection takes is lost.
    if (!this.#isDead && !this.answer.destroyed) this.answer.write(chunk);
  }
}
